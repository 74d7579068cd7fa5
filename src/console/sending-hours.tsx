/** The fields of a form for the hours in which a campaign sends: one window on each chosen day. */
import { RECIPIENT_TIMEZONE, WEEKDAYS } from '../contract/index.js';
import type { Campaign } from '../http-client/index.js';
import { Field, described } from './elements.js';
import type { Form, Refusal } from './form.js';
import type { Locale } from './reader.js';

type SendingHours = NonNullable<Campaign['sendingWindows']>;

const DAY_NAMES = { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' } as const;
const OF_RECIPIENTS = "each recipient's own time";

/** Of an empty form. */
export const EVERY_DAY: Form = Object.fromEntries(WEEKDAYS.map((day) => [`day:${day}`, 'yes']));

/** The fields of these hours. @returns undefined for hours that the fields cannot say */
export function hoursTyped(hours: SendingHours | undefined): Form | undefined {
  if (hours === undefined) return EVERY_DAY;
  const [window, ...others] = hours.windows;
  if (window === undefined || others.length > 0 || hours.holidays !== undefined) return undefined;
  const { from, until, days = WEEKDAYS } = window;
  return { from, until, hoursZone: hours.timezone, ...Object.fromEntries(days.map((day) => [`day:${day}`, 'yes'])) };
}

/** @returns undefined: at all hours */
export function hoursIn(form: Form): SendingHours | undefined {
  const { from = '', until = '', hoursZone = 'UTC' } = form;
  if (from === '' && until === '') return undefined;
  const days = WEEKDAYS.filter((day) => form[`day:${day}`] !== undefined);
  const ofDays = days.length === WEEKDAYS.length ? {} : { days };
  return { timezone: hoursZone, windows: [{ ...ofDays, from, until }] };
}

/** The field of a path of the request. */
export function hoursField(path: string): string {
  return path
    .replace(/^sendingWindows\.timezone$/, 'hoursZone')
    .replace(/^sendingWindows\.windows\[0\]\.(?:days.*|from)$/, 'from')
    .replace(/^sendingWindows\.windows\[0\]\.until$/, 'until');
}

/** `Mon, Tue 09:00–18:00, Europe/Lisbon` */
export function hoursWords({ timezone, windows, holidays = [] }: SendingHours): string {
  const all = windows.map(({ days, from, until }) => {
    const named = days === undefined ? 'daily' : days.map((day) => DAY_NAMES[day]).join(', ');
    return `${named} ${from}–${until}`;
  });
  const zone = timezone === RECIPIENT_TIMEZONE ? OF_RECIPIENTS : timezone;
  return [...all, zone, ...(holidays.length === 0 ? [] : [`not on ${holidays.length} holidays`])].join(', ');
}

export function HoursFields({ locale, typed, refusal }: { locale: Locale; typed: Form; refusal: Refusal | undefined }) {
  const zones = new Set([typed['hoursZone'] ?? locale.timezone ?? 'UTC', locale.timezone ?? 'UTC', RECIPIENT_TIMEZONE]);
  const time = (name: 'from' | 'until', label: string) => (
    <Field name={name} label={label} refusal={refusal}>
      <input id={name} name={name} type="time" value={typed[name]} {...described(name, refusal)} />
    </Field>
  );
  return (
    <fieldset>
      <legend>Hours</legend>
      <p class="hint">Without times it sends whenever its accounts do.</p>
      <div class="hours">
        {time('from', 'From')}
        {time('until', 'Until')}
        <Field name="hoursZone" label="Clock" refusal={refusal}>
          <select id="hoursZone" name="hoursZone" {...described('hoursZone', refusal)}>
            {[...zones].map((zone) => (
              <option value={zone} selected={zone === typed['hoursZone']}>
                {zone === RECIPIENT_TIMEZONE ? OF_RECIPIENTS : zone}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <div class="days">
        {WEEKDAYS.map((day) => (
          <label>
            <input type="checkbox" name={`day:${day}`} value="yes" checked={typed[`day:${day}`] !== undefined} />{' '}
            {DAY_NAMES[day]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
