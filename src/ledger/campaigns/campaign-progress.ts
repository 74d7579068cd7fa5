/** Reading a campaign's row, and what it says to operators and workflows. */
import { type CampaignProgress, type Priority, present } from '../../contract/index.js';
import { iso } from '../storage/statements.js';
import type { Db } from '../storage/store.js';
import { countedTally } from '../dispatch/campaign-counts.js';
import { dispatcherView } from '../dispatch/served.js';
import type { Tally } from './campaign-tally.js';
import { whyWaiting } from './why-waiting.js';
import type { CampaignRow } from './campaign-row.js';

/** @param tally  of this very row, where it was added up just now */
export async function progressOf(db: Db, row: CampaignRow, nowMs: number, tally?: Tally): Promise<CampaignProgress> {
  const counted = tally ?? (await countedTally(db, row));
  const { depth, depthReadAt, releaseIntervalMs } = await dispatcherView(db, row.instance);
  return {
    id: row.id,
    version: row.version,
    commandSequence: Number(row.command_asked),
    instance: row.instance,
    state: row.state,
    priority: row.priority as Priority,
    audience: row.audience,
    counts: counted.counts,
    highWater: row.high_water,
    ...present({
      name: row.name,
      depth,
      queueReadAt: depthReadAt,
      releaseIntervalMs,
      startAt: iso(row.start_at),
      startMissedAt: iso(row.start_missed_at),
      startedAt: iso(row.started_at),
      endedAt: iso(row.ended_at),
      deadlineAt: iso(row.deadline_at),
      waiting: await whyWaiting(db, row, counted, nowMs),
    }),
  };
}
