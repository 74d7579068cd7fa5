/** Proves LID-1 to LID-3: a lid and the number that it belongs to are one recipient, whatever is known first. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KnownLid } from '../../../src/ledger/index.js';
import { runs } from '../../support/runs.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { Cast, NOW, SECOND } from '../cast.js';

const ledger = useLedger();

let counter = 0;

/** A recipient with a number of Mexico, which has two forms, and a lid. */
function aRecipient() {
  counter += 1;
  const number = `2${String(counter).padStart(9, '0')}`;
  const lid = `7${String(counter).padStart(14, '0')}@lid`;
  return { lid, chatId: `52${number}@c.us`, older: `521${number}@c.us`, instance: `i-${randomUUID().slice(0, 8)}` };
}

type Recipient = ReturnType<typeof aRecipient>;

const learn = (...pairs: readonly KnownLid[]) => ledger.lids.learn(pairs, 'notification', NOW);

function say(what: 'stop' | 'start', { instance }: Recipient, chatId: string, second = 0) {
  const atMs = NOW + second * SECOND;
  const idMessage = randomUUID();
  return ledger.suppressions.applyWord({ what, instance, chatId, word: what, idMessage, atMs, nowMs: NOW });
}

function suppressed({ instance }: Recipient, chatIds: readonly string[]): Promise<ReadonlySet<string>> {
  return ledger.suppressions.among(chatIds, { instance, category: 'marketing' });
}

describe('a known lid', () => {
  it('has the key of its number, and belongs to its forms', async () => {
    const { lid, chatId, older } = aRecipient();
    expect(await ledger.lids.formsOf(lid)).toEqual([lid]);
    await learn({ lid, chatId: older });
    expect(await ledger.lids.keysOf([lid, older, '77@lid'])).toEqual(
      new Map([
        [lid, chatId],
        [older, chatId],
        ['77@lid', '77@lid'],
      ]),
    );
    expect(await ledger.lids.formsOf(lid)).toEqual([lid, older, chatId]);
    expect(await ledger.lids.formsOf(chatId)).toEqual([chatId, older, lid]);
  });

  it.each([
    ['lid', 'number'],
    ['number', 'lid'],
  ])('is suppressed by a STOP that came from the %s before it was known, and so is the %s', async (from) => {
    const recipient = aRecipient();
    const { lid, chatId, older } = recipient;
    await say('stop', recipient, from === 'lid' ? lid : older);
    await learn({ lid, chatId });
    expect(await suppressed(recipient, [lid, chatId, older])).toEqual(new Set([lid, chatId, older]));
  });

  it('is suppressed by entries of operators and files, in both directions', async () => {
    const [one, other] = [aRecipient(), aRecipient()];
    await learn({ lid: one.lid, chatId: one.chatId });
    await ledger.suppressions.add({ chatId: one.lid, scope: 'marketing', nowMs: NOW });
    expect(await suppressed(one, [one.older])).toEqual(new Set([one.older]));
    await ledger.suppressions.import({ chatIds: [other.lid], scope: 'marketing', nowMs: NOW });
    await learn({ lid: other.lid, chatId: other.chatId });
    expect(await suppressed(other, [other.older])).toEqual(new Set([other.older]));
    expect(await ledger.suppressions.import({ chatIds: [other.older], scope: 'marketing', nowMs: NOW })).toEqual(
      new Set(),
    );
    const { removed } = await ledger.suppressions.remove({ chatId: other.older, nowMs: NOW });
    expect(removed).toHaveLength(1);
    expect(await suppressed(other, [other.lid, other.chatId])).toEqual(new Set());
  });

  it('ends pending messages to the other form', async () => {
    const recipient = aRecipient();
    await say('stop', recipient, recipient.lid);
    const { instance, older: chatId } = recipient;
    const id = await new Cast(ledger).pending({ instance, chatId, category: 'marketing' });
    await learn({ lid: recipient.lid, chatId: recipient.chatId });
    expect((await ledger.views.message(id, NOW))?.state).toBe('suppressed');
  });
});

describe('what was heard from a lid', () => {
  const heard = ({ instance }: Recipient, chatId: string, second: number) =>
    ledger.conversations.heard({ instance, chatId, receivedAtMs: NOW + second * SECOND }, NOW + second * SECOND);
  const senderOf = (pool: readonly string[], chatId: string) =>
    ledger.dispatch.chooseSender(pool, { chatId, category: 'marketing' }, NOW + 60 * SECOND);

  it.each([
    ['the lid', 'chatId'],
    ['the number', 'lid'],
  ] as const)('belongs to its number once it is learned, also for a message to %s', async (_, to) => {
    const recipient = aRecipient();
    const { lid, chatId, instance } = recipient;
    await heard(recipient, lid, 1);
    await learn({ lid, chatId });
    const other = `z-${randomUUID().slice(0, 8)}`;
    expect(await senderOf([other, instance], recipient[to])).toBe(instance);
  });

  it('does not replace what was heard later from the number', async () => {
    const [recipient, another] = [aRecipient(), aRecipient()];
    const { lid, chatId, instance } = recipient;
    await heard(recipient, lid, 1);
    await heard({ ...recipient, instance: another.instance }, chatId, 2);
    await heard(recipient, chatId, 0);
    await learn({ lid, chatId });
    expect(await senderOf([instance, another.instance], chatId)).toBe(another.instance);
    await heard(recipient, lid, 3);
    expect(await senderOf([another.instance, instance], chatId)).toBe(instance);
  });
});

describe('a lid that is shown with another number', () => {
  it('belongs to that number, and its opt-outs apply to both', async () => {
    const [before, after] = [aRecipient(), aRecipient()];
    const { lid, instance } = before;
    await learn({ lid, chatId: before.chatId });
    await say('stop', before, lid);
    await learn({ lid, chatId: after.chatId });
    expect(await ledger.lids.keysOf([lid])).toEqual(new Map([[lid, after.chatId]]));
    const ids = [lid, before.chatId, after.chatId, after.older];
    expect(await suppressed({ ...after, instance }, ids)).toEqual(new Set(ids));
  });
});

describe('STOP, START and what is learned about a lid', () => {
  it('have the same result in every order', async () => {
    const step = fc.oneof(
      fc.record({
        what: fc.constantFrom('stop' as const, 'start' as const),
        from: fc.constantFrom('lid' as const, 'chatId' as const, 'older' as const),
        second: fc.nat({ max: 4 }),
      }),
      fc.constant({ what: 'learn' as const, from: 'lid' as const, second: 0 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const recipient = aRecipient();
        const { lid, chatId, older } = recipient;
        for (const { what, from, second } of [...steps, { what: 'learn' as const, from: 'lid' as const, second: 0 }]) {
          if (what === 'learn') await learn({ lid, chatId });
          else await say(what, recipient, recipient[from], second);
        }
        const said = steps.flatMap(({ what, second }) => (what === 'learn' ? [] : [{ what, second }]));
        const last = Math.max(...said.map(({ second }) => second));
        const isStopped = said.some(({ what, second }) => what === 'stop' && second === last);
        expect(await suppressed(recipient, [lid, chatId, older])).toEqual(
          new Set(isStopped ? [lid, chatId, older] : []),
        );
      }),
      { numRuns: runs(40) },
    );
  });

  /** Proves LID-3. */
  it('have the same result when they come at once', async () => {
    const recipients = Array.from({ length: 8 }, aRecipient);
    await Promise.all(
      recipients.flatMap((recipient) => [
        say('stop', recipient, recipient.lid),
        learn({ lid: recipient.lid, chatId: recipient.chatId }),
      ]),
    );
    for (const recipient of recipients) {
      expect(await suppressed(recipient, [recipient.older])).toEqual(new Set([recipient.older]));
    }
  });
});
