import { instanceOfSchedule, type Finding, type ScheduleRun } from '../contract/index.js';
import { foundWith } from './finding.js';

type Owned = Parameters<typeof instanceOfSchedule>[0];

interface SeenSchedule extends Owned {
  readonly id: string;
  readonly problem?: string | undefined;
  readonly failure?: Pick<ScheduleRun, 'at' | 'state' | 'reason' | 'text'> | undefined;
  readonly blockedBy?: { readonly campaignId?: string; readonly messageId?: string } | undefined;
  readonly counts: Readonly<Record<'missed' | 'overlapped' | 'failed', number>>;
}

export interface ReadsSchedules {
  listSchedules(request: {
    readonly query: { readonly limit: number };
  }): Promise<{ readonly items: readonly SeenSchedule[] }>;
}

/** The newest ones; more than one page of schedules is rare. */
const MOST = 500;

/** Reports schedules that fail, or whose times are skipped because an earlier campaign has not ended. */
export function checkSchedules(api: ReadsSchedules): Promise<readonly Finding[]> {
  return foundWith('schedules', 'which schedules fail', async () =>
    (await api.listSchedules({ query: { limit: MOST } })).items.flatMap(scheduleFindings),
  );
}

function scheduleFindings({ id, problem, failure, blockedBy, counts, ...owned }: SeenSchedule): Finding[] {
  const about = { subject: `schedule ${id}`, instance: instanceOfSchedule(owned) };
  const findings: Finding[] = [];
  const total = `${counts.missed} missed and ${counts.failed} failed in all`;
  if (problem !== undefined) {
    const remedy = `It does not run. Change it: everpost schedule update ${id}`;
    findings.push({ ...about, verdict: 'broken', found: problem, remedy });
  }
  if (failure !== undefined) {
    const { at, state, reason, text = reason } = failure;
    const isRetried = state === 'pending';
    const found = `its run at ${at} ${isRetried ? 'fails and is retried' : state === 'missed' ? 'was missed' : 'failed'}: ${text}; ${total}`;
    const remedy = isRetried
      ? `Correct it: everpost schedule show ${id}`
      : `Run it now: everpost schedule trigger ${id}`;
    findings.push({ ...about, verdict: 'broken', found, remedy });
  }
  if (blockedBy !== undefined && counts.overlapped > 0) {
    const blocking = blockedBy.campaignId ?? blockedBy.messageId;
    const found = `${counts.overlapped} of its times were skipped because an earlier one had not ended; ${blocking} has not ended`;
    const remedy = `Look at it: everpost ${blockedBy.campaignId === undefined ? 'message' : 'campaign'} show ${blocking}`;
    findings.push({ ...about, verdict: 'advice', found, remedy });
  }
  return findings;
}
