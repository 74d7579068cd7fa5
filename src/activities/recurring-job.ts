import { AppError, ErrorNext, gatewayTimeMs, type Clock, type JobInput, type RecurringJob } from '../contract/index.js';
import { groupDataOf } from '../domain/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { withoutSecrets } from './operation-activities.js';

/** The gateway shows the stories of one day. */
const MOST_MINUTES = 1_440;
/** Added to the time since the last run, since clocks may differ and a story may be shown late. */
const MORE_MINUTES = 10;

/**
 * Creates the activity for one run of a recurring job, see JOB-1. Temporal retries it while the gateway is unavailable.
 */
export function recurringJobActivity(deps: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>) {
  const { ledger, clock } = deps;
  return async ({ jobId }: JobInput): Promise<void> => {
    const job = await ledger.account.job(jobId);
    if (job === undefined || Date.parse(job.nextAt) > clock.nowMs()) return;
    try {
      if (job.kind === 'stories') await storeStories(deps, job);
      else if (job.groupId !== undefined) await storeGroup(deps, job.instance, job.groupId);
    } catch (error) {
      if (!(error instanceof AppError) || error.next !== ErrorNext.stop) throw error;
      // The gateway refuses the request now, e.g. for a group that the account has left. The next run tries again.
      await ledger.account.endRun(jobId, { problem: error.gatewayText ?? error.code }, clock.nowMs());
      return;
    }
    await ledger.account.endRun(jobId, {}, clock.nowMs());
  };
}

async function storeStories(
  { ledger, gateway, clock }: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
  { instance, lastAt }: RecurringJob,
): Promise<void> {
  const { response } = await gateway.call(instance, 'getIncomingStories', { minutes: minutesSince(lastAt, clock) });
  const nowMs = clock.nowMs();
  const stories = response.map((story) => ({
    idMessage: story.idMessage,
    atMs: gatewayTimeMs(story.timestamp, nowMs) ?? nowMs,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object stays one
    story: withoutSecrets(story) as Readonly<Record<string, unknown>>,
  }));
  await ledger.account.storeStories(instance, stories, nowMs);
}

function minutesSince(lastAt: string | undefined, clock: Clock): number {
  if (lastAt === undefined) return MOST_MINUTES;
  const minutes = Math.ceil((clock.nowMs() - Date.parse(lastAt)) / 60_000) + MORE_MINUTES;
  return Math.min(MOST_MINUTES, Math.max(1, minutes));
}

async function storeGroup(
  { ledger, gateway, clock }: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
  instance: string,
  groupId: string,
): Promise<void> {
  const { response } = await gateway.call(instance, 'getGroupData', { groupId });
  await ledger.account.storeSnapshot(instance, groupId, groupDataOf(response), clock.nowMs());
}
