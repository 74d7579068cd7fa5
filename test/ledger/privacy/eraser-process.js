/*
 * A process that runs the erasures of a ledger in a data directory. It kills itself as `kill -9` does, in place of the
 * statement with the given number, or prints how many there were. It runs the build, which starts in a tenth of the time
 * of the sources.
 */
import { PGlite } from '@electric-sql/pglite';
import { atRest } from '../../../dist/codec/at-rest.js';
import { openLedger } from '../../../dist/ledger/index.js';
import { eraseRecipients } from '../../../dist/worker/retention-jobs.js';

const [dataDir = '', nowMs = '', most = 'Infinity'] = process.argv.slice(2);

const ledger = await openLedger({ dataDir }, { atRest: atRest(undefined) });
let statements = 0;
const { execProtocolStream } = PGlite.prototype;
/** @this {PGlite} @param {Parameters<typeof execProtocolStream>} given */
async function counted(...given) {
  statements += 1;
  if (statements > Number(most)) process.kill(process.pid, 'SIGKILL');
  return execProtocolStream.apply(this, given);
}
Object.defineProperty(PGlite.prototype, 'execProtocolStream', { value: counted });
const clock = { nowMs: () => Number(nowMs) };
await eraseRecipients({ ledger, keptForMs: 1_000, clock, log: () => undefined }).round();
process.stdout.write(`${statements}\n`);
// Until the process is killed.
setInterval(() => undefined, 1_000);
