import type { Ledger, AttemptToReconcile } from '../../ledger/index.js';

/** A rule of the send protocol that a run can switch off, to show that the run detects the errors. */
export const WEAKNESSES = ['claim', 'reconciler'] as const;
export type Weakness = (typeof WEAKNESSES)[number];

/** The ledger without that rule. */
export function weakened(ledger: Ledger, weakness: Weakness): Ledger {
  const { dispatch, views, reconciling } = ledger;
  if (weakness === 'reconciler') {
    // A message whose response was lost becomes unresolved, and the evidence is ignored.
    const markUnresolved = (attempt: AttemptToReconcile, nowMs: number) =>
      reconciling.markUnresolved(attempt, 'reconciler_switched_off', nowMs);
    return changed(ledger, {
      reconciling: changed(reconciling, {
        adopt: (attempt, _idMessage, _evidence, nowMs) => markUnresolved(attempt, nowMs),
        makePending: (attempt, _what, _evidence, nowMs) => markUnresolved(attempt, nowMs),
      }),
    });
  }
  // A new shift treats the POSTs under way at the end of the last shift as not accepted, and posts them again.
  return changed(ledger, {
    dispatch: changed(dispatch, {
      async beginShift(shift, nowMs) {
        const begun = await dispatch.beginShift(shift, nowMs);
        if (!begun.granted) return begun;
        for (const id of begun.unknown) {
          const token = (await views.message(id, nowMs))?.attempts.at(-1)?.token;
          if (token === undefined) continue;
          const outcome = { kind: 'not_accepted', code: 'GATEWAY_UNREACHABLE' } as const;
          await dispatch.recordOutcomes([{ token, outcome, atMs: nowMs }]);
        }
        return { ...begun, unknown: [] };
      },
    }),
  });
}

function changed<Part extends object>(part: Part, changes: Partial<Part>): Part {
  return new Proxy(part, {
    get(whole, name) {
      const value: unknown = Reflect.get(Object.hasOwn(changes, name) ? changes : whole, name);
      // A method is bound to its own object, since it may use private fields.
      return typeof value === 'function' ? (value.bind(whole) as unknown) : value;
    },
  });
}
