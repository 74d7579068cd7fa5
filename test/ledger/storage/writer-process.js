/*
 * A process that writes to a ledger in a data directory until it is killed, and prints the id of each message after the
 * ledger acknowledged it. It runs the build, which starts in a tenth of the time of the sources.
 */
import { atRest } from '../../../dist/codec/at-rest.js';
import { openLedger } from '../../../dist/ledger/index.js';
import { messageId } from '../../../dist/starter/ids.js';

const [dataDir = ''] = process.argv.slice(2);
const ledger = await openLedger({ dataDir }, { atRest: atRest(undefined) });
const shift = { instance: 'main', try: { run: 'run', shift: 1, attempt: 1 }, worker: 'w' };
const deadlines = { postingDeadlineMs: 2_000, reconcileAfterMs: 3_000 };
const room = { urgent: 9, high: 9, normal: 9, low: 9 };
await ledger.dispatch.beginShift(shift, 1_000);
for (let n = 0; ; n += 1) {
  const id = messageId('main', String(n));
  const request = {
    instance: 'main',
    chatId: '15550001111@c.us',
    content: { kind: /** @type {const} */ ('text'), text: id },
  };
  await ledger.intake.open({ id, requestHash: 'h', request, expiresAtMs: 10_000, nowMs: 1_000 });
  const { claimed } = await ledger.dispatch.tick({
    wants: [{ shift, free: 1, room, busyRecipients: [], lowerFirst: false, ...deadlines }],
    outcomes: [],
    nowMs: 1_000,
  });
  const token = claimed[0]?.token ?? '';
  await ledger.dispatch.recordOutcomes([
    { token, outcome: { kind: 'accepted', idMessage: token, httpStatus: 200 }, atMs: 1_000 },
  ]);
  process.stdout.write(`${id}\n`);
}
