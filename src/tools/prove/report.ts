import type { Finding } from './account/account.js';
import { ENOUGH_MESSAGES, type Plan } from './plan/plan.js';
import type { Proof } from './prove.js';
import type { Stall } from './stall-meter.js';

/** How many percent may stay unresolved without an operator, if notifications arrive as documented. */
const MOST_UNRESOLVED_PERCENT = 2;
/** The report counts longer stalls. A due message should not wait longer than this after a kill. */
const LONG_STALL_MS = 10_000;
/** How many ids the table shows for one reason; `--json` shows all. */
const MOST_IDS = 5;

/** Why the run proves nothing, one phrase for each reason; empty if it succeeded. */
export function failuresOf(proof: Proof): readonly string[] {
  // A short run has too little history for a presumption.
  const mustResolve = proof.onUnknown === 'auto' && !proof.notificationFaults && proof.messages >= ENOUGH_MESSAGES;
  const notFired = [...proof.happened].filter(
    ([, { planned, fired, mayNotHappen = false }]) => fired < planned && !mayNotHappen,
  );
  return [
    ...(proof.finished ? [] : ['the time limit came before the end: raise --minutes']),
    ...(proof.acknowledged < proof.messages
      ? [`${proof.messages - proof.acknowledged} requests were not acknowledged`]
      : []),
    ...some(proof.lost, 'lost'),
    ...some(proof.sentTwice, 'sent twice'),
    ...some(proof.resentTwice, 'wrongly presumed not accepted, and sent twice'),
    ...some(proof.unresolvedAccepted, 'unresolved although the gateway had accepted them'),
    ...some(proof.unexplained, 'unexplained'),
    ...some(proof.campaigns.wrong, 'wrong statements of campaigns'),
    ...proof.kills.wrong.map(({ id, why }) => `instance ${id}: ${why}`),
    ...(mustResolve && unresolvedPercent(proof) > MOST_UNRESOLVED_PERCENT
      ? [`${unresolvedPercent(proof)} % unresolved; the limit is ${MOST_UNRESOLVED_PERCENT} %`]
      : []),
    ...proof.surprises,
    ...notFired.map(([name, { planned, fired }]) => `"${name}" was planned ${planned} times and happened ${fired}`),
  ];
}

function unresolvedPercent({ unresolvedAccepted, unresolvedNeverAccepted, messages }: Proof): number {
  const unresolved = unresolvedAccepted.length + unresolvedNeverAccepted.length;
  return messages === 0 ? 0 : Math.round((1000 * unresolved) / messages) / 10;
}

function some(findings: readonly Finding[], what: string): string[] {
  return findings.length === 0 ? [] : [`${findings.length} ${what}`];
}

export function proofTable(proof: Proof): readonly string[] {
  const { unresolvedAccepted, unresolvedNeverAccepted, kills } = proof;
  const { campaigns, recipients, states, wrong } = proof.campaigns;
  const stand = Object.entries(states).map(([state, count]) => `${count} ${state}`);
  const unresolved = unresolvedAccepted.length + unresolvedNeverAccepted.length;
  return [
    row('messages', proof.messages, `${proof.acknowledged} acknowledged`),
    row('delivered', proof.delivered, 'on a phone, and accepted in the ledger'),
    row('  without receipt', proof.withoutReceipt, 'accepted, but no receipt came'),
    row('lost', proof.lost.length),
    ...byReason(proof.lost),
    row('sent twice', proof.sentTwice.length),
    ...byReason(proof.sentTwice),
    row(
      'unknown, unresolved',
      unresolved,
      `${unresolvedNeverAccepted.length} never reached the gateway (${unresolvedPercent(proof)} % of all)`,
    ),
    ...byReason(unresolvedNeverAccepted),
    row('  of them accepted', unresolvedAccepted.length, 'by the gateway; a witness should have shown it'),
    ...byReason(unresolvedAccepted),
    row('unexplained', proof.unexplained.length),
    ...byReason(proof.unexplained),
    row('resent twice', proof.resentTwice.length, 'presumed not accepted'),
    ...byReason(proof.resentTwice),
    ...(campaigns === 0
      ? []
      : [
          row('campaigns', campaigns, [`${recipients} of the messages`, ...stand].join(', ')),
          row('  wrong about them', wrong.length),
          ...byReason(wrong),
        ]),
    row('kills', kills.kills, `${kills.hitWork} while messages waited or were being sent`),
    row(
      '  left in doubt',
      kills.inDoubt,
      `at most ${kills.mostInDoubt} by one kill; the limit (window + 4) is ${kills.mostAllowed}`,
    ),
    row('  longest takeover', inSeconds(kills.longestTakeoverMs)),
    ...stallRows(proof.stalls),
    '',
    ...[...proof.happened]
      .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
      .map(([name, { planned, fired }]) => `${name.padEnd(52)}${String(fired).padStart(4)} of ${planned}`),
  ];
}

function stallRows(stalls: readonly Stall[]): string[] {
  const [longest] = stalls;
  if (longest === undefined) return [row('longest stall', inSeconds(0))];
  const { instance, ms, since, waitedFor } = longest;
  const long = stalls.filter((one) => one.ms > LONG_STALL_MS).length;
  return [
    row(
      'longest stall',
      inSeconds(ms),
      `of ${instance}, since ${since}; ${long} stalls longer than ${LONG_STALL_MS / 1000} s`,
    ),
    ...waitedFor.map((wait) => row('  waited for', inSeconds(wait.ms), wait.what)),
  ];
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function row(name: string, value: number | string, remark = ''): string {
  return `${name.padEnd(20)}${String(value).padStart(8)}   ${remark}`.trimEnd();
}

/** One line for each reason: how many messages it applies to, and some of their ids. */
function byReason(findings: readonly Finding[]): string[] {
  const reasons = new Set(findings.map(({ why }) => why));
  return [...reasons].map((reason) => {
    const ids = findings.filter(({ why }) => why === reason).map(({ id }) => id);
    return `  ${String(ids.length).padStart(4)} ${reason}: ${ids.slice(0, MOST_IDS).join(', ')}${ids.length > MOST_IDS ? ', …' : ''}`;
  });
}

/** The proof and its failures as one JSON object. */
export function proofJson(proof: Proof): string {
  const failures = failuresOf(proof);
  return JSON.stringify({
    ok: failures.length === 0,
    failures,
    ...proof,
    happened: Object.fromEntries(proof.happened),
  });
}

/** The size of a plan as one line. */
export function planLine({ messages, campaigns }: Plan): string {
  const sizes = campaigns.map(({ recipients }) => recipients.length);
  const single = messages - sizes.reduce((sum, size) => sum + size, 0);
  const to = sizes.length === 0 ? 'no campaigns' : `${sizes.length} campaigns of ${sizes.join(', ')} recipients`;
  return `plan: ${single} single messages, ${to}`;
}
