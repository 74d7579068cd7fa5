// Creates messages in the state after the gateway accepted them: stored, claimed by a shift and with a recorded
// outcome, as by the dispatcher. The shifts end with the last message.

const ROOM = { urgent: 1_000, high: 1_000, normal: 1_000, low: 1_000 };
/** Messages of an instance in one tick. */
const IN_ONE_TICK = 20;
/** Messages stored in one statement. */
const IN_ONE_PART = 1_000;

/** @typedef {import('../dist/contract/index.js').MessageId} MessageId */
/** @typedef {{ id: MessageId, instance: string, chatId: string, text: string, idMessage: string }} Accepted */

/**
 * @param {import('../dist/ledger/index.js').Ledger} ledger
 * @param {readonly Accepted[]} messages  at most one for each chat of an instance
 */
export async function seedAccepted(ledger, messages) {
  const nowMs = Date.now();
  for (let first = 0; first < messages.length; first += IN_ONE_PART) {
    await Promise.all(
      messages.slice(first, first + IN_ONE_PART).map(({ id, instance, chatId, text }) =>
        ledger.intake.open({
          id,
          requestHash: 'bench',
          request: { instance, chatId, content: { kind: 'text', text } },
          expiresAtMs: nowMs + 86_400_000,
          nowMs,
        }),
      ),
    );
  }
  const idMessages = new Map(messages.map(({ id, idMessage }) => [id, idMessage]));
  const shifts = [...new Set(messages.map(({ instance }) => instance))].map(aShift);
  await Promise.all(shifts.map((shift) => ledger.dispatch.beginShift(shift, nowMs)));
  /** @type {import('../dist/ledger/index.js').Outcome[]} */
  let outcomes = [];
  let open = messages.length;
  while (open > 0 || outcomes.length > 0) {
    const { claimed } = await ledger.dispatch.tick(aTick(shifts, outcomes, IN_ONE_TICK));
    if (claimed.length === 0 && outcomes.length === 0) throw new Error(`${open} messages could not be claimed.`);
    open -= claimed.length;
    outcomes = claimed.map(({ token, messageId }) => acceptance(token, idMessages.get(messageId) ?? ''));
  }
  await Promise.all(shifts.map((shift) => ledger.dispatch.endShift(shift, Date.now())));
}

/**
 * @param {string} instance
 * @returns {import('../dist/ledger/index.js').Shift}
 */
export function aShift(instance) {
  return { instance, try: { run: 'bench', shift: 1, attempt: 1 }, worker: 'bench' };
}

/**
 * @param {readonly import('../dist/ledger/index.js').Shift[]} shifts
 * @param {readonly import('../dist/ledger/index.js').Outcome[]} outcomes
 * @param {number} free  the most messages of each instance
 * @returns {import('../dist/ledger/index.js').Tick}
 */
export function aTick(shifts, outcomes, free) {
  const nowMs = Date.now();
  const deadlines = { postingDeadlineMs: nowMs + 5_000, reconcileAfterMs: nowMs + 35_000 };
  return {
    wants: shifts.map((shift) => ({ shift, free, room: ROOM, busyRecipients: [], lowerFirst: false, ...deadlines })),
    outcomes,
    nowMs,
  };
}

/**
 * @param {string} token
 * @param {string} idMessage
 * @returns {import('../dist/ledger/index.js').Outcome}
 */
export function acceptance(token, idMessage) {
  return { token, outcome: { kind: 'accepted', idMessage, httpStatus: 200 }, atMs: Date.now() };
}
