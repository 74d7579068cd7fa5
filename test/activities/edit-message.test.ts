/** An edit whose request, response or record is lost: gateway client, simulator and ledger are real. */
import { beforeEach, describe, expect, it } from 'vitest';
import { postEdit } from '../../src/activities/edit-message.js';
import { messageActivities } from '../../src/activities/message-activities.js';
import { AppError, type EditId, type MessageId } from '../../src/contract/index.js';
import type { EditView, Ledger } from '../../src/ledger/index.js';
import { editDependencies, useGatewayScene } from './gateway-scene.js';
import { CHAT, MINUTE, SECOND, useOwnCast, WINDOW } from '../ledger/cast.js';

const TIMES = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 1_000, settleTimeMs: 1_000, editConfirmTimeoutMs: 2_000 };
const HOUR = 60 * MINUTE;

const c = useOwnCast();
let messageId: MessageId;
let editId: EditId;
const the = useGatewayScene(() => c.instance, TIMES.gatewayTimeoutMs);

beforeEach(async () => {
  const { response } = await the.gateway.call(c.instance, 'sendMessage', { chatId: CHAT, message: 'Nine' });
  await the.simulator.idle();
  messageId = await c.sent(response.idMessage, { text: 'Nine' });
  editId = await c.edit(messageId, 'Ten');
});

const depsOn = (edits: Partial<Ledger['edits']> = {}) => editDependencies(the, c.ledger, TIMES, edits);

/** Fails this many times as an unavailable ledger, before the work or after its commit. */
function failing<Given extends unknown[], Result>(
  work: (...given: Given) => Promise<Result>,
  { times, when }: { times: number; when: 'before' | 'after' },
): (...given: Given) => Promise<Result> {
  let left = times;
  return async (...given) => {
    const isLost = left > 0;
    left -= 1;
    if (isLost && when === 'before') throw away();
    const result = await work(...given);
    if (isLost) throw away();
    return result;
  };
}

const away = () => new AppError('LEDGER_UNAVAILABLE', 'Ledger unavailable: the test took it away.');

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof AppError ? error.code : String(error);
}

const editsPosted = () => the.posts('editMessage');
const onPhone = () => the.simulator.delivered()[0]?.edits.at(-1);
const theEdit = async (): Promise<EditView | undefined> => c.ledger.edits.view(editId);

/** Proves EDIT-1 to EDIT-4. */
describe('an edit that the gateway accepted', () => {
  it.each(['before', 'after'] as const)(
    'stays posted when its record fails once, %s the commit, and is never too late',
    async (when) => {
      const deps = depsOn({
        recordPosted: failing((...given) => c.ledger.edits.recordPosted(...given), { times: 1, when }),
      });

      expect(await postEdit(deps, editId)).toMatchObject({ state: 'posted' });
      the.nowMs += WINDOW + SECOND;
      expect(await postEdit(deps, editId)).toMatchObject({ state: 'posted' });

      expect(editsPosted()).toBe(1);
      expect(onPhone()).toMatchObject({ text: 'Ten' });
    },
  );

  it('is returned to be recorded later when the ledger stays unavailable', async () => {
    const deps = depsOn({ recordPosted: () => Promise.reject(away()) });

    const posted = await postEdit(deps, editId);

    expect(posted).toMatchObject({ kind: 'unrecorded', idMessageReturned: expect.any(String) as string });
    expect(await theEdit()).toMatchObject({ state: 'sending' });
    const idMessageReturned = 'kind' in posted ? posted.idMessageReturned : '';
    const later = await messageActivities(depsOn()).recordPostedEdit({ messageId, editId, idMessageReturned });
    expect(later.edit).toMatchObject({ state: 'posted' });
  });

  it('is not too late after the window when the worker died before its record', async () => {
    const dying = depsOn({ recordPosted: () => Promise.reject(new Error('the worker died')) });
    await expect(postEdit(dying, editId)).rejects.toThrow('the worker died');
    the.nowMs += WINDOW + SECOND;

    expect(await postEdit(depsOn(), editId)).toMatchObject({ state: 'sending' });
    const confirmed = await messageActivities(depsOn()).confirmEdit({ messageId, editId });

    expect(confirmed.edit).toMatchObject({ state: 'edited', via: 'gateway' });
    expect(editsPosted()).toBe(1);
  });
});

describe('an edit whose response was lost', () => {
  it('is not given back by a later try that never left', async () => {
    await the.fault({ kind: 'lose-answer', accepted: true });
    expect(await codeOf(postEdit(depsOn(), editId))).toBe('GATEWAY_OUTCOME_UNKNOWN');
    await the.fault({ kind: 'status', status: 429 });
    expect(await codeOf(postEdit(depsOn(), editId))).toBe('GATEWAY_BUSY');
    expect(await theEdit()).toMatchObject({ state: 'sending' });

    the.nowMs += WINDOW + SECOND;
    expect(await postEdit(depsOn(), editId)).toMatchObject({ state: 'sending' });
    expect(onPhone()).toMatchObject({ text: 'Ten' });
  });

  it('is not refused by the response to a later try', async () => {
    await the.fault({ kind: 'lose-answer', accepted: true });
    expect(await codeOf(postEdit(depsOn(), editId))).toBe('GATEWAY_OUTCOME_UNKNOWN');
    await the.fault({ kind: 'status', status: 400, body: { message: 'Validation failed' } });

    expect(await postEdit(depsOn(), editId)).toMatchObject({ state: 'sending' });
    expect(await messageActivities(depsOn()).confirmEdit({ messageId, editId })).toMatchObject({
      edit: { state: 'edited' },
    });
  });

  it('ends unconfirmed when the journal does not show it', async () => {
    await the.fault({ kind: 'reset', accepted: false });
    expect(await codeOf(postEdit(depsOn(), editId))).toBe('GATEWAY_OUTCOME_UNKNOWN');
    the.nowMs += WINDOW + SECOND;
    await postEdit(depsOn(), editId);

    expect(await messageActivities(depsOn()).confirmEdit({ messageId, editId })).toMatchObject({
      edit: { state: 'unconfirmed' },
    });
  });

  it('ends unconfirmed after an hour when the journal cannot be read, with the reason', async () => {
    await postEdit(depsOn(), editId);
    await the.fault({ method: 'getMessage', kind: 'status', status: 466, times: 3 });
    const { confirmEdit } = messageActivities(depsOn());

    expect(await codeOf(confirmEdit({ messageId, editId }))).toBe('GATEWAY_PLAN_LIMIT');
    the.nowMs += HOUR - SECOND;
    expect(await codeOf(confirmEdit({ messageId, editId }))).toBe('GATEWAY_PLAN_LIMIT');
    the.nowMs += SECOND;
    expect(await confirmEdit({ messageId, editId })).toMatchObject({ edit: { state: 'unconfirmed' } });

    expect(await c.evidence(messageId, 'edit_unconfirmed')).toMatchObject([
      { detail: { reason: 'journal_unreadable', code: 'GATEWAY_PLAN_LIMIT', httpStatus: 466 } },
    ]);
  });
});

describe('an edit that was not accepted', () => {
  it('is given back, and is too late once the window has closed', async () => {
    await the.fault({ kind: 'status', status: 429 });
    expect(await codeOf(postEdit(depsOn(), editId))).toBe('GATEWAY_BUSY');
    expect(await theEdit()).toMatchObject({ state: 'pending' });

    the.nowMs += WINDOW + SECOND;
    expect(await postEdit(depsOn(), editId)).toMatchObject({ state: 'too_late' });
    expect(onPhone()).toBeUndefined();
  });

  it('is given back after a lost response to the commit of its claim', async () => {
    const deps = depsOn({ claim: failing((...given) => c.ledger.edits.claim(...given), { times: 1, when: 'after' }) });
    await the.fault({ kind: 'status', status: 429 });

    expect(await codeOf(postEdit(deps, editId))).toBe('GATEWAY_BUSY');
    expect(await theEdit()).toMatchObject({ state: 'pending' });
  });

  it('is refused when the gateway rejects it, also when its record fails once', async () => {
    const refuse = failing((...given: Parameters<Ledger['edits']['refuse']>) => c.ledger.edits.refuse(...given), {
      times: 1,
      when: 'after',
    });
    await the.fault({ kind: 'status', status: 400, body: { message: 'Validation failed' } });

    expect(await postEdit(depsOn({ refuse }), editId)).toMatchObject({ state: 'refused' });
    expect(await theEdit()).toMatchObject({ reason: 'GATEWAY_REJECTED' });
    expect(editsPosted()).toBe(1);
  });
});
