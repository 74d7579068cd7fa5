import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { AppError, type MessageSnapshot } from '../../src/contract/index.js';
import type { Ledger, MessageView } from '../../src/ledger/index.js';
import { createChangeBell } from '../../src/api/index.js';
import { editMessage } from '../../src/api/existing-message.js';
import { editId, messageId } from '../../src/starter/ids.js';
import type { MessageRuns } from '../../src/starter/messages/message-runs.js';
import type { Wait } from '../../src/starter/temporal/temporal-call.js';
import { useLedger } from '../support/ledger/ledger.js';
import { SYSTEM_CLOCK } from './api-parts.js';

const ledger = useLedger();

/** A run that accepts the edit and answers nothing until the server closes. */
async function edit(_run: unknown, _edit: unknown, { signal }: Wait): Promise<'waiting'> {
  if (signal?.aborted === false) await once(signal, 'abort');
  return 'waiting';
}

const SENT: Partial<MessageView> = { state: 'sent', instance: 'main', content: { kind: 'text', text: 'Old' } };

describe('an edit that waits', () => {
  it('is answered with an error when the ledger becomes unavailable, and has no other effect', async () => {
    const id = messageId('main', 'waits');
    const failing: Ledger = {
      ...ledger,
      views: { ...ledger.views, message: () => Promise.resolve(SENT as MessageView) },
      edits: {
        ...ledger.edits,
        open: () =>
          Promise.resolve({ edit: { id: editId(id, 'e'), state: 'pending' }, message: {} as MessageSnapshot }),
        known: () => Promise.resolve(undefined),
        view: () => Promise.reject(new AppError('LEDGER_UNAVAILABLE', 'The ledger is away.')),
      },
    };
    const runs: Partial<MessageRuns> = { edit };
    const dependencies = {
      ledger: failing,
      runs: runs as MessageRuns,
      clock: SYSTEM_CLOCK,
      bell: createChangeBell(),
      wake: () => Promise.resolve(),
    };
    const asked = { editId: editId(id, 'e'), text: 'New', witness: 'loopback' };
    const waiting = editMessage(dependencies, id, asked, { timeoutMs: 60_000 });

    await expect(waiting).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE' });
  });
});
