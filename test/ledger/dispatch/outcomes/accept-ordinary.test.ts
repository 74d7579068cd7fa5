/**
 * The one statement that accepts nearly every message, compared with the general path: whatever happened to the message
 * before, both leave equal rows, or the statement does nothing.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EditId, MessageContent, MessageId } from '../../../../src/contract/index.js';
import { acceptOrdinary } from '../../../../src/ledger/dispatch/outcomes/accept.js';
import type { Ledger, Outcome } from '../../../../src/ledger/index.js';
import { recordOthers, recordOutcomes } from '../../../../src/ledger/dispatch/outcomes/record-outcomes.js';
import type { Schema } from '../../../../src/ledger/storage/schema.js';
import { aDatabase } from '../../../support/ledger/ledger.js';
import { claimDue, shiftOf } from '../../../support/shift.js';
import { CHAT, exactly, MINUTE, NOW, SECOND } from '../../cast.js';

let db: Kysely<Schema>;
let close: () => Promise<void>;
let ledger: Ledger;

beforeAll(async () => {
  ({ db, ledger, close } = await aDatabase());
});
afterAll(() => close());

interface Story {
  readonly content: MessageContent;
  readonly httpStatus: number;
  /** It was posted before, and was not accepted. */
  readonly isSecondTry: boolean;
  readonly editedBefore: boolean;
  readonly editWaits: boolean;
  readonly cancelRequested: boolean;
  readonly isUnknown: boolean;
  readonly clockKnown: boolean;
  readonly idTaken: boolean;
  readonly parked: readonly ('sent' | 'delivered' | 'failed')[];
}

const ORDINARY: Story = {
  content: { kind: 'text', text: 'hello' },
  httpStatus: 200,
  isSecondTry: false,
  editedBefore: false,
  editWaits: false,
  cancelRequested: false,
  isUnknown: false,
  clockKnown: false,
  idTaken: false,
  parked: [],
};

/** A message's names derive from one word, so that two messages are comparable name by name. */
interface Played {
  readonly word: string;
  readonly id: MessageId;
  readonly token: string;
  readonly idMessage: string;
}

/** A message just before its response arrives. */
async function play(story: Story): Promise<Played> {
  const word = randomUUID();
  const [id, idMessage] = [`msg_${word}` as MessageId, `A-${word}`];
  if (story.clockKnown) await ledger.gatewayClocks.narrow(word, exactly(-7 * SECOND), NOW);
  if (story.idTaken) {
    await begin(`msg_other-${word}` as MessageId, word, { kind: 'text', text: 'other' });
    await ledger.dispatch.recordOutcomes([
      { token: await claim(word), outcome: { kind: 'accepted', idMessage, httpStatus: 200 }, atMs: NOW },
    ]);
  }
  await begin(id, word, story.content);
  if (story.editedBefore) await edit(id, `edt_early-${word}`, 'edited early');
  if (story.isSecondTry) {
    await ledger.dispatch.recordOutcomes([
      { token: await claim(word), outcome: { kind: 'not_accepted', code: 'GATEWAY_BUSY' }, atMs: NOW },
    ]);
  }
  const token = await claim(word);
  if (story.editWaits) await edit(id, `edt_late-${word}`, 'edited late');
  if (story.cancelRequested) await ledger.messages.cancel(id, 'request', NOW);
  if (story.isUnknown) await ledger.dispatch.beginShift(shiftOf(word, 2), NOW + MINUTE);
  for (const status of story.idTaken ? [] : story.parked) {
    await ledger.receipts.apply(word, { kind: 'status', idMessage, status, atMs: NOW }, NOW);
  }
  return { word, id, token, idMessage };
}

async function begin(id: MessageId, instance: string, content: MessageContent) {
  const request = { instance, content, ...(content.kind === 'status' ? {} : { chatId: CHAT }) };
  await ledger.intake.open({ id, requestHash: 'h', request, expiresAtMs: NOW + 60 * MINUTE, nowMs: NOW });
}

/** Claims what is due in the instance. @returns the token */
async function claim(instance: string, dispatch = ledger.dispatch): Promise<string> {
  const [attempt] = await claimDue(dispatch, shiftOf(instance), NOW, { free: 1 });
  if (attempt === undefined) throw new Error(`nothing was claimed in ${instance}`);
  return attempt.token;
}

/** @returns whether the single statement wrote it */
async function acceptOne(token: string, outcome: ReturnType<typeof response>, atMs: number): Promise<boolean> {
  const written = await db.transaction().execute((tx) => acceptOrdinary(tx, [{ token, outcome, atMs }]));
  return written.has(token);
}

async function edit(messageId: MessageId, editId: string, text: string): Promise<void> {
  await ledger.edits.open({ editId: editId as EditId, messageId, text, nowMs: NOW });
}

function response({ idMessage }: Played, { httpStatus }: Story) {
  return { kind: 'accepted', idMessage, httpStatus } as const;
}

/** Every row about the message, in order, without the numbers that are its own. */
async function rowsOf({ word, id, token }: Played): Promise<unknown> {
  const of = (table: 'attempts' | 'evidence' | 'edits') =>
    db.selectFrom(table).selectAll().where('message_id', '=', id).orderBy('seq').execute();
  const rows = {
    message: await db.selectFrom('messages').selectAll().where('id', '=', id).execute(),
    attempts: await of('attempts'),
    evidence: await of('evidence'),
    edits: await of('edits'),
    ids: await db.selectFrom('message_ids').selectAll().where('instance', '=', word).orderBy('id_message').execute(),
    parked: await db.selectFrom('parked_receipts').selectAll().where('instance', '=', word).orderBy('seq').execute(),
  };
  const accepted = await db.selectFrom('attempts').select('outcome_seq').where('token', '=', token).executeTakeFirst();
  const text = JSON.stringify(rows, (name, value: unknown) =>
    ['seq', 'outcome_seq', 'epoch', 'receipt_hash', 'stream_id', 'place', 'identical_hash'].includes(name)
      ? typeof value
      : value,
  );
  const comparable = text
    .replaceAll(word, 'word')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'token')
    .replaceAll(/receipt:[\w-]{22}/g, 'receipt');
  return { ...(JSON.parse(comparable) as object), numbered: accepted?.outcome_seq !== null };
}

describe('accepting a message in one statement', () => {
  it('writes the same rows as the general path for an ordinary message', async () => {
    const [one, other] = [await play(ORDINARY), await play(ORDINARY)];

    expect(await acceptOne(one.token, response(one, ORDINARY), NOW + SECOND)).toBe(true);
    expect(await ledger.messages.snapshot(one.id)).toMatchObject({ state: 'accepted', idMessage: one.idMessage });
    await db
      .transaction()
      .execute((tx) =>
        recordOthers(tx, [{ token: other.token, outcome: response(other, ORDINARY), atMs: NOW + SECOND }]),
      );
    expect(await rowsOf(one)).toEqual(await rowsOf(other));
  });

  it('writes the same rows as the general path for any message', async () => {
    const stories = fc.record<Story>({
      content: fc.constantFrom<MessageContent>(
        ORDINARY.content,
        { kind: 'status', text: 'hello' },
        { kind: 'file', url: 'https://example.com/a.pdf', fileName: 'a.pdf' },
      ),
      httpStatus: fc.constantFrom(200, 201),
      isSecondTry: fc.boolean(),
      editedBefore: fc.boolean(),
      editWaits: fc.boolean(),
      cancelRequested: fc.boolean(),
      isUnknown: fc.boolean(),
      clockKnown: fc.boolean(),
      idTaken: fc.boolean(),
      parked: fc.subarray(['sent', 'delivered', 'failed'] as const),
    });
    // Only a text can be edited.
    const possible = stories.map((story) =>
      story.content.kind === 'text' ? story : { ...story, editedBefore: false, editWaits: false },
    );
    await fc.assert(
      fc.asyncProperty(possible, async (story) => {
        const [one, other] = [await play(story), await play(story)];
        const outcome = { token: one.token, outcome: response(one, story), atMs: NOW + MINUTE };
        await db.transaction().execute((tx) => recordOutcomes(tx, [outcome]));
        const same = { token: other.token, outcome: response(other, story), atMs: NOW + MINUTE };
        await db.transaction().execute((tx) => recordOthers(tx, [same]));
        expect(await rowsOf(one)).toEqual(await rowsOf(other));
      }),
      { numRuns: 15 },
    );
  });

  it.each<[string, Partial<Story>]>([
    ['an edit waits', { editWaits: true }],
    ['an edit came before it', { editedBefore: true }],
    ['its first attempt was not accepted', { isSecondTry: true }],
    ['a cancellation came too late', { cancelRequested: true }],
    ['its recipient is not a single chat', { content: { kind: 'status', text: 'hello' } }],
  ])('is enough when %s', async (_, over) => {
    const story = { ...ORDINARY, ...over };
    const played = await play(story);

    expect(await acceptOne(played.token, response(played, story), NOW)).toBe(true);
  });

  it.each<[string, Partial<Story>]>([
    ['the row is unknown', { isUnknown: true }],
    ['a receipt waits for the id', { parked: ['sent'] }],
    ['another message has the id', { idTaken: true }],
  ])('does nothing when %s', async (_, over) => {
    const story = { ...ORDINARY, ...over };
    const played = await play(story);
    const before = await rowsOf(played);

    expect(await acceptOne(played.token, response(played, story), NOW)).toBe(false);
    expect(await rowsOf(played)).toEqual(before);
  });

  it('does nothing when it is repeated, nor for an attempt whose text a later edit has replaced', async () => {
    const [again, replaced] = [await play(ORDINARY), await play(ORDINARY)];
    await acceptOne(again.token, response(again, ORDINARY), NOW);
    await ledger.dispatch.recordOutcomes([
      { token: replaced.token, outcome: { kind: 'not_accepted', code: 'GATEWAY_BUSY' }, atMs: NOW },
    ]);
    await edit(replaced.id, `edt_${replaced.word}`, 'other');
    await claim(replaced.word);

    for (const played of [again, replaced]) {
      const before = await rowsOf(played);
      expect(await acceptOne(played.token, response(played, ORDINARY), NOW)).toBe(false);
      expect(await rowsOf(played)).toEqual(before);
    }
  });

  it('does nothing for an attempt that does not exist', async () => {
    const missing = { kind: 'accepted', idMessage: 'A1', httpStatus: 200 } as const;
    expect(await acceptOne('missing', missing, NOW)).toBe(false);
  });
});

describe('recording outcomes of many messages together', () => {
  const CODES = { rejected: 'GATEWAY_REJECTED', not_accepted: 'GATEWAY_BUSY', unknown: 'GATEWAY_TIMEOUT' } as const;
  type Kind = 'accepted' | keyof typeof CODES;

  function outcomeOf(played: Played, kind: Kind, at: number) {
    const text = `text ${at}`;
    const more = kind === 'not_accepted' ? { retryAfterMs: at * SECOND } : { connectionEnded: true };
    const outcome =
      kind === 'accepted'
        ? response(played, ORDINARY)
        : ({ kind, code: CODES[kind], text, httpStatus: 400 + at, ...more } as const);
    return { token: played.token, outcome, atMs: NOW + MINUTE + at * SECOND } as Outcome;
  }

  it('writes the same rows as each by itself, also several outcomes of one message', async () => {
    const kind = fc.constantFrom<Kind>('accepted', 'rejected', 'not_accepted', 'unknown');
    const message = fc.record({
      story: fc.record({ editWaits: fc.boolean(), cancelRequested: fc.boolean(), isSecondTry: fc.boolean() }),
      kinds: fc.uniqueArray(kind, { minLength: 1, maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 2, maxLength: 6 }), async (messages) => {
        const playAll = async () => {
          const played = [];
          for (const { story } of messages) played.push(await play({ ...ORDINARY, ...story }));
          return played;
        };
        const [together, alone] = [await playAll(), await playAll()];
        const outcomesOf = (all: readonly Played[]) =>
          messages.flatMap(({ kinds }, no) => kinds.map((own, nth) => outcomeOf(all[no]!, own, 1 + no + nth * 10)));
        await ledger.dispatch.recordOutcomes(outcomesOf(together));
        for (const one of outcomesOf(alone)) await ledger.dispatch.recordOutcomes([one]);
        for (const [no, played] of together.entries()) expect(await rowsOf(played)).toEqual(await rowsOf(alone[no]!));
      }),
      { numRuns: 12 },
    );
  });
});
