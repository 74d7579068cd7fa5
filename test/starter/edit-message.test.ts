import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/contract/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { createChangeBell } from '../../src/starter/index.js';
import { editMessageWith } from '../../src/starter/edit-message.js';
import { editId, messageId } from '../../src/starter/ids.js';
import type { MessageRuns, Wait } from '../../src/starter/message-runs.js';
import { aLedger } from '../support/ledger.js';
import { SYSTEM_CLOCK } from './api-parts.js';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.close());

/** A run that takes the edit and says no more until nothing listens any longer. */
async function edit(_id: unknown, _edit: unknown, { signal }: Wait): Promise<'waiting'> {
  if (signal?.aborted === false) await once(signal, 'abort');
  return 'waiting';
}

describe('an edit that waits', () => {
  it('is answered by an error when the ledger goes away meanwhile, and nothing else comes of that', async () => {
    let reads = 0;
    const failing: Ledger = {
      ...ledger,
      edits: {
        ...ledger.edits,
        view: (id) =>
          ++reads === 1
            ? ledger.edits.view(id)
            : Promise.reject(new AppError('LEDGER_UNAVAILABLE', 'The ledger is away.')),
      },
    };
    const runs: Partial<MessageRuns> = { edit };
    const editMessage = editMessageWith({
      ledger: failing,
      runs: runs as MessageRuns,
      clock: SYSTEM_CLOCK,
      bell: createChangeBell(),
      wake: () => Promise.resolve(),
      signalRuns: () => undefined,
    });
    const id = messageId('main', 'waits');

    const asked = { editId: editId(id, 'e'), text: 'New', witness: 'loopback' };
    const waiting = editMessage(id, asked, { timeoutMs: 60_000 });

    await expect(waiting).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE' });
  });
});
