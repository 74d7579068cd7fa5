/** The spans of receipts, by what the ledger has recorded of them. */
import { expect, it } from 'vitest';
import type { AppliedReceipt, SpanFacts, Tracing } from '../../src/contract/index.js';
import { createMessageSpans } from '../../src/tracing/index.js';
import { acceptedAs } from '../support/edits.js';
import { NOW, SECOND, useOwnCast } from '../ledger/cast.js';

const cast = useOwnCast();
const CONTEXT = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };

/** @returns the outcome and the code of the span of each receipt */
async function spansOf(...receipts: readonly Pick<AppliedReceipt, 'idMessage' | 'status' | 'atMs'>[]) {
  const spans: Pick<SpanFacts, 'outcome' | 'code'>[] = [];
  const tracing: Tracing = {
    begin: (_name, { outcome }) => ({ context: undefined, end: ({ code } = {}) => spans.push({ outcome, code }) }),
  };
  const clock = { nowMs: () => NOW };
  const { received, idle } = createMessageSpans({ tracing, ledger: cast.ledger, clock, log: () => undefined });
  received(receipts.map((one) => ({ ...one, instance: cast.instance, receivedAtMs: NOW })));
  await idle();
  return spans;
}

it.each([
  { returned: 'A1', what: 'of its message' },
  { returned: 'E1', what: 'of its own' },
])('a refused edit does not show its message as failed, with the id $what', async ({ returned }) => {
  const id = await cast.sent('A1', { trace: CONTEXT });
  const due = (await cast.claimEdit(await cast.edit(id, 'new')))!;
  await cast.recordEdit(due, acceptedAs(returned));
  const refused = { idMessage: returned, status: 'failed', atMs: NOW + SECOND } as const;
  await cast.receive(refused.idMessage, refused.status, { atMs: refused.atMs });

  expect(await cast.state(id)).toBe('sent');
  const sent = { idMessage: 'A1', status: 'sent', atMs: NOW };
  expect(await spansOf(sent, refused)).toEqual([
    { outcome: 'sent', code: undefined },
    { outcome: 'edit_failed', code: 'edit_failed' },
  ]);
});

it('a failed message is shown as failed', async () => {
  const id = await cast.accepted('A1', { trace: CONTEXT });
  await cast.receive('A1', 'failed');

  expect(await cast.state(id)).toBe('failed');
  const failed = { idMessage: 'A1', status: 'failed', atMs: NOW };
  expect(await spansOf(failed)).toEqual([{ outcome: 'failed', code: 'failed' }]);
});
