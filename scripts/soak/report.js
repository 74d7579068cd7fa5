// The account of a soak in words, and why it failed.

/**
 * @typedef {Awaited<ReturnType<typeof import('./account.js').accountFor>>} Account
 * @typedef {{ account: Account, verdicts: readonly import('./flat.js').Verdict[], troubles: Readonly<Record<string, number>>,
 *   resolved: number, counts: Readonly<Record<string, number>> }} Facts
 */

/** @param {Facts & { surprises: readonly string[] }} facts  @returns {string[]} */
export function failuresOf({ account, verdicts, surprises }) {
  const findings = /** @type {const} */ ({
    lost: account.lost,
    'sent twice': account.sentTwice,
    'wrongly presumed not accepted, and sent twice': account.resentTwice,
    'unresolved although the gateway had accepted them': account.unresolvedAccepted,
    'unresolved, and never accepted': account.unresolvedNeverAccepted,
    unexplained: account.unexplained,
    'wrong statements of campaigns': account.campaigns.wrong,
  });
  return [
    ...Object.entries(findings).flatMap(([what, found]) =>
      found.length === 0
        ? []
        : [
            `${found.length} ${what}: ${found
              .slice(0, 5)
              .map(({ id, why }) => `${id} (${why})`)
              .join(', ')}`,
          ],
    ),
    ...(account.acknowledged < account.messages ? [`${account.messages - account.acknowledged} not acknowledged`] : []),
    ...account.wrong.slice(0, 10),
    ...verdicts
      .filter(({ isFlat }) => !isFlat)
      .map(({ what, saw, bound }) => `${what} is not flat: ${saw}; the bound is ${bound}`),
    ...new Set(surprises),
  ];
}

/** @param {Facts & { failures: readonly string[], minutes: number, seconds: number }} facts  @returns {string[]} */
export function reportLines({ account, verdicts, troubles, resolved, counts, failures, minutes, seconds }) {
  const { campaigns } = account;
  const states = Object.entries(campaigns.states).map(([state, count]) => `${count} ${state}`);
  return [
    '',
    row(
      'messages',
      account.messages,
      `${account.acknowledged} acknowledged, ${account.ofSchedules} single ones of schedules`,
    ),
    row(
      'delivered',
      account.delivered,
      `on a phone, and accepted in the ledger; ${account.withoutReceipt} without receipt`,
    ),
    row('lost', account.lost.length),
    row('sent twice', account.sentTwice.length + account.resentTwice.length),
    row('unexplained', account.unexplained.length),
    row('resolved', resolved, 'by an operator, after their outcome was not known for two minutes'),
    row('campaigns', campaigns.campaigns, `${campaigns.recipients} recipients; ${states.join(', ')}`),
    ...counted(counts),
    '',
    ...counted(troubles),
    '',
    ...verdicts.map(({ what, saw, bound, isFlat }) => `${isFlat ? 'flat' : 'NOT '}  ${what}: ${saw}; bound ${bound}`),
    '',
    ...(failures.length === 0
      ? [`Endured ${minutes} minutes, in ${seconds.toFixed(0)} s: nothing lost, nothing sent twice, everything flat.`]
      : ['FAILED:', ...failures.map((failure) => `  ${failure}`)]),
  ];
}

/** @param {Readonly<Record<string, number>>} counts */
const counted = (counts) => Object.entries(counts).map(([name, count]) => row(name, count));

/** @param {string} name  @param {number} value */
function row(name, value, remark = '') {
  return `${name.padEnd(42)}${String(value).padStart(8)}   ${remark}`.trimEnd();
}
