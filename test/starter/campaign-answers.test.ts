import { expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { CampaignView } from '../../src/ledger/index.js';
import {
  campaignPlanSchema,
  campaignSchema,
  type campaignProgressSchema,
  type importedSchema,
} from '../../src/starter/http/campaign-answers.js';
import type { CampaignPlan } from '../../src/starter/index.js';

it('the document describes what is really answered about campaigns', () => {
  // Lists are left out: theirs are readonly, a schema's are not.
  type Lists = 'missing' | 'refused' | 'samples' | 'warnings';
  type Described = z.input<typeof campaignSchema>;
  expectTypeOf<Omit<CampaignView, 'definition'>>().toExtend<Omit<Described, 'definition'>>();
  expectTypeOf<CampaignView>().toExtend<Omit<z.input<typeof campaignProgressSchema>, 'definition'>>();
  expectTypeOf<Omit<CampaignPlan, Lists>>().toExtend<Omit<z.input<typeof campaignPlanSchema>, Lists>>();
  expectTypeOf<NonNullable<CampaignView['imported']> & { unchanged: boolean }>().toExtend<
    z.input<typeof importedSchema>
  >();
  expect(Object.keys(campaignPlanSchema.shape)).toEqual(expect.arrayContaining(['missing', 'refused', 'samples']));
  expect(Object.keys(campaignSchema.shape)).toEqual(expect.arrayContaining(['counts', 'imported', 'importing']));
});
