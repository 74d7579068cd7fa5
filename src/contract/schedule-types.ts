/** Types of schedules that follow from the schemas of the edges. */
import type { CampaignDefinition } from './campaign-types.js';
import type { CampaignId, MessageId } from './ids.js';
import type { MessageContent, MessageRequest } from './message.js';
import type { ScheduleId } from './schedule.js';
import type { scheduleDefinitionFields, scheduleRunSchema, Shape, ShapeOf } from './schemas.js';

/** What each run sends. The schedule says when, and what becomes of a missed start. */
export type ScheduledCampaign = Omit<CampaignDefinition, 'startAt' | 'missedStart' | 'graceTime' | 'deadline'>;

/** The one message of each run, which is sent at its time. */
export interface ScheduledMessage extends Omit<MessageRequest, 'chatId' | 'content' | 'sendAt' | 'expiresAt'> {
  /** A chat id. Absent for a status. */
  readonly to?: string;
  readonly content: MessageContent;
  /** A duration: never posted later than this after its time. @default '24h' */
  readonly expiresIn?: string;
}

/** Each run sends either a campaign to the recipients of its moment, or one message. */
export type ScheduleDefinition = Omit<ShapeOf<typeof scheduleDefinitionFields>, 'campaign' | 'message'> & {
  readonly campaign?: ScheduledCampaign;
  readonly message?: ScheduledMessage;
};

/** The account that it sends through. */
export function instanceOfSchedule({ campaign, message }: ScheduleDefinition): string {
  return (message ?? campaign)?.instance ?? '';
}

/** Times of a calendar, in cron's notation for each field: `9`, `9,17`, `MON-FRI`, `*`. */
export type ScheduleCalendar = NonNullable<ScheduleDefinition['calendars']>[number];

/** Where the recipients of each run are read from. */
export type ScheduleRecipients = NonNullable<ScheduleDefinition['recipients']>;

/** Read on the worker's machine at the moment of use; never shown. */
export type ConnectionReference = Extract<ScheduleRecipients, { readonly connection: unknown }>['connection'];

/** One occurrence of a schedule, or one that an operator asked for. */
export type ScheduleRun = Shape<typeof scheduleRunSchema> & {
  readonly scheduleId: ScheduleId;
  readonly campaignId?: CampaignId;
  readonly messageId?: MessageId;
};
