/** Text that PostgreSQL rejects, from every source whose text the ledger stores. */
import { randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CampaignId, MessageContent, VerdictCounts } from '../../../src/contract/index.js';
import { acceptedAs } from '../../support/edits.js';
import { foldedName } from '../../../src/domain/index.js';
import { CHAT, MINUTE, NOW, useCast, type Cast } from '../cast.js';
import { readLines } from '../../support/campaign.js';
import { TEMPLATE } from '../../support/template.js';

const cast = useCast();

/** NUL, and a surrogate pair in the wrong order. */
const FOREIGN = 'a\0b\ude00c\ud83dd';
const STORED = 'a\uFFFDb\uFFFDc\uFFFDd';
/** As values, and as keys. */
const FOREIGN_JSON = { [FOREIGN]: [FOREIGN, { deep: FOREIGN }] };
const STORED_JSON = { [STORED]: [STORED, { deep: STORED }] };

describe('text that PostgreSQL rejects is replaced, and delays nothing', () => {
  it('in receipts that are applied together', async () => {
    const c = cast();
    const [one, two] = [await c.accepted(`1${STORED}`), await c.accepted('A2')];
    const receipt = { kind: 'status', status: 'sent', atMs: NOW } as const;

    await c.ledger.receipts.applyTogether(
      [
        { id: '1', instance: c.instance, receipt: { ...receipt, idMessage: `1${STORED}`, description: FOREIGN } },
        { id: '2', instance: c.instance, receipt: { ...receipt, idMessage: 'A2' } },
        { id: '3', instance: c.instance, receipt: { ...receipt, idMessage: `3${FOREIGN}` } },
      ],
      NOW,
    );

    expect([await c.state(one), await c.state(two)]).toEqual(['sent', 'sent']);
    expect((await c.evidence(one, 'sent'))[0]?.detail).toMatchObject({ description: STORED });
  });

  it('in a notification, in a parked receipt, and in a receipt that is applied alone', async () => {
    const c = cast();

    await c.ledger.receipts.store(c.instance, FOREIGN_JSON, NOW, { kind: FOREIGN });
    const stored = (await c.ledger.receipts.unapplied(1_000)).find(({ instance }) => instance === c.instance);
    await c.receive(FOREIGN, 'failed', { description: FOREIGN });
    const id = await c.accepted(FOREIGN);

    expect(stored?.body).toEqual(STORED_JSON);
    expect(await c.view(id)).toMatchObject({ state: 'failed', idMessage: STORED, reasonText: STORED });
  });

  it('in the responses of the gateway', async () => {
    const c = cast();
    const [one, two, three] = [await c.pending(), await c.pending({ chatId: '2' }), await c.pending({ chatId: '3' })];
    const tokens = [(await c.claimed(one)).token, (await c.claimed(two)).token, (await c.claimed(three)).token];

    // Simultaneous writes share a statement.
    await Promise.all(tokens.slice(0, 2).map((token, at) => c.accept(token, `${at}${FOREIGN}`)));
    await c.record(tokens[2] ?? '', { kind: 'rejected', code: 'GATEWAY_REJECTED', text: FOREIGN, httpStatus: 400 });

    expect(await c.view(one)).toMatchObject({ state: 'accepted', idMessage: `0${STORED}` });
    expect(await c.view(two)).toMatchObject({ state: 'accepted', idMessage: `1${STORED}` });
    expect(await c.view(three)).toMatchObject({ state: 'rejected', reasonText: STORED });
  });

  it('in the request and the result of an operation', async () => {
    const { ledger, instance } = cast();
    const id = `op_${randomUUID()}`;

    await ledger.operations.open({
      id,
      method: 'getGroupData',
      instance,
      requestHash: 'h',
      request: FOREIGN_JSON,
      nowMs: NOW,
    });
    expect(await ledger.operations.requestOf(id)).toEqual(STORED_JSON);
    const ended = await ledger.operations.finish(id, { state: 'done', result: FOREIGN_JSON }, NOW);

    expect(ended.result).toEqual(STORED_JSON);
  });

  it.each<[string, MessageContent, unknown]>([
    ['a message', { kind: 'text', text: FOREIGN }, { text: STORED }],
    [
      'a template and its parameters',
      { kind: 'template', elementName: 'one', params: [FOREIGN] },
      { params: [STORED] },
    ],
  ])('in %s', async (_, content, stored) => {
    const c = cast();
    const id = await c.pending({ content, reference: FOREIGN });

    expect((await c.claim(id)) !== undefined).toBe(content.kind === 'text');
    expect(await c.view(id)).toMatchObject({ content: stored, reference: STORED });
  });

  it('in an edit, and in the notification that shows it', async () => {
    const c = cast();
    const id = await c.sent('A1');
    const editId = await c.edit(id, FOREIGN);
    await c.recordEdit((await c.claimEdit(editId))!, acceptedAs(FOREIGN));

    const notice = { kind: 'edited', originalIdMessage: 'A1', idMessage: FOREIGN, text: STORED, atMs: NOW } as const;
    await c.ledger.receipts.apply(c.instance, notice, NOW);

    expect(await c.ledger.edits.view(editId)).toMatchObject({ text: STORED, state: 'edited' });
  });

  it('in a template and the words of its reviewers', async () => {
    const { ledger, instance } = cast();
    const key = { instance, elementName: 'one' };
    const definition = { ...TEMPLATE, elementName: 'one', content: FOREIGN };
    await ledger.templates.submit(
      { ...key, definition, definitionHash: 'h', requestedAt: new Date(NOW).toISOString() },
      NOW,
    );

    expect((await ledger.templates.inputOf(key))?.definition).toMatchObject({ content: STORED });
  });

  it("in the names of a campaign's recipients", async () => {
    const { ledger, instance } = cast();
    const id = `cmp-${randomUUID().slice(0, 8)}` as CampaignId;
    const definition = { instance, content: { kind: 'text', text: `Hello {{name}} ${FOREIGN}` } } as const;
    await ledger.audiences.define({ id, requestHash: 'h', definition, nowMs: NOW });
    const audience = await ledger.audiences.beginImport(id, NOW);
    const recipients = [{ line: 1, chatId: CHAT, values: { name: FOREIGN, [FOREIGN]: 'x' } }];

    await ledger.audiences.addLines(
      audience,
      readLines(recipients, [{ line: 2, reason: 'bad_number', value: FOREIGN, columns: { [FOREIGN]: FOREIGN } }]),
    );
    const verdicts = { accepted: 1, duplicate: 0, bad_number: 1 } as unknown as VerdictCounts;
    const columns = {
      name: { name: 'name', recipients: 1 },
      [foldedName(FOREIGN)]: { name: FOREIGN, recipients: 1 },
    };
    await ledger.audiences.finishImport(id, audience, { hash: 'h', lines: 2, verdicts, columns }, NOW);

    expect(await ledger.audiences.recipients(id, 0, 10)).toEqual([
      { line: 1, chatId: CHAT, key: CHAT, values: { name: STORED, [STORED]: 'x' } },
    ]);
    expect(await ledger.audiences.rejects(id, 0, 10)).toMatchObject([{ value: STORED, columns: { [STORED]: STORED } }]);
    expect(await ledger.audiences.missingValues(id, [STORED])).toEqual([]);
  });

  it("in an opt-out's word and the ids that it came with", async () => {
    const { ledger, instance } = cast();
    const word = { what: 'stop', word: FOREIGN, idMessage: FOREIGN, atMs: NOW, nowMs: NOW } as const;

    // One of its parameters is an array.
    await ledger.suppressions.applyWord({ ...word, instance, chatId: `${FOREIGN}@c.us` });
    await ledger.suppressions.applyWord({
      ...word,
      what: 'start',
      instance,
      chatId: `${FOREIGN}@c.us`,
      atMs: NOW + MINUTE,
    });

    const { items } = await ledger.suppressions.list({ instance, withRemoved: true });
    expect(items).toMatchObject([{ chatId: `${STORED}@c.us`, word: STORED }]);
  });

  it('in a notification of an unmatched message, and in the state of an account', async () => {
    const c: Cast = cast();

    await c.ledger.observations.keep(c.instance, FOREIGN, FOREIGN_JSON, NOW);
    await c.ledger.instanceStates.record({ instance: c.instance, state: FOREIGN, atMs: NOW });

    expect(await c.ledger.instanceStates.current(c.instance)).toMatchObject({ state: STORED });
  });
});

describe('the ledger', () => {
  it('statements get JSON only from jsonText, which replaces rejected characters', async () => {
    const files = await readdir('src/ledger', { recursive: true });
    const sources = files.filter((file) => file.endsWith('.ts') && !file.startsWith('migrations'));
    const withTheirOwn: string[] = [];
    for (const file of sources) {
      const source = await readFile(path.join('src/ledger', file), 'utf8');
      if (source.includes('JSON.stringify(')) withTheirOwn.push(file);
    }

    // A map's key, a comparison, a cursor, a lock file, the driver, which gets only texts, and searched texts.
    expect(withTheirOwn.toSorted()).toEqual([
      'campaigns/steering/change-what-is-sent.ts',
      'messages/receipts/apply-together.ts',
      'privacy/blank-data.ts',
      'privacy/late-notifications.ts',
      'storage/cursors.ts',
      'storage/data-dir.ts',
      'storage/pglite-dialect.ts',
      'storage/statements.ts',
    ]);
  });
});
