import { z } from 'zod';
import { MAX_PER_DAY, RECIPIENT_TIMEZONE, WEEKDAYS, isTimezone } from '../sending-hours.js';
import { exactText } from './message.js';

export const timezoneSchema = z
  .string()
  .refine(isTimezone, 'is not a timezone, e.g. Europe/Lisbon')
  .describe('IANA name, e.g. Europe/Lisbon');

const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const timeOfDaySchema = z.string().regex(TIME_OF_DAY, 'is not a time of day from 00:00 to 23:59');
const dateSchema = z.iso.date({ error: 'is not a date, e.g. 2026-12-25' });

const windowSchema = z
  .strictObject({
    days: z
      .array(z.enum(WEEKDAYS, { error: `is not one of ${WEEKDAYS.join(', ')}` }))
      .min(1)
      .exactOptional()
      .describe('Days on which the window begins. Default: every day'),
    from: timeOfDaySchema.describe('Begin of the window, inclusive'),
    until: timeOfDaySchema.describe(
      'End of the window, exclusive. If it is not later than `from`, the window ends on the next day',
    ),
  })
  .meta({ id: 'DailyWindow' });

const MOST_OFFLINE = 10;
const OFFLINE_WORDS = 'is not a list of hours of a day, e.g. 22:00-06:00,12:00-13:00';

/** The hours of every day, as one text. */
export const offlineSchema = z
  .string()
  .max(MOST_OFFLINE * 13)
  .transform((text) => text.split(',').map((hours) => hours.trim().split('-')))
  .refine((all) => all.every((hours) => hours.length === 2), OFFLINE_WORDS)
  .transform((all) => all.map(([from = '', until = '']) => ({ from: from.trim(), until: until.trim() })))
  .refine((all) => all.every((hours) => Object.values(hours).every((time) => TIME_OF_DAY.test(time))), OFFLINE_WORDS);

const hoursFields = {
  windows: z
    .array(windowSchema)
    .min(1)
    .max(50)
    .describe('Times of day: open in `sendingWindows`, closed in `quietHours`'),
  holidays: z.array(dateSchema).max(400).exactOptional().describe('Dates that are closed all day'),
};

/** An instance's `sendingWindows` and `quietHours`. */
export const localHoursSchema = z.strictObject({ timezone: timezoneSchema, ...hoursFields }).meta({ id: 'LocalHours' });

export const timezoneOrRecipientSchema = z.union([z.literal(RECIPIENT_TIMEZONE), timezoneSchema], {
  error: `is neither a timezone, e.g. Europe/Lisbon, nor ${RECIPIENT_TIMEZONE}`,
});

/** A campaign's `sendingWindows`. */
export const sendingWindowsSchema = z
  .strictObject({
    timezone: timezoneOrRecipientSchema.describe(
      `IANA name, e.g. Europe/Lisbon; or \`${RECIPIENT_TIMEZONE}\`: the local time of each recipient`,
    ),
    ...hoursFields,
  })
  .meta({ id: 'SendingWindows' });

const perDaySchema = z.int().min(1).max(MAX_PER_DAY).describe('The most messages in a day. Default: no limit');

export const instanceLimitsSchema = z
  .strictObject({
    timezone: timezoneSchema.describe('IANA name of the timezone in which a day begins'),
    perDay: perDaySchema.exactOptional(),
    warmUp: z
      .strictObject({
        firstDay: dateSchema,
        perDay: perDaySchema.describe('Messages on the first day'),
        growthPercent: z.int().min(0).max(1_000).describe('Percent by which the limit grows each day'),
      })
      .exactOptional(),
    frequencyCap: z
      .strictObject({ messages: z.int().min(1).max(1_000), days: z.int().min(1).max(365) })
      .exactOptional()
      .describe('The most marketing messages to one recipient within a number of days, from all campaigns together'),
  })
  .meta({ id: 'InstanceLimits' });

/** Use sending windows for longer pauses. */
const jitterMsSchema = z.int().min(0).max(3_600_000);

export const campaignLimitsSchema = z
  .strictObject({
    perDay: perDaySchema.exactOptional(),
    jitter: z
      .strictObject({
        minMs: jitterMsSchema,
        maxMs: jitterMsSchema,
        seed: exactText
          .min(1)
          .max(100)
          .exactOptional()
          .describe("Text that decides the random pauses. Default: the campaign's id"),
      })
      .refine(({ minMs, maxMs }) => minMs <= maxMs, { path: ['maxMs'], error: 'must be at least minMs' })
      .exactOptional()
      .describe('A random pause after each message, between both limits'),
  })
  .meta({ id: 'CampaignLimits' });
