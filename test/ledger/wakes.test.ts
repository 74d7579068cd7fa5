/** Announcements that an instance may have due messages, within one process and between two. */
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/index.js';
import { eventually } from '../support/eventually.js';
import { aLedger, useLedger } from '../support/ledger/ledger.js';

const ledger = useLedger();

function listener(from: Ledger = ledger) {
  const heard: string[] = [];
  return { heard, ...from.wakes.listen((instance) => heard.push(instance)) };
}

/** The listening connection may not be ready yet, and earlier announcements are lost. */
async function whileListening(names: readonly string[]): Promise<void> {
  const { heard, close } = listener();
  await eventually(() => {
    for (const name of names) ledger.wakes.announce(name);
    expect(heard).toEqual(expect.arrayContaining([...names]));
  });
  close();
}

describe('an announcement', () => {
  it('reaches every listener that has not closed', async () => {
    const [stays, leaves] = [listener(), listener()];
    await whileListening(['first']);
    leaves.close();
    leaves.close();
    const before = leaves.heard.length;
    ledger.wakes.announce('second');
    await eventually(() => expect(stays.heard).toContain('second'));
    expect(leaves.heard).toHaveLength(before);
    stays.close();
  });

  it('is sent once for all that come together', async () => {
    const { heard, close } = listener();
    await whileListening(['ready']);
    for (let times = 0; times < 1_000; times += 1) ledger.wakes.announce('busy');
    ledger.wakes.announce('last');
    await eventually(() => expect(heard).toContain('last'));
    expect(heard.filter((instance) => instance === 'busy').length).toBeLessThanOrEqual(2);
    close();
  });

  it('may contain any name that an instance has', async () => {
    await whileListening([`a-${'x'.repeat(62)}`, 'Z_9-']);
  });

  it('does nothing after the ledger was closed', async () => {
    const closed = await aLedger();
    const { heard } = listener(closed);
    await closed.close();
    closed.wakes.announce('gone');
    expect(heard).toEqual([]);
  });
});
