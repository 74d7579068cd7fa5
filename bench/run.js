// What durability costs on this machine, as a table: npm run bench [-- size|pace|urgent|rate|webhooks|receipts]
//
// Silently, what takes minutes at most:
//
//   the two writes of every message, before its POST and after, beside a bare insert into the same kind of store
//   how long after kill -9 and a new start messages go on
//   messages a second from the API through workflow and worker to the simulated gateway, on the dev server
//
// With one, what campaigns and notifications cost; each is described in its own file, and takes numbers as that does:
//
//   size      campaigns of 1,000 to 100,000: time, memory, what they cost in Temporal    campaign-size.js, an hour and more
//   pace      how near a campaign comes to the gateway's pace                            campaign-pace.js, five minutes
//   urgent    how long single messages wait meanwhile                                    campaign-pace.js, six minutes
//   rate      messages a second where the gateway takes no time                          campaign-rate.js
//   webhooks  how long the gateway waits for its 200                                  webhooks.js, three minutes
//   receipts  how many receipts a second are stored and applied                       receipts.js, three minutes
//
// PostgreSQL is measured where its programs are found, or on the server that TEST_DATABASE_URL names. Nothing here is a
// test: a slow machine gets slow figures, not a failure.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measurePace, measureUrgent } from './campaign-pace.js';
import { measureRate } from './campaign-rate.js';
import { measureSizes } from './campaign-size.js';
import { measureEmbeddedLedger, measurePostgresLedger } from './ledger-writes.js';
import { measureReceipts } from './receipts.js';
import { measureRecovery } from './recovery.js';
import { quantile, table } from './table.js';
import { measureThroughput } from './throughput.js';
import { measureWebhooks } from './webhooks.js';

/** @param {number} ms */
const inSeconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;
const [what, ...numbers] = process.argv.slice(2);
const recipients = numbers.map(Number);
console.log(`Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})\n`);
switch (what) {
  case undefined:
    await measureMessages();
    break;
  case 'size':
    console.log(table(await measureSizes(recipients.length === 0 ? undefined : recipients)));
    break;
  case 'pace':
    console.log(table([await measurePace(recipients[0])]));
    break;
  case 'urgent':
    console.log(table(await measureUrgent(recipients[0])));
    break;
  case 'rate':
    console.log(table(await measureRate(recipients[0])));
    break;
  case 'webhooks':
    await inScratchDir(async (dir) => console.log(table([await measureWebhooks(dir, recipients[0])])));
    break;
  case 'receipts':
    await inScratchDir(async (dir) => console.log(table(await measureReceipts(dir, recipients[0]))));
    break;
  default:
    throw new Error(`There is no measurement '${what}': size, pace, urgent, rate, webhooks or receipts, or nothing.`);
}

async function measureMessages() {
  await inScratchDir(async (scratchDir) => {
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
      `One whose request was under way and lost: reconciled, and sent again, ${inSeconds(underWay.reconciledAfterMs)} after its claim`,
    );
  });
}

/** @param {(dir: string) => Promise<void>} work */
async function inScratchDir(work) {
  const dir = await mkdtemp(join(tmpdir(), 'everpost-bench-'));
  try {
    await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
