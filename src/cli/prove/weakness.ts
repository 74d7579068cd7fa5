import type { ClaimResult, Ledger, OpenQuestion } from '../../ledger/index.js';

/** A rule of the send protocol that a run can do without, to show that the run would notice. */
export const WEAKNESSES = ['claim', 'reconciler'] as const;
export type Weakness = (typeof WEAKNESSES)[number];

/** The ledger as it would be without that rule. */
export function weakened(ledger: Ledger, weakness: Weakness): Ledger {
  switch (weakness) {
    case 'claim':
      return changed(ledger, { messages: withoutClaim(ledger.messages) });
    case 'reconciler':
      return changed(ledger, { reconciling: withoutReconciler(ledger.reconciling) });
  }
}

/** Every claim may post, also when an attempt of the row is under way or it is unknown what became of it. */
function withoutClaim(messages: Ledger['messages']): Ledger['messages'] {
  return changed(messages, {
    async claim(input): Promise<ClaimResult> {
      const result = await messages.claim(input);
      if (result.kind !== 'sending') return result;
      const row = await messages.view(input.id);
      const token = row?.attempts.at(-1)?.token;
      if (row === undefined || token === undefined) return result;
      const { instance, chatId, content, version } = row;
      const { postingDeadlineMs } = input;
      const attempt = { token, instance, content, postingDeadlineMs };
      return { kind: 'claimed', attempt: chatId === undefined ? attempt : { ...attempt, chatId }, version };
    },
  });
}

/** Whatever the witnesses say, a message whose response was lost is unresolved. */
function withoutReconciler(reconciling: Ledger['reconciling']): Ledger['reconciling'] {
  const markUnresolved = (question: OpenQuestion, nowMs: number) =>
    reconciling.markUnresolved(question, 'reconciler_switched_off', nowMs);
  return changed(reconciling, {
    adopt: (question, _idMessage, _evidence, nowMs) => markUnresolved(question, nowMs),
    makePending: (question, _what, _evidence, nowMs) => markUnresolved(question, nowMs),
  });
}

function changed<Part extends object>(part: Part, changes: Partial<Part>): Part {
  return new Proxy(part, {
    get(whole, name) {
      const value: unknown = Reflect.get(Object.hasOwn(changes, name) ? changes : whole, name);
      // Methods of a class keep their own object, private fields included.
      return typeof value === 'function' ? (value.bind(whole) as unknown) : value;
    },
  });
}
