import { present } from '../../contract/index.js';
import type { NotificationSummary, Oddity } from '../../ledger/index.js';
import type { ApiClient } from '../../client/index.js';
import { foundWith, type Finding } from './finding.js';

const DAY_MS = 24 * 60 * 60_000;
/** Notifications are applied at once, unless something fails. */
const WAITS_TOO_LONG_MS = 60_000;

/** What each oddity means, and what to do about it. */
const ODDITIES: Readonly<Record<Oddity, readonly [words: string, remedy?: string]>> = {
  cut: ['larger than 1 MB, of which only the beginning was kept'],
  malformed: [
    'no JSON, or without a typeWebhook',
    'Another program may be posting here. Set a webhookToken; where one is set already, replace it.',
  ],
  another_instance: [
    "of another account's idInstance, and not applied",
    "Correct that account's webhookUrl: each has an address of its own, /webhooks/NAME.",
  ],
  unknown_kind: ['of a kind that this version does not know'],
  incomplete: ['without their subject, e.g. a status without id'],
};

/** Which notifications the API's ledger has. */
export function checkNotifications(
  api: Pick<ApiClient, 'listNotifications'>,
  nowMs: number,
): Promise<readonly Finding[]> {
  return foundWith('webhooks', 'which notifications came', async () =>
    (await api.listNotifications()).items.flatMap((summary) => notificationFindings(summary, nowMs)),
  );
}

export function notificationFindings(summary: NotificationSummary, nowMs: number): Finding[] {
  const { instance, oddities, waiting, waitingSince, failed, lastFailure, quotaExceeded } = summary;
  const subject = `webhooks ${instance}`;
  const findings: Finding[] = [{ subject, verdict: 'ok', found: cameWords(summary) }];
  for (const [oddity, count] of Object.entries(oddities)) {
    const [words, remedy] = ODDITIES[oddity as Oddity] ?? [oddity];
    const found = `${count} in the last day ${words}`;
    findings.push({ subject, verdict: 'advice', found, ...present({ remedy }) });
  }
  if (waitingSince !== undefined && nowMs - Date.parse(waitingSince) > WAITS_TOO_LONG_MS) {
    const found = `${waiting} stored and not applied yet, the oldest since ${waitingSince}`;
    const remedy = "They are applied automatically once the ledger responds; the API's log says why they wait.";
    findings.push({ subject, verdict: 'advice', found, remedy });
  }
  if (failed > 0) {
    const newest = lastFailure === undefined ? '' : `; the newest came ${lastFailure.at}: ${lastFailure.problem}`;
    const found = `${failed} could not be applied and were set aside${newest}`;
    const remedy = `Apply them again, at the latest after an update: everpost notification replay --since 30d --instance ${instance}`;
    findings.push({ subject, verdict: 'broken', found, remedy });
  }
  const { pendingSignals, pendingSignalsSince } = summary;
  if (pendingSignalsSince !== undefined && nowMs - Date.parse(pendingSignalsSince) > WAITS_TOO_LONG_MS) {
    const found = `${pendingSignals} messages changed and their workflows are not signalled yet, the oldest since ${pendingSignalsSince}`;
    const remedy = "They are signalled automatically once Temporal responds; the API's log says why they wait.";
    findings.push({ subject, verdict: 'advice', found, remedy });
  }
  if (quotaExceeded !== undefined && nowMs - Date.parse(quotaExceeded.at) < DAY_MS) {
    const found = `a limit of the plan is reached, the gateway reports since ${quotaExceeded.at}`;
    findings.push({ subject, verdict: 'advice', found, remedy: "See the plan in the gateway's own console." });
  }
  return findings;
}

function cameWords({ came, repeats, lastAt }: NotificationSummary): string {
  if (lastAt === undefined) return 'no notification has come yet';
  if (came === 0) return `no notification in the last day; the last came ${lastAt}`;
  const again = repeats === 0 ? '' : `, ${repeats} came again`;
  return `${came} notifications in the last day${again}; the last ${lastAt}`;
}
