/** What the API answers about campaigns besides their progress: lists, the plan and the report. */
import { z } from 'zod';
import { amendmentSchema, audienceSchema, campaignSchema, campaignStateSchema } from '../../contract/schemas.js';
import { REPORT_FIELDS } from '../../ledger/index.js';
import { PLAN_PERIODS, PLANNED_REASONS } from '../../domain/index.js';
import { count, time, type Shape } from './fields.js';

export const campaignListSchema = z
  .object({ items: z.array(campaignSchema), cursor: z.string().optional() })
  .meta({ id: 'CampaignList' });

const problems = z.array(z.object({ path: z.string(), message: z.string() }));

export const planPeriodSchema = z.enum(PLAN_PERIODS);

export const campaignPlanSchema = z
  .object({
    id: z.string(),
    instance: z.string(),
    state: campaignStateSchema,
    audience: count,
    imported: audienceSchema.optional(),
    missing: z
      .array(z.object({ variable: z.string(), recipients: count, firstLine: count }))
      .describe('Variables without a fallback that a recipient has no value for: the campaign does not start'),
    refused: z
      .object({ recipients: count, firstLine: count.optional(), problems })
      .describe('Recipients whose message the gateway would refuse; they end rejected'),
    suppressed: z
      .object({ recipients: count, firstLine: count.optional() })
      .describe('Recipients on the suppression list; they end suppressed, unless they are taken off it before'),
    overFrequencyCap: z
      .object({ recipients: count, firstLine: count.optional() })
      .describe("Recipients who have had as many marketing messages as the instance's frequencyCap allows; as of now"),
    samples: z.array(
      z.object({ line: count, chatId: z.string(), content: z.record(z.string(), z.unknown()), problems }),
    ),
    forecast: z.object({
      recipients: count,
      depth: count.optional(),
      // estimated: from the last reading and what came and went since
      depthFrom: z.enum(['read', 'estimated']).optional(),
      depthReadAt: time.optional(),
      releaseIntervalMs: z.number(),
      // learned: from the queue while others were sent to; settings: what the account is set to
      intervalFrom: z.enum(['learned', 'settings', 'assumed']),
      startsAt: time,
      finishesAt: time
        .optional()
        .describe("When the last one leaves the gateway's queue, if nothing else is sent. Absent when none is posted"),
      durationSeconds: count.describe('From the start to that'),
      notPosted: count.describe('Recipients who are not posted to before the deadline; they end expired'),
      timezone: z.string().describe('By whose clock the rows are'),
      by: planPeriodSchema,
      rows: z
        .array(z.object({ from: time, until: time, posted: count, left: count.describe('Released by the queue') }))
        .describe('Hours or days in which something is posted or leaves'),
      waits: z
        .array(z.object({ from: time, until: time, reason: z.enum(PLANNED_REASONS) }))
        .describe('When nothing is posted, and why'),
    }),
    warnings: z.array(z.object({ code: z.string(), text: z.string() })),
    canStart: z.boolean(),
  })
  .meta({ id: 'CampaignPlan' });

export type CampaignPlan = Shape<typeof campaignPlanSchema>;
export type PlanSample = CampaignPlan['samples'][number];
export type Forecast = CampaignPlan['forecast'];

export const amendmentListSchema = z.object({ items: z.array(amendmentSchema) }).meta({ id: 'AmendmentList' });

export const reportRowSchema = z.object(REPORT_FIELDS).meta({ id: 'ReportRow' });

export const reportPageSchema = z
  .object({ items: z.array(reportRowSchema), cursor: z.string().optional() })
  .meta({ id: 'ReportPage' });
