/** The list itself: SUPPRESS-1 and SUPPRESS-3 to SUPPRESS-6. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Suppression } from '../../../src/contract/index.js';
import type { OptOutMessage } from '../../../src/ledger/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { MINUTE, NOW, SECOND } from '../cast.js';
import { runs } from '../../support/runs.js';

const ledger = useLedger();

/** A recipient of one test, and the entries and words of theirs. */
class Recipient {
  readonly chatId: string;
  readonly instance = `i-${randomUUID().slice(0, 8)}`;

  constructor(chatId = `1555${String(Math.floor(Math.random() * 1e10)).padStart(10, '0')}@c.us`) {
    this.chatId = chatId;
  }

  says(what: 'stop' | 'start', atMs = NOW, over: Partial<OptOutMessage> = {}) {
    const { instance, chatId } = this;
    const idMessage = `3EB0${randomUUID()}`;
    const said = { what, instance, chatId, word: what.toUpperCase(), idMessage, atMs, nowMs: atMs };
    return ledger.suppressions.applyWord({ ...said, ...over });
  }

  add(over: { instance?: string; scope?: 'marketing' | 'all'; note?: string } = {}) {
    return ledger.suppressions.add({ chatId: this.chatId, scope: 'marketing', nowMs: NOW, ...over });
  }

  async isKeptFrom(category: 'marketing' | 'transactional', instance = this.instance): Promise<boolean> {
    return (await ledger.suppressions.among([this.chatId], { instance, category })).size > 0;
  }

  async entries(withRemoved = true): Promise<Suppression[]> {
    return (await ledger.suppressions.list({ chatId: this.chatId, withRemoved })).items;
  }
}

describe('SUPPRESS-1 an entry', () => {
  it('suppresses marketing only, unless it is for all messages', async () => {
    const recipient = new Recipient();
    expect(await recipient.isKeptFrom('marketing')).toBe(false);
    await recipient.add();
    expect(await recipient.isKeptFrom('marketing')).toBe(true);
    expect(await recipient.isKeptFrom('transactional')).toBe(false);
    await recipient.add({ scope: 'all' });
    expect(await recipient.isKeptFrom('transactional')).toBe(true);
  });

  it('applies to every account, or to the given one', async () => {
    const [everywhere, here] = [new Recipient(), new Recipient()];
    await everywhere.add();
    await here.add({ instance: here.instance });
    expect(await everywhere.isKeptFrom('marketing', 'another')).toBe(true);
    expect(await here.isKeptFrom('marketing')).toBe(true);
    expect(await here.isKeptFrom('marketing', 'another')).toBe(false);
  });
});

describe('SUPPRESS-3 STOP words', () => {
  it('suppress their sender, with source, word, message and the gateway’s time', async () => {
    const recipient = new Recipient();
    const heard = { word: 'Baja', idMessage: `A-${recipient.instance}`, nowMs: NOW + MINUTE };
    expect(await recipient.says('stop', NOW, heard)).toEqual({ changed: 1, left: [] });
    expect(await recipient.entries()).toEqual([
      {
        id: expect.stringMatching(/^sup_[0-9a-hjkmnp-tv-z]{16}$/),
        chatId: recipient.chatId,
        instance: recipient.instance,
        scope: 'marketing',
        source: 'stop_word',
        since: new Date(NOW).toISOString(),
        recordedAt: new Date(NOW + MINUTE).toISOString(),
        word: 'Baja',
        idMessage: heard.idMessage,
      },
    ]);
    expect(await recipient.isKeptFrom('marketing', 'another')).toBe(false);
  });

  it('count once, also when they are repeated after an operator removed the entry', async () => {
    const recipient = new Recipient();
    const idMessage = `A-${recipient.instance}`;
    await recipient.says('stop', NOW, { idMessage });
    expect(await recipient.says('stop', NOW, { idMessage })).toEqual({ changed: 0, left: [] });
    await ledger.suppressions.remove({ chatId: recipient.chatId, nowMs: NOW + MINUTE });
    await recipient.says('stop', NOW, { idMessage });
    expect(await recipient.isKeptFrom('marketing')).toBe(false);
    expect(await recipient.entries()).toHaveLength(1);
  });

  it('are closed by a later START, which is kept as evidence', async () => {
    const recipient = new Recipient();
    await recipient.says('stop');
    expect(await recipient.says('start', NOW + SECOND, { word: 'Alta', idMessage: 'S1' })).toEqual({
      changed: 1,
      left: [],
    });
    expect(await recipient.isKeptFrom('marketing')).toBe(false);
    expect(await recipient.entries(false)).toEqual([]);
    expect(await recipient.entries()).toMatchObject([
      {
        removedAt: new Date(NOW + SECOND).toISOString(),
        removedBy: 'start_word',
        removedWord: 'Alta',
        removedIdMessage: 'S1',
      },
    ]);
  });

  it('have the same result in every order, with or without repetitions', async () => {
    const word = fc.record({ what: fc.constantFrom('stop' as const, 'start' as const), second: fc.nat({ max: 4 }) });
    const story = fc
      .array(word, { minLength: 1, maxLength: 6 })
      .chain((said) =>
        fc.tuple(
          fc.constant(said),
          fc.shuffledSubarray([...said.keys(), ...said.keys()], { minLength: said.length * 2 }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(story, async ([said, order]) => {
        const [inOrder, anyhow] = [new Recipient(), new Recipient()];
        const tell = (recipient: Recipient, index: number) =>
          recipient.says(said[index]!.what, NOW + said[index]!.second * SECOND, {
            idMessage: `${index}-${recipient.instance}`,
          });
        for (const index of [...said.keys()].toSorted((one, other) => said[one]!.second - said[other]!.second)) {
          await tell(inOrder, index);
        }
        for (const index of order) await tell(anyhow, index);

        const last = Math.max(...said.map(({ second }) => second));
        const isStopped = said.some(({ what, second }) => what === 'stop' && second === last);
        expect(await anyhow.isKeptFrom('marketing')).toBe(isStopped);
        expect(await told(anyhow)).toEqual(await told(inOrder));
      }),
      { numRuns: runs(40) },
    );
  });

  /** Everything that the list has on a recipient, except names that differ between recipients. */
  async function told(recipient: Recipient): Promise<unknown[]> {
    const facts = (await recipient.entries()).map(({ since, removedAt, idMessage, removedIdMessage }) => [
      since,
      removedAt,
      idMessage?.split('-')[0],
      removedIdMessage?.split('-')[0],
    ]);
    return facts.toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
  }

  it('are compared with a START that comes at once', async () => {
    const recipients = Array.from({ length: 5 }, () => new Recipient());
    await Promise.all(
      recipients.flatMap((recipient) => [recipient.says('start', NOW + SECOND), recipient.says('stop', NOW)]),
    );
    for (const recipient of recipients) expect(await recipient.isKeptFrom('marketing')).toBe(false);
  });
});

describe('SUPPRESS-4 a START', () => {
  it('keeps entries of an operator or a file, and is recorded in them', async () => {
    const recipient = new Recipient();
    const { entry } = await recipient.add();
    await ledger.suppressions.import({ chatIds: [recipient.chatId], scope: 'all', nowMs: NOW });
    await recipient.says('stop', NOW + SECOND);

    const { changed, left } = await recipient.says('start', NOW + MINUTE);

    expect(changed).toBe(1);
    expect(left).toContain(entry.id);
    expect(left).toHaveLength(2);
    expect(await recipient.isKeptFrom('transactional')).toBe(true);
    const startWordAt = new Date(NOW + MINUTE).toISOString();
    expect(await recipient.entries(false)).toMatchObject([{ startWordAt }, { startWordAt }]);
  });

  it('has no effect on other accounts', async () => {
    const recipient = new Recipient();
    await recipient.says('stop');
    await recipient.says('start', NOW + SECOND, { instance: 'another' });
    expect(await recipient.isKeptFrom('marketing')).toBe(true);
  });
});

describe('SUPPRESS-5 a removal', () => {
  it('keeps the entries with its time, and returns the entries that still apply', async () => {
    const recipient = new Recipient();
    const everywhere = await recipient.add();
    const here = await recipient.add({ instance: recipient.instance });
    const off = { chatId: recipient.chatId, instance: recipient.instance, nowMs: NOW + MINUTE };

    expect(await ledger.suppressions.remove(off)).toMatchObject({
      removed: [{ id: here.entry.id, removedBy: 'operator', removedAt: new Date(NOW + MINUTE).toISOString() }],
      left: [{ id: everywhere.entry.id }],
    });
    expect(await ledger.suppressions.remove(off)).toMatchObject({ removed: [], left: [{}] });
    expect(await ledger.suppressions.remove({ chatId: recipient.chatId, nowMs: NOW })).toMatchObject({ left: [] });
    expect(await recipient.entries()).toHaveLength(2);
    expect((await recipient.add()).isNew).toBe(true);
  });
});

describe('SUPPRESS-6 an entry', () => {
  it('is the same for every form of a recipient', async () => {
    const instance = `i-${randomUUID()}`;
    const asked = { instance, scope: 'marketing', nowMs: NOW } as const;
    const { entry } = await ledger.suppressions.add({ ...asked, chatId: '5215599990001@c.us' });
    expect(await ledger.suppressions.add({ ...asked, chatId: '525599990001@c.us' })).toEqual({ entry, isNew: false });
    await ledger.suppressions.remove({ chatId: '525599990001@c.us', nowMs: NOW });
    expect((await ledger.suppressions.add({ ...asked, chatId: '525599990001@c.us' })).isNew).toBe(true);
  });

  it('is imported once for the forms of a recipient, in one file and in two', async () => {
    const [long, short] = ['5215599990002@c.us', '525599990002@c.us'];
    const asked = { instance: `i-${randomUUID()}`, scope: 'marketing', nowMs: NOW } as const;
    expect(await ledger.suppressions.import({ ...asked, chatIds: [long, short] })).toEqual(new Set([long]));
    expect(await ledger.suppressions.import({ ...asked, chatIds: [short] })).toEqual(new Set());
    expect(await ledger.suppressions.among([short, long], { ...asked, category: 'marketing' })).toEqual(
      new Set([short, long]),
    );
  });
});

describe('SUPPRESS-6 a recipient', () => {
  it.each([
    ['5215512345678@c.us', '525512345678@c.us'],
    ['5491123456789@c.us', '541123456789@c.us'],
    ['5511987654321@c.us', '551187654321@c.us'],
  ])('is the same under %s and %s, whichever the entry names', async (long, short) => {
    const instance = `i-${randomUUID()}`;
    const ids = [long, short];
    for (const [told, asked] of [ids, ids.toReversed()] as [string, string][]) {
      const stop = { what: 'stop', instance, chatId: told, word: 'STOP', atMs: NOW, nowMs: NOW } as const;
      await ledger.suppressions.applyWord({ ...stop, idMessage: randomUUID() });
      expect(await ledger.suppressions.among([asked], { instance, category: 'marketing' })).toEqual(new Set([asked]));
      await ledger.suppressions.remove({ chatId: asked, nowMs: NOW });
      expect(await ledger.suppressions.among(ids, { instance, category: 'marketing' })).toEqual(new Set());
    }
  });

  it.each(['5511934567890@c.us', '15215512345678@c.us', '120363043968066561@g.us', '5215512345678@lid'])(
    '%s has no other form',
    async (chatId) => {
      const recipient = new Recipient(chatId);
      await recipient.add({ instance: recipient.instance });
      expect((await ledger.suppressions.list({ chatId, instance: recipient.instance })).items).toHaveLength(1);
      const others = ['551134567890@c.us', '1525512345678@c.us', '525512345678@c.us'];
      expect(await ledger.suppressions.among(others, { instance: recipient.instance, category: 'marketing' })).toEqual(
        new Set(),
      );
    },
  );
});
