// What durability costs on this machine, as a table: npm run bench
//
//   the two writes of every message, before its POST and after, beside a bare insert into the same kind of store
//   how long after kill -9 and a new start messages go on
//   messages a second from the API through workflow and worker to the simulated gateway, on the dev server
//
// PostgreSQL is measured where its programs are found, or on the server that TEST_DATABASE_URL names. Nothing here is a test:
// a slow machine gets slow figures, not a failure.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureEmbeddedLedger, measurePostgresLedger } from './ledger-writes.js';
import { measureRecovery } from './recovery.js';
import { quantile, table } from './table.js';
import { measureThroughput } from './throughput.js';

/** @param {number} ms */
const inSeconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;
const scratchDir = await mkdtemp(join(tmpdir(), 'everpost-bench-'));
try {
  const { length: cores } = cpus();
  console.log(`Node ${process.versions.node}, ${cores} cores (${cpus()[0]?.model ?? 'unknown'})\n`);
  console.log('Writes of one message, one after the other, in milliseconds (median / 99th percentile):\n');
  const ledgers = [await measureEmbeddedLedger(scratchDir), await measurePostgresLedger()];
  console.log(table(ledgers.flatMap((ledger) => (ledger === undefined ? [] : [ledger]))));
  if (ledgers[1] === undefined) console.log('PostgreSQL was not found, so it is not measured.');
  const { messages, seconds } = await measureThroughput(scratchDir);
  console.log(
    `\n${messages} messages from POST /v1/messages to accepted, on \`everpost dev\`: ` +
      `${seconds.toFixed(1)} s, ${(messages / seconds).toFixed(0)} a second`,
  );
  const { notUnderWay, underWay } = await measureRecovery(scratchDir);
  console.log(
    `\nFrom ready again after kill -9 to accepted, ${notUnderWay.length} messages whose request was not under way: ` +
      `${inSeconds(quantile(notUnderWay, 0.5))} (median), ${inSeconds(Math.max(...notUnderWay))} (longest)`,
  );
  console.log(
    `One whose request was under way and lost: judged, and sent again, ${inSeconds(underWay.judgedAfterMs)} after its claim`,
  );
} finally {
  await rm(scratchDir, { recursive: true, force: true });
}
