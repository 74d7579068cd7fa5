import { expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import {
  campaignPlanSchema,
  campaignSchema,
  type campaignProgressSchema,
  type importedSchema,
} from '../../src/starter/http/campaign-responses.js';
import type { CampaignPlan, ShownCampaign } from '../../src/starter/index.js';

it('the document describes what is really answered about campaigns', () => {
  // Lists are left out: theirs are readonly, a schema's are not.
  type Lists = 'missing' | 'refused' | 'samples' | 'warnings';
  type Described = z.input<typeof campaignSchema>;
  expectTypeOf<Omit<ShownCampaign, 'definition'>>().toExtend<Omit<Described, 'definition'>>();
  expectTypeOf<ShownCampaign>().toExtend<Omit<z.input<typeof campaignProgressSchema>, 'definition'>>();
  expectTypeOf<Omit<CampaignPlan, Lists>>().toExtend<Omit<z.input<typeof campaignPlanSchema>, Lists>>();
  expectTypeOf<NonNullable<ShownCampaign['imported']> & { unchanged: boolean }>().toExtend<
    z.input<typeof importedSchema>
  >();
  expect(Object.keys(campaignPlanSchema.shape)).toEqual(expect.arrayContaining(['missing', 'refused', 'samples']));
  expect(Object.keys(campaignSchema.shape)).toEqual(expect.arrayContaining(['counts', 'imported', 'importing']));
});
