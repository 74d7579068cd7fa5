import { describe, expect, it } from 'vitest';
import { account, type Account, type AskedMessage } from '../../../../src/tools/prove/account/account.js';
import type { PlannedMessage } from '../../../../src/tools/prove/plan/plan.js';
import type { MessageId } from '../../../../src/contract/index.js';
import type { MessageView } from '../../../../src/ledger/index.js';
import type { DeliveredMessage } from '../../../../src/simulator/index.js';

const TEXT = 'Order 1 is ready.';
const NEW_TEXT = 'Order 1 is ready (change 1).';
const EDIT = { idempotencyKey: 'key-1-edit-1', text: NEW_TEXT, afterMs: 0 };

function planned(changes: Partial<PlannedMessage> = {}): PlannedMessage {
  const text = { to: '15550000001', text: TEXT, onUnknown: 'manual' as const, edits: [], afterMs: 0 };
  return { number: 1, instance: 'main', idempotencyKey: 'key-1', ...text, ...changes };
}

function asked(id: string, changes: Partial<PlannedMessage> = {}): AskedMessage {
  return { planned: planned(changes), id: id as MessageId };
}

function row(id: string, changes: Partial<MessageView>): MessageView {
  return {
    id: id as MessageId,
    instance: 'main',
    content: { kind: 'text', text: TEXT },
    state: 'delivered',
    version: 1,
    priority: 'normal',
    category: 'transactional',
    onUnknown: 'manual',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-02T00:00:00.000Z',
    evidence: [],
    attempts: [],
    edits: [],
    ...changes,
  };
}

function edit(state: MessageView['edits'][number]['state']): MessageView['edits'][number] {
  return { id: 'edt_1' as never, state, text: NEW_TEXT, requestedAt: '2026-01-01T00:00:01.000Z' };
}

function onPhone(idMessage: string, text = TEXT): DeliveredMessage {
  return {
    idInstance: '1101000001',
    idMessage,
    chatId: '15550000001@c.us',
    kind: 'text',
    typeMessage: 'textMessage',
    text,
    at: '2026-01-01T00:00:02.000Z',
    edits: [],
  };
}

function accountOf(
  messages: readonly AskedMessage[],
  rows: readonly MessageView[],
  phones: readonly DeliveredMessage[],
) {
  return account(messages, new Map(rows.map((one) => [one.id, one])), phones);
}

/** The findings by kind: only their ids. */
function found(result: Account): Record<string, string[]> {
  const { lost, sentTwice, resentTwice, unresolvedAccepted, unresolvedNeverAccepted, unexplained } = result;
  const all = { lost, sentTwice, resentTwice, unresolvedAccepted, unresolvedNeverAccepted, unexplained };
  return Object.fromEntries(
    Object.entries(all).flatMap(([kind, findings]) =>
      findings.length === 0 ? [] : [[kind, findings.map(({ id }) => id)]],
    ),
  );
}

/** Proves ACCOUNT-1 to ACCOUNT-4. */
describe('the account of a message', () => {
  it.each(['accepted', 'sent', 'delivered', 'read'] as const)('is in order when it is %s and on its phone', (state) => {
    const result = accountOf([asked('a')], [row('a', { state, idMessage: 'A' })], [onPhone('A')]);
    expect(found(result)).toEqual({});
    const withoutReceipt = state === 'accepted' ? 1 : 0;
    expect(result).toMatchObject({ messages: 1, acknowledged: 1, delivered: 1, withoutReceipt });
  });

  it.each(['rejected', 'expired', 'cancelled', 'failed', 'no_account'] as const)(
    'is in order when it ended as %s and no phone has it',
    (state) => expect(found(accountOf([asked('a')], [row('a', { state })], []))).toEqual({}),
  );

  it.each(['accepted', 'delivered'] as const)('is lost when the ledger says %s and no phone has it', (state) => {
    expect(found(accountOf([asked('a')], [row('a', { state, idMessage: 'A' })], []))).toEqual({ lost: ['a'] });
  });

  it.each(['pending', 'sending'] as const)('is lost when it is still %s at the end', (state) => {
    expect(found(accountOf([asked('a')], [row('a', { state })], []))).toEqual({ lost: ['a'] });
  });

  it('is lost when it was acknowledged and has no row', () => {
    expect(found(accountOf([asked('a')], [], []))).toEqual({ lost: ['a'] });
  });

  it('is not lost when it was never acknowledged', () => {
    const result = accountOf([{ planned: planned() }], [], []);
    expect(found(result)).toEqual({});
    expect(result.acknowledged).toBe(0);
  });

  it('is sent twice when the phone has one more than the ledger has attempts', () => {
    const rows = [row('a', { idMessage: 'A' })];
    expect(found(accountOf([asked('a')], rows, [onPhone('A'), onPhone('B')]))).toEqual({ sentTwice: ['a'] });
  });

  it('is sent twice also when the second one shows an edit', () => {
    const rows = [row('a', { idMessage: 'A' })];
    const result = accountOf([asked('a', { edits: [EDIT] })], rows, [onPhone('A'), onPhone('B', NEW_TEXT)]);
    expect(found(result)).toEqual({ sentTwice: ['a'] });
  });

  it('counts a double separately when the message permitted a repetition instead of unresolved', () => {
    const rows = [row('a', { idMessage: 'A' })];
    const result = accountOf([asked('a', { onUnknown: 'auto' })], rows, [onPhone('A'), onPhone('B')]);
    expect(found(result)).toEqual({ resentTwice: ['a'] });
  });

  it.each(['unknown', 'unresolved'] as const)(
    'distinguishes an accepted %s message from one that was never accepted',
    (state) => {
      expect(found(accountOf([asked('a')], [row('a', { state })], [onPhone('A')]))).toEqual({
        unresolvedAccepted: ['a'],
      });
      expect(found(accountOf([asked('a')], [row('a', { state })], []))).toEqual({ unresolvedNeverAccepted: ['a'] });
    },
  );

  it('counts a message that waits behind an unresolved identical one as unresolved', () => {
    const waiting = { code: 'MESSAGE_CLAIMED_ELSEWHERE', since: '2026-01-01T00:00:09.000Z' };
    const behind = row('b', { state: 'pending', waiting: { ...waiting, identical: 'a' as MessageId } });
    const result = accountOf([asked('a'), asked('b')], [row('a', { state: 'unresolved' }), behind], []);
    expect(found(result)).toEqual({ unresolvedNeverAccepted: ['a', 'b'] });
  });

  it('shows why no witness could decide, in words if there are any', () => {
    const evidence = [
      {
        at: '2026-01-01T00:00:09.000Z',
        witness: 'reconciler',
        what: 'unresolved',
        detail: { why: 'nothing_precedes', notPresumed: 'no_successor' },
      },
      { at: '2026-01-01T00:00:10.000Z', witness: 'edit', what: 'edit_requested' },
    ];
    const { unresolvedNeverAccepted } = accountOf([asked('a')], [row('a', { state: 'unresolved', evidence })], []);
    expect(unresolvedNeverAccepted[0]?.why).toBe(
      'unresolved: no witness saw it, and the queue held no older message that could prove its absence; not presumed: no_successor',
    );
  });

  it.each(['rejected', 'cancelled', 'pending'] as const)(
    'is unexplained when the ledger says %s and a phone has it',
    (state) => {
      expect(found(accountOf([asked('a')], [row('a', { state })], [onPhone('A')]))).toEqual({ unexplained: ['a'] });
    },
  );

  it('is unexplained when a phone has a message that was never requested', () => {
    expect(found(accountOf([], [], [onPhone('X', 'Who is this?')]))).toEqual({ unexplained: ['X'] });
  });
});

describe('the account of identical messages', () => {
  const identical = [asked('a'), asked('b', { number: 2, idempotencyKey: 'key-2' })];

  it('is in order when each has its own delivery', () => {
    const rows = [row('a', { idMessage: 'A' }), row('b', { idMessage: 'B' })];
    expect(found(accountOf(identical, rows, [onPhone('B'), onPhone('A')]))).toEqual({});
  });

  it('assigns a delivery that no row claims to the row with an unknown outcome', () => {
    const rows = [row('a', { idMessage: 'A' }), row('b', { state: 'unresolved' })];
    expect(found(accountOf(identical, rows, [onPhone('A'), onPhone('B')]))).toEqual({ unresolvedAccepted: ['b'] });
    expect(found(accountOf(identical, rows, [onPhone('A')]))).toEqual({ unresolvedNeverAccepted: ['b'] });
  });

  it('finds the third of two', () => {
    const rows = [row('a', { idMessage: 'A' }), row('b', { idMessage: 'B' })];
    const result = accountOf(identical, rows, [onPhone('A'), onPhone('B'), onPhone('C')]);
    expect(found(result)).toEqual({ sentTwice: ['a'] });
  });

  it('finds two rows that claim one delivery', () => {
    const rows = [row('a', { idMessage: 'A' }), row('b', { idMessage: 'A' })];
    expect(found(accountOf(identical, rows, [onPhone('A')]))).toEqual({ lost: ['b'] });
  });
});

describe('the account of an edited message', () => {
  const messages = [asked('a', { edits: [EDIT] })];

  it.each([
    ['the new text after a successful edit', 'edited', NEW_TEXT],
    ['the old text after a refused edit', 'refused', TEXT],
    ['the old text after an unconfirmed edit', 'unconfirmed', TEXT],
    ['the new text after an unconfirmed edit', 'unconfirmed', NEW_TEXT],
  ] as const)('is in order with %s', (_, state, text) => {
    const rows = [row('a', { idMessage: 'A', edits: [edit(state)] })];
    expect(found(accountOf(messages, rows, [onPhone('A', text)]))).toEqual({});
  });

  it.each([
    ['the old text after an edit that was reported successful', 'edited', TEXT],
    ['the new text after an edit that was reported refused', 'refused', NEW_TEXT],
    ['an edit that never ended', 'posted', NEW_TEXT],
  ] as const)('is unexplained with %s', (_, state, text) => {
    const rows = [row('a', { idMessage: 'A', edits: [edit(state)] })];
    expect(found(accountOf(messages, rows, [onPhone('A', text)]))).toEqual({ unexplained: ['a'] });
  });

  it('lets an edit wait while its message is not known to be sent', () => {
    const rows = [row('a', { state: 'accepted', idMessage: 'A', edits: [edit('pending')] })];
    expect(found(accountOf(messages, rows, [onPhone('A')]))).toEqual({});
  });
});
