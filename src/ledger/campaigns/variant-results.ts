import { sql } from 'kysely';
import {
  MESSAGE_STATES,
  type MessageState,
  present,
  statesIn,
  type CampaignView,
  type VariantResults,
  zeroOfEach,
} from '../../contract/index.js';
import { comparisonOf, wilson } from '../../domain/index.js';
import type { Db } from '../storage/store.js';
import type { CampaignRow } from './campaign-row.js';

/** Posted, and more than that is known. */
const POSTED = [...statesIn('accepted', 'taken', 'undeliverable'), 'rejected'] as const;
const FAILED = [...statesIn('undeliverable'), 'rejected'] as const;

/** What a campaign's view says about its variants; nothing for a campaign without them. */
export async function variantsOf(
  db: Db,
  row: CampaignRow,
): Promise<Pick<CampaignView, 'variants' | 'winner' | 'holdOut' | 'comparison'>> {
  const { variants, winner, definition } = row;
  const { holdOut } = definition;
  if (variants === null) return present({ holdOut });
  const results = await resultsOf(db, row);
  const shown = variants.map((variant) => ({ ...variant, results: results(variant.name) }));
  const comparison = comparisonOf(shown.map(({ name, results: own }) => ({ name, ...own })));
  return { variants: shown, comparison, ...present({ winner, holdOut }) };
}

async function resultsOf(db: Db, { id }: CampaignRow): Promise<(variant: string) => VariantResults> {
  const counted = await sql<{ variant: string; state: MessageState; recipients: number }>`/* variant_counts */
    select variant, state, sum(recipients)::integer as recipients from campaign_counts
    where campaign_id = ${id} and variant is not null group by 1, 2`.execute(db);
  const responded = await sql<{ variant: string; replied: number; optedOut: number }>`/* variant_responses */
    select variant, sum(replied)::integer as replied, sum(opted_out)::integer as "optedOut"
    from campaign_response_counts where campaign_id = ${id} group by 1`.execute(db);
  return (variant) => {
    const counts: Record<MessageState, number> = { ...zeroOfEach(MESSAGE_STATES) };
    for (const row of counted.rows) if (row.variant === variant) counts[row.state] += row.recipients;
    const sum = (states: readonly MessageState[]) => states.reduce((total, state) => total + counts[state], 0);
    const { replied = 0, optedOut = 0 } = responded.rows.find((row) => row.variant === variant) ?? {};
    const posted = sum(POSTED);
    return {
      recipients: sum(MESSAGE_STATES) - counts.held_out,
      posted,
      delivered: wilson(sum(['delivered', 'read']), posted),
      read: wilson(counts.read, posted),
      replied: wilson(replied, posted),
      optedOut: wilson(optedOut, posted),
      failed: wilson(sum(FAILED), posted),
    };
  };
}
