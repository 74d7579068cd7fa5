/** Proves POSSIBLE-1 to POSSIBLE-5. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { NewPossibleOptOut } from '../../../src/ledger/index.js';
import { Cast, MINUTE, NOW, SECOND } from '../cast.js';
import { useLedger } from '../../support/ledger/ledger.js';

const ledger = useLedger();

let counter = 0;

/** A recipient who writes to an instance of one test. */
function aWriter() {
  counter += 1;
  const chatId = `1555${String(counter).padStart(7, '0')}@c.us`;
  const lid = `8${String(counter).padStart(14, '0')}@lid`;
  const instance = `i-${randomUUID().slice(0, 8)}`;
  return {
    chatId,
    lid,
    instance,
    writes(text = 'stop please', over: Partial<NewPossibleOptOut> = {}) {
      const said = { instance, chatId, text, word: 'stop', language: 'en', atMs: NOW, nowMs: NOW };
      return ledger.possibleOptOuts.record({ ...said, idMessage: randomUUID(), ...over });
    },
    says(what: 'stop' | 'start', second: number) {
      const atMs = NOW + second * SECOND;
      const said = { what, instance, chatId, word: what, idMessage: randomUUID(), atMs, nowMs: NOW };
      return ledger.suppressions.applyWord(said);
    },
    async open() {
      return (await ledger.possibleOptOuts.list({ instance })).items;
    },
    async all() {
      return (await ledger.possibleOptOuts.list({ instance, withDecided: true })).items;
    },
    async id() {
      const [open] = await ledger.possibleOptOuts.list({ instance }).then(({ items }) => items);
      if (open === undefined) throw new Error('none is open');
      return open.id;
    },
    async isSuppressed(chat = chatId): Promise<boolean> {
      return (await ledger.suppressions.among([chat], { instance, category: 'marketing' })).size > 0;
    },
  };
}

const by = 'key ops';

describe('a message that may mean STOP', () => {
  it('POSSIBLE-1 is listed once, with its text, and suppresses nothing', async () => {
    const writer = aWriter();
    expect(await writer.writes('stop please', { idMessage: 'A1' })).toBe('open');
    expect(await writer.writes('stop please', { idMessage: 'A1' })).toBe('known');
    expect(await writer.open()).toEqual([
      {
        id: expect.stringMatching(/^pos_[0-9a-hjkmnp-tv-z]{16}$/),
        instance: writer.instance,
        chatId: writer.chatId,
        idMessage: 'A1',
        text: 'stop please',
        word: 'stop',
        language: 'en',
        at: new Date(NOW).toISOString(),
        recordedAt: new Date(NOW).toISOString(),
        state: 'open',
        further: 0,
      },
    ]);
    expect(await writer.isSuppressed()).toBe(false);
  });

  it('POSSIBLE-1 is counted at the first one of the recipient, once however often it arrives', async () => {
    const writer = aWriter();
    await writer.writes('stop please');
    await writer.writes('please please stop', { idMessage: 'A2' });
    await writer.writes('please please stop', { idMessage: 'A2' });
    expect(await writer.open()).toMatchObject([{ text: 'stop please', further: 1 }]);
  });

  it('POSSIBLE-1 is counted at the first one under another form of the recipient', async () => {
    const writer = aWriter();
    await writer.writes();
    await writer.writes('stop it', { chatId: writer.lid });
    expect(await writer.open()).toHaveLength(2);
    await ledger.lids.learn([writer], 'group', NOW);
    expect(await writer.open()).toMatchObject([{ chatId: writer.chatId, further: 1 }]);
    await writer.writes('leave me alone', { chatId: writer.lid });
    expect(await writer.open()).toMatchObject([{ chatId: writer.chatId, further: 2 }]);
  });

  it('POSSIBLE-2 is not listed while its recipient is suppressed', async () => {
    const writer = aWriter();
    await ledger.suppressions.add({ chatId: writer.chatId, scope: 'all', nowMs: NOW });
    expect(await writer.writes()).toBe('known');
    expect(await writer.all()).toEqual([]);
  });

  it.each(['stop', 'start'] as const)('POSSIBLE-2 is decided by a later %s, in both orders', async (what) => {
    const [first, second] = [aWriter(), aWriter()];
    await first.writes();
    await first.says(what, 1);
    await second.says(what, 1);
    await second.writes();
    expect([await first.open(), await second.open()]).toEqual([[], []]);
    expect(await first.all()).toMatchObject([
      { state: what === 'stop' ? 'accepted' : 'dismissed', decidedBy: `${what}_word` },
    ]);
    expect([await first.isSuppressed(), await second.isSuppressed()]).toEqual([what === 'stop', what === 'stop']);
  });

  it('POSSIBLE-2 is listed after an earlier START', async () => {
    const writer = aWriter();
    await writer.says('stop', 0);
    await writer.says('start', 1);
    expect(await writer.writes('stop please', { atMs: NOW + 2 * SECOND })).toBe('open');
    await writer.says('start', 1);
    expect(await writer.open()).toHaveLength(1);
  });
});

describe('accepting', () => {
  it('POSSIBLE-3 suppresses the recipient from the time of the message, and ends pending messages', async () => {
    const writer = aWriter();
    const { instance, chatId } = writer;
    await writer.writes('stop please', { idMessage: 'A1' });
    const message = await new Cast(ledger).pending({ instance, chatId, category: 'marketing' });
    const id = await writer.id();

    const accepted = await ledger.possibleOptOuts.accept({ id, by, nowMs: NOW + MINUTE });

    expect(accepted).toMatchObject({
      possible: { state: 'accepted', decidedBy: by, decidedAt: new Date(NOW + MINUTE).toISOString() },
      suppression: {
        chatId,
        instance,
        scope: 'marketing',
        source: 'stop_word',
        since: new Date(NOW).toISOString(),
        word: 'stop please',
        idMessage: 'A1',
        note: `possible opt-out ${id}, accepted by ${by}`,
      },
      wasSuppressed: false,
    });
    expect((await ledger.views.message(message, NOW))?.state).toBe('suppressed');
    expect(await ledger.possibleOptOuts.accept({ id, by: 'another', nowMs: NOW + 2 * MINUTE })).toEqual(accepted);
    expect(await writer.open()).toEqual([]);
    await writer.says('start', 120);
    expect(await writer.isSuppressed()).toBe(false);
  });

  it('POSSIBLE-3 says that the recipient was already suppressed', async () => {
    const writer = aWriter();
    await writer.writes();
    const id = await writer.id();
    await ledger.suppressions.add({ chatId: writer.chatId, scope: 'marketing', nowMs: NOW });
    expect(await ledger.possibleOptOuts.accept({ id, by, nowMs: NOW })).toMatchObject({ wasSuppressed: true });
    expect(await ledger.possibleOptOuts.accept({ id, by, nowMs: NOW })).toMatchObject({ wasSuppressed: true });
  });

  it('is done once by two operators at the same time', async () => {
    const writer = aWriter();
    await writer.writes();
    const id = await writer.id();
    const both = await Promise.all(
      ['one', 'two'].map((operator) => ledger.possibleOptOuts.accept({ id, by: operator, nowMs: NOW })),
    );
    expect(both[0]).toEqual(both[1]);
    const { items } = await ledger.suppressions.list({ chatId: writer.chatId, withRemoved: true });
    expect(items).toHaveLength(1);
  });

  it('or dismissing wins when two operators decide at the same time', async () => {
    const writer = aWriter();
    await writer.writes();
    const id = await writer.id();
    const [accepted, dismissed] = await Promise.allSettled([
      ledger.possibleOptOuts.accept({ id, by, nowMs: NOW }),
      ledger.possibleOptOuts.dismiss({ id, by, nowMs: NOW }),
    ]);
    expect(accepted.status).toBe('fulfilled');
    if (dismissed.status === 'rejected') expect(dismissed.reason).toMatchObject({ code: 'POSSIBLE_OPT_OUT_ACCEPTED' });
    expect(await writer.isSuppressed()).toBe(true);
  });
});

describe('dismissing', () => {
  it('POSSIBLE-4, POSSIBLE-5 closes it, and the same text is not listed again', async () => {
    const writer = aWriter();
    await writer.writes('Bus stop at 5');
    const id = await writer.id();
    const dismissed = await ledger.possibleOptOuts.dismiss({ id, by, nowMs: NOW });
    expect(dismissed).toMatchObject({ state: 'dismissed', decidedBy: by });
    expect(await ledger.possibleOptOuts.dismiss({ id, by: 'another', nowMs: NOW + 1 })).toEqual(dismissed);
    expect(await writer.writes('bus stop, at 5!')).toBe('dismissed');
    expect(await writer.writes('stop this')).toBe('open');
    expect(await writer.isSuppressed()).toBe(false);
  });

  it('POSSIBLE-4 may be followed by accepting, not the other way round', async () => {
    const writer = aWriter();
    await writer.writes();
    const id = await writer.id();
    await ledger.possibleOptOuts.dismiss({ id, by, nowMs: NOW });
    await ledger.possibleOptOuts.accept({ id, by, nowMs: NOW });
    await expect(ledger.possibleOptOuts.dismiss({ id, by, nowMs: NOW })).rejects.toMatchObject({
      code: 'POSSIBLE_OPT_OUT_ACCEPTED',
    });
    expect(await writer.isSuppressed()).toBe(true);
  });

  it.each(['accept', 'dismiss'] as const)('and accepting refuse an unknown id (%s)', async (decide) => {
    await expect(ledger.possibleOptOuts[decide]({ id: 'pos_none', by, nowMs: NOW })).rejects.toMatchObject({
      code: 'POSSIBLE_OPT_OUT_NOT_FOUND',
    });
  });
});
