/**
 * What each fact does to a message in each state, over the real ledger: its row, evidence, due row, attempts and edits.
 * `vitest -u` accepts a change of `life.golden.txt`.
 */
import { expect, it } from 'vitest';
import type { RetryRequest } from '../../../../src/contract/index.js';
import { MINUTE, NOW, SECOND } from '../../cast.js';
import { type LifeCast, type RecipientsCast, type Subject, useLifeCast } from './life-cast.js';

const DAY = 24 * 60 * MINUTE;
const LATER = NOW + 2 * MINUTE;
const LOST = { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' } as const;
const REFUSED = { kind: 'rejected', code: 'GATEWAY_REJECTED', text: 'bad chat', httpStatus: 400 } as const;
const BUSY = { kind: 'not_accepted', code: 'GATEWAY_BUSY', httpStatus: 429 } as const;

type Fact = (c: LifeCast, subject: Subject) => unknown;

/** A fact about one message. */
const OF_ONE: Readonly<Record<string, Fact>> = {
  claim: (c, { id }) => c.claim(id, LATER),
  'response: unknown': (c, { token }) => c.recordIf(token, LOST, LATER),
  'response: rejected': (c, { token }) => c.recordIf(token, REFUSED, LATER),
  'response: not accepted': (c, { token }) => c.recordIf(token, BUSY, LATER),
  'response: accepted': (c, { token }) => c.recordIf(token, { kind: 'accepted', idMessage: 'NEW' }, LATER),
  'takeover of the shift': (c) => c.ledger.dispatch.beginShift(c.shift(9), LATER),
  adopted: (c, { attempt }) => attempt && c.ledger.reconciling.adopt(attempt, 'NEW', 'receipt', LATER),
  absent: (c, { attempt }) => attempt && c.ledger.reconciling.makePending(attempt, 'absent', BY_QUEUE, LATER),
  unresolved: (c, { attempt }) => attempt && c.ledger.reconciling.markUnresolved(attempt, 'no_witness', LATER),
  'instance removed': (c) => c.settleRemoved(LATER),
  'resolve: accepted as an id': (c, { id }) => c.resolve(id, { outcome: 'accepted', idMessage: 'NEW' }, LATER),
  'resolve: accepted': (c, { id }) => c.resolve(id, { outcome: 'accepted' }, LATER),
  'resolve: not accepted': (c, { id }) => c.resolve(id, { outcome: 'not_accepted' }, LATER),
  'receipt: sent': (c, { idMessage }) => c.receiveIf(idMessage, 'sent', LATER),
  'receipt: delivered': (c, { idMessage }) => c.receiveIf(idMessage, 'delivered', LATER),
  'receipt: read': (c, { idMessage }) => c.receiveIf(idMessage, 'read', LATER),
  'receipt: failed': (c, { idMessage }) => c.receiveIf(idMessage, 'failed', LATER),
  'receipt: noAccount': (c, { idMessage }) => c.receiveIf(idMessage, 'no_account', LATER),
  'receipts together: delivered': (c, { idMessage }) => c.receiveTogether(idMessage, 'delivered', LATER),
  'receipts together: failed': (c, { idMessage }) => c.receiveTogether(idMessage, 'failed', LATER),
  cancel: (c, { id }) => c.ledger.messages.cancel(id, 'operator', LATER),
  'cancel, then not accepted': async (c, { id, token }) => {
    await c.ledger.messages.cancel(id, 'operator', LATER);
    await c.recordIf(token, BUSY, LATER);
  },
  reject: (c, { id }) => c.ledger.messages.reject(id, { reason: 'template_unknown', text: 'none' }, LATER),
  'expiry, before it': (c, { id }) => c.ledger.messages.expire(id, LATER),
  'expiry, after it': (c, { id }) => c.ledger.messages.expire(id, NOW + 2 * DAY, '{"none":true}'),
  'expiry, by the sweep': (c) => c.ledger.dispatch.expireDue(100, NOW + 2 * DAY),
  'expiry, when it would be claimed': (c, { id }) => c.claim(id, NOW + 2 * DAY),
  suppression: (c, { chatId }) =>
    c.ledger.suppressions.add({ chatId, instance: c.instance, scope: 'all', nowMs: LATER }),
  'queue cleared': (c) => c.clearQueue(undefined, LATER),
  'queue cleared, and proved to be gone': (c, { idMessage }) => c.clearQueue(idMessage, LATER),
  'queue cleared, then accepted': async (c, { token }) => {
    await c.clearQueue(undefined, LATER);
    await c.recordIf(token, { kind: 'accepted', idMessage: 'NEW' }, LATER);
  },
  'queue cleared, then resolved as not accepted': async (c, { id }) => {
    await c.clearQueue(undefined, LATER);
    await c.resolve(id, { outcome: 'not_accepted' }, LATER);
  },
  'queue cleared, then a receipt': async (c, { idMessage }) => {
    await c.clearQueue(idMessage, LATER);
    await c.receiveIf(idMessage, 'sent', LATER);
  },
  edit: (c, { id }) => c.ledger.edits.open({ editId: c.anEditId(), messageId: id, text: 'edited', nowMs: LATER }),
};

const BY_QUEUE = { witness: 'showMessagesQueue', detail: { reading: 1 } };

/** A fact about a message in flight with an edit that waits. */
const WITH_EDIT = [
  'response: rejected',
  'response: not accepted',
  'response: accepted',
  'absent',
  'resolve: accepted',
  'resolve: not accepted',
  'cancel, then not accepted',
] as const;

/** A fact about all recipients of a campaign. */
const OF_CAMPAIGN: Readonly<Record<string, (c: RecipientsCast) => Promise<unknown>>> = {
  cancel: (c) => c.ledger.campaigns.cancel(c.id, 'operator', LATER),
  'cancel, then not accepted': async (c) => {
    await c.ledger.campaigns.cancel(c.id, 'operator', LATER);
    await c.ledger.dispatch.beginShift(c.shift(9), LATER);
    await eachInDoubt(c, (attempt) => c.ledger.reconciling.makePending(attempt, 'absent', BY_QUEUE, LATER));
  },
  deadline: (c) => c.endIfDone(NOW + DAY + SECOND),
  'deadline, then not accepted': async (c) => {
    await c.endIfDone(NOW + DAY + SECOND);
    await eachInDoubt(c, (attempt) =>
      c.ledger.reconciling.makePending(attempt, 'absent', BY_QUEUE, NOW + DAY + SECOND),
    );
  },
  'a later deadline': (c) => c.ledger.campaigns.update(c.id, { deadline: at(NOW + 2 * DAY) }, LATER),
  'another text': async (c) => {
    await c.ledger.campaigns.update(c.id, { content: { kind: 'text', text: 'Bye {{name}}' } }, LATER);
    await c.claim(100, LATER);
  },
  'retry of ended recipients': (c) => retry(c, { scopes: ENDED }, LATER),
  'cancel, then a retry of ended recipients': async (c) => {
    await c.ledger.campaigns.cancel(c.id, 'operator', LATER);
    await retry(c, { scopes: ENDED }, LATER + SECOND);
  },
  'retry of unknown': (c) => retry(c, { scopes: ['unknown'] }, LATER),
  'retry of unknown that may send twice': (c) => retry(c, { scopes: ['unknown'], maySendTwice: true }, LATER),
};

function retry(c: RecipientsCast, request: RetryRequest, nowMs: number) {
  return c.ledger.campaigns.retry(c.id, request, nowMs);
}

const ENDED = ['failed', 'rejected', 'no_account', 'expired', 'cancelled'] as const;

function at(ms: number): string {
  return new Date(ms).toISOString();
}

async function eachInDoubt(c: RecipientsCast, decide: (attempt: NonNullable<Subject['attempt']>) => Promise<unknown>) {
  for (const { messageId } of await c.report()) {
    const attempt = await c.ledger.reconciling.attempt(messageId);
    if (attempt !== undefined) await decide(attempt);
  }
}

const life = useLifeCast();

it(
  'DUEROW-1, WRITER-1 every fact changes a single message in each state as recorded',
  { timeout: 240_000 },
  async () => {
    const pages: string[] = [];
    for (const [name, fact] of Object.entries(OF_ONE)) pages.push(await life().pageOf(name, fact));
    await expect(pages.join('\n')).toMatchFileSnapshot('life.golden.txt');
  },
);

it(
  'WRITER-2 every fact about a message in flight decides its waiting edit as recorded',
  { timeout: 120_000 },
  async () => {
    const pages: string[] = [];
    for (const name of WITH_EDIT) pages.push(await life().pageOf(name, OF_ONE[name]!, { withEdit: true }));
    await expect(pages.join('\n')).toMatchFileSnapshot('life-with-edit.golden.txt');
  },
);

it('every command on a campaign changes its recipients in each state as recorded', { timeout: 120_000 }, async () => {
  const pages: string[] = [];
  for (const [name, command] of Object.entries(OF_CAMPAIGN)) pages.push(await life().pageOfCampaign(name, command));
  await expect(pages.join('\n')).toMatchFileSnapshot('life-of-recipients.golden.txt');
});
