import { describe, expect, it } from 'vitest';
import { account, type AskedMessage } from '../../../src/tools/prove/account/account.js';
import type { PlannedMessage } from '../../../src/tools/prove/plan/plan.js';
import type { MessageId } from '../../../src/contract/index.js';
import type { MessageView } from '../../../src/ledger/index.js';
import type { DeliveredMessage } from '../../../src/simulator/index.js';

const TEXT = 'Order 1 is ready.';
const NEW_TEXT = 'Order 1 is ready (change 1).';
const EDIT = { idempotencyKey: 'key-1-edit-1', text: NEW_TEXT, afterMs: 0 };

const IDS = ['a', 'b'] as MessageId[];

/** Messages `a` and `b`, for each of which an edit was requested, and what the ledger and the phone know of them. */
interface Scene {
  /** @default one message for each row */
  readonly asked?: readonly Partial<PlannedMessage>[];
  readonly rows?: readonly Partial<MessageView>[];
  /** The gateway's ids of the messages on the phone, with a text that is not the usual one. */
  readonly phone?: readonly (string | readonly [id: string, text: string])[];
}

function asked(changes: Partial<PlannedMessage>, id?: MessageId): AskedMessage {
  const text = { to: '15550000001', text: TEXT, onUnknown: 'manual' as const, edits: [EDIT], afterMs: 0 };
  const planned = { number: 1, instance: 'main', idempotencyKey: 'key-1', ...text, ...changes };
  return id === undefined ? { planned } : { planned, id };
}

function row(id: MessageId, changes: Partial<MessageView>): [MessageId, MessageView] {
  return [id, { id, state: 'delivered', evidence: [], attempts: [], edits: [], ...changes } as unknown as MessageView];
}

function onPhone(shown: string | readonly [id: string, text: string]): DeliveredMessage {
  const [idMessage, text] = typeof shown === 'string' ? [shown, TEXT] : shown;
  return { idMessage, chatId: '15550000001@c.us', text } as DeliveredMessage;
}

function accountOf({ rows = [], asked: messages = rows.map(() => ({})), phone = [] }: Scene) {
  return account(
    messages.map((changes, at) => asked(changes, IDS[at])),
    new Map(rows.map((changes, at) => row(IDS[at] as MessageId, changes))),
    phone.map(onPhone),
  );
}

/** The findings by kind: only their ids. */
function found(scene: Scene): Record<string, string[]> {
  const kinds = Object.entries(accountOf(scene)).filter(
    ([, findings]) => Array.isArray(findings) && findings.length > 0,
  );
  return Object.fromEntries(
    kinds.map(([kind, findings]) => [kind, (findings as { id: string }[]).map(({ id }) => id)]),
  );
}

function edited(state: MessageView['edits'][number]['state']): Partial<MessageView> {
  return { idMessage: 'A', edits: [{ id: 'edt_1' as never, state, text: NEW_TEXT, requestedAt: '' }] };
}

const A = { idMessage: 'A' };
const B = { idMessage: 'B' };
const UNRESOLVED = { state: 'unresolved' } as const;
const BEHIND = { state: 'pending', waiting: { code: 'MESSAGE_CLAIMED_ELSEWHERE', since: '', identical: IDS[0] } };

const ACCEPTED_STATES = ['accepted', 'sent', 'delivered', 'read'] as const;
const ENDED_STATES = ['rejected', 'expired', 'cancelled', 'failed', 'no_account'] as const;

/** Proves ACCOUNT-1 to ACCOUNT-4. */
describe('the account of messages', () => {
  it.each<readonly [title: string, scene: Scene]>([
    ...ACCEPTED_STATES.map(
      (state) => [`${state} and on the phone`, { rows: [{ state, ...A }], phone: ['A'] }] as const,
    ),
    ...ENDED_STATES.map((state) => [`${state} and not on the phone`, { rows: [{ state }] }] as const),
    ['identical, each with its own delivery', { rows: [A, B], phone: ['B', 'A'] }],
    ['edited, with the new text', { rows: [edited('edited')], phone: [['A', NEW_TEXT]] }],
    ['refused to be edited, with the old text', { rows: [edited('refused')], phone: ['A'] }],
    ['unconfirmed in its edit, with the old text', { rows: [edited('unconfirmed')], phone: ['A'] }],
    ['unconfirmed in its edit, with the new text', { rows: [edited('unconfirmed')], phone: [['A', NEW_TEXT]] }],
    ['accepted, with an edit that waits', { rows: [{ ...edited('pending'), state: 'accepted' }], phone: ['A'] }],
  ])('is in order when it is %s', (_, scene) => {
    expect(found(scene)).toEqual({});
  });

  it.each<readonly [kind: string, ids: readonly string[], title: string, scene: Scene]>([
    ['lost', ['a'], 'it is accepted and on no phone', { rows: [{ ...A, state: 'accepted' }] }],
    ['lost', ['a'], 'it is delivered and on no phone', { rows: [A] }],
    ['lost', ['a'], 'it is still pending at the end', { rows: [{ state: 'pending' }] }],
    ['lost', ['a'], 'it is still sending at the end', { rows: [{ state: 'sending' }] }],
    ['lost', ['a'], 'it was acknowledged and has no row', { asked: [{}] }],
    ['lost', ['b'], 'two rows claim one delivery', { rows: [A, A], phone: ['A'] }],
    ['sentTwice', ['a'], 'the phone has one more', { rows: [A], phone: ['A', 'B'] }],
    ['sentTwice', ['a'], 'the phone has a third of two', { rows: [A, B], phone: ['A', 'B', 'C'] }],
    ['sentTwice', ['a'], 'the second one shows an edit', { rows: [A], phone: ['A', ['B', NEW_TEXT]] }],
    [
      'resentTwice',
      ['a'],
      'the message permitted a repetition',
      { asked: [{ onUnknown: 'auto' }], rows: [A], phone: ['A', 'B'] },
    ],
    ['unresolvedAccepted', ['a'], 'it is unknown and on the phone', { rows: [{ state: 'unknown' }], phone: ['A'] }],
    ['unresolvedAccepted', ['a'], 'it is unresolved and on the phone', { rows: [UNRESOLVED], phone: ['A'] }],
    ['unresolvedAccepted', ['b'], 'no row claims the delivery', { rows: [A, UNRESOLVED], phone: ['A', 'B'] }],
    ['unresolvedNeverAccepted', ['a'], 'it is unknown and on no phone', { rows: [{ state: 'unknown' }] }],
    ['unresolvedNeverAccepted', ['b'], 'the other one has the delivery', { rows: [A, UNRESOLVED], phone: ['A'] }],
    ['unresolvedNeverAccepted', ['a', 'b'], 'an identical one is unresolved', { rows: [UNRESOLVED, BEHIND as never] }],
    ...(['rejected', 'cancelled', 'pending'] as const).map(
      (state) =>
        ['unexplained', ['a'], `it is ${state} and on the phone`, { rows: [{ state }], phone: ['A'] }] as const,
    ),
    ['unexplained', ['X'], 'it was never requested', { phone: [['X', 'Who is this?']] }],
    ['unexplained', ['a'], 'a successful edit is not shown', { rows: [edited('edited')], phone: ['A'] }],
    ['unexplained', ['a'], 'a refused edit is shown', { rows: [edited('refused')], phone: [['A', NEW_TEXT]] }],
    ['unexplained', ['a'], 'its edit never ended', { rows: [edited('posted')], phone: [['A', NEW_TEXT]] }],
  ])('is %s (%s) when %s', (kind, ids, _, scene) => {
    expect(found(scene)).toEqual({ [kind]: ids });
  });

  it('counts acknowledgements, deliveries and missing receipts', () => {
    const scene = { rows: [{ ...A, state: 'accepted' as const }, B], phone: ['A', 'B'] };
    expect(accountOf(scene)).toMatchObject({ messages: 2, acknowledged: 2, delivered: 2, withoutReceipt: 1 });
    const unacknowledged = account([asked({})], new Map(), []);
    expect(unacknowledged).toMatchObject({ messages: 1, acknowledged: 0, lost: [] });
  });

  it('shows why no witness could decide, in words if there are any', () => {
    const detail = { why: 'nothing_precedes', notPresumed: 'no_successor' };
    const evidence = [
      { at: '', witness: 'reconciler', what: 'unresolved', detail },
      { at: '', witness: 'edit', what: 'edit_requested' },
    ];
    expect(accountOf({ rows: [{ ...UNRESOLVED, evidence }] }).unresolvedNeverAccepted[0]?.why).toBe(
      'unresolved: no witness saw it, and the queue held no older message that could prove its absence; not presumed: no_successor',
    );
  });
});
