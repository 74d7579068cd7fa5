import { z } from 'zod';
import { audienceSchema, campaignStateSchema, count, time, type Shape } from '../../contract/schemas.js';
import { PLAN_PERIODS, PLANNED_REASONS } from '../../domain/index.js';

const problems = z.array(z.object({ path: z.string(), message: z.string() }));

export const planPeriodSchema = z.enum(PLAN_PERIODS);

export const campaignPlanSchema = z
  .object({
    id: z.string(),
    instance: z.string(),
    instances: z.array(z.string()).optional().describe('The accounts, if they are several'),
    state: campaignStateSchema,
    audience: count,
    imported: audienceSchema.optional(),
    unknown: problems.describe('Variables that are no column of the recipients. The campaign does not start'),
    missing: z
      .array(z.object({ variable: z.string(), recipients: count, firstLine: count }))
      .describe('Variables without a fallback for which a recipient has no value. The campaign does not start'),
    refused: z
      .object({ recipients: count, firstLine: count.optional(), problems })
      .describe('Recipients whose message the gateway would reject. They end rejected'),
    heldOut: z
      .object({ recipients: count, firstLine: count.optional() })
      .describe('Recipients that the campaign leaves out by `holdOut`. They end held_out'),
    suppressed: z
      .object({ recipients: count, firstLine: count.optional() })
      .describe('Recipients on the suppression list. They end suppressed unless they are removed from the list before'),
    overFrequencyCap: z
      .object({ recipients: count, firstLine: count.optional() })
      .describe("Recipients who have reached the instance's frequencyCap for marketing messages. They end suppressed"),
    samples: z.array(
      z.object({
        line: count,
        chatId: z.string(),
        content: z.record(z.string(), z.unknown()),
        problems,
        variant: z.string().optional().describe("The variant of the campaign's content that it is"),
        heldOut: z.boolean().optional().describe('True if the recipient is left out by `holdOut`'),
        posted: z
          .enum(['current', 'former', 'own'])
          .optional()
          .describe(
            'For a recipient who was posted to: which text the recipient has. `own`: the message was edited by itself',
          ),
      }),
    ),
    forecast: z.object({
      recipients: count,
      depth: count.optional(),
      // `estimated`: computed from the last reading, and the posts and releases since.
      depthFrom: z.enum(['read', 'estimated']).optional(),
      depthReadAt: time.optional(),
      releaseIntervalMs: z.number(),
      // `learned`: from the gateway's queue while earlier messages were sent. `settings`: from the account's settings.
      intervalFrom: z.enum(['learned', 'settings', 'assumed']),
      startsAt: time,
      finishesAt: time
        .optional()
        .describe(
          "When the last message leaves the gateway's queue, if nothing is added to what campaigns of the accounts have now. Absent if none is posted",
        ),
      durationSeconds: count.describe('Time from the start to `lastLeavesAt`'),
      accounts: z
        .array(
          z.object({
            instance: z.string(),
            recipients: count.describe('How many recipients it posts to'),
            releaseIntervalMs: z.number(),
            intervalFrom: z.enum(['learned', 'settings', 'assumed']),
          }),
        )
        .describe('What each account carries'),
      withOneMore: z
        .object({ finishesAt: time })
        .optional()
        .describe('When the last message would leave with one more account like the fastest one'),
      notPosted: count.describe('Recipients who are not posted to before the deadline. They end expired'),
      timezone: z.string().describe('Timezone of the rows'),
      by: planPeriodSchema,
      rows: z
        .array(
          z.object({
            from: time,
            until: time,
            posted: count,
            left: count.describe("Messages that leave the gateway's queue"),
          }),
        )
        .describe('Periods in which a message is posted or leaves the queue'),
      waits: z
        .array(z.object({ from: time, until: time, reason: z.enum(PLANNED_REASONS) }))
        .describe('Times without posts, and why'),
    }),
    warnings: z.array(z.object({ code: z.string(), text: z.string() })),
    canStart: z.boolean(),
  })
  .meta({ id: 'CampaignPlan' });

export type CampaignPlan = Shape<typeof campaignPlanSchema>;
export type PlanSample = CampaignPlan['samples'][number];
export type Forecast = CampaignPlan['forecast'];
