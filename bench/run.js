// What durability costs on this machine: npm run bench [-- NAME [options]]
//
// Without a name everpost is compared with its peers. Every other measurement is described in its own file. PostgreSQL
// is measured where its programs are found. Nothing here is a test: a slow machine gets slow figures, not a failure.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile, table } from './table.js';

/** @typedef {{ about: string, run: (args: readonly string[]) => Promise<void> }} Measurement */

/** @type {Readonly<Record<string, Measurement>>} */
const MEASUREMENTS = {
  peers: {
    about: 'everpost beside its peers: --messages N, --rounds N, --only NAME,NAME, --smoke (half an hour)',
    run: async (args) => (await import('./compare.js')).comparePeers(args),
  },
  writes: {
    about: 'the two writes of every message beside a bare insert',
    run: async () => {
      const { measureEmbeddedLedger, measurePostgresLedger } = await import('./ledger-writes.js');
      await inScratchDir(async (dir) => {
        const ledgers = [await measureEmbeddedLedger(dir), await measurePostgresLedger()];
        console.log('Writes of one message, one after the other, in milliseconds (median / 99th percentile):\n');
        console.log(table(ledgers.flatMap((ledger) => (ledger === undefined ? [] : [ledger]))));
        if (ledgers[1] === undefined) console.log('PostgreSQL was not found, so it is not measured.');
      });
    },
  },
  recovery: {
    about: 'how long after kill -9 and a new start messages continue',
    run: async () => {
      const { measureRecovery } = await import('./recovery.js');
      await inScratchDir(async (dir) => {
        const { notUnderWay, underWay } = await measureRecovery(dir);
        console.log(
          table([
            row('no request was under way: from ready again to accepted, median', quantile(notUnderWay, 0.5)),
            row('the same, longest', Math.max(...notUnderWay)),
            row(
              'its request was under way, and lost: from its claim to the reconciliation',
              underWay.reconciledAfterMs,
            ),
          ]),
        );
      });
    },
  },
  pace: {
    about: "how near a campaign comes to the gateway's pace: [recipients] (five minutes)",
    run: async ([recipients]) => {
      const { measurePace } = await import('./campaign-pace.js');
      console.log(table([await measurePace(numberOf(recipients))]));
    },
  },
  urgent: {
    about: 'how long urgent messages wait beside a campaign and queued ones: [recipients] [queued] (ten minutes)',
    run: async ([recipients, queued]) => {
      const { measureUrgent } = await import('./campaign-pace.js');
      console.log(table(await measureUrgent(numberOf(recipients), numberOf(queued))));
    },
  },
  size: {
    about: 'campaigns of 1,000 to 100,000: time, memory, cost in Temporal: [recipients …] (an hour and more)',
    run: async (recipients) => {
      const { measureSizes } = await import('./campaign-size.js');
      console.log(table(await measureSizes(recipients.length === 0 ? undefined : recipients.map(Number))));
    },
  },
  memory: {
    about: 'heap of worker and API after campaigns of 1,000 to 1,000,000: [recipients …] (fifteen minutes)',
    run: async (recipients) => {
      const { measureMemory } = await import('./memory.js');
      console.log(table(await measureMemory(recipients.length === 0 ? undefined : recipients.map(Number))));
    },
  },
  import: {
    about: 'how long the import of recipients takes: [recipients]',
    run: async ([recipients]) => {
      const { measureImports } = await import('./import.js');
      console.log(table(await measureImports(numberOf(recipients))));
    },
  },
  retention: {
    about: 'how long the removal of old messages takes, and what sending feels of it: [messages] (five minutes)',
    run: async ([messages]) => {
      const { measureRetention } = await import('./retention.js');
      console.log(table(await measureRetention(numberOf(messages))));
    },
  },
  receipts: {
    about: 'how many receipts a second are stored and applied: [receipts] (three minutes)',
    run: async ([receipts]) => {
      const { measureReceipts } = await import('./receipts.js');
      await inScratchDir(async (dir) => console.log(table(await measureReceipts(dir, numberOf(receipts)))));
    },
  },
  idle: {
    about: 'what 1,000 instances with nothing to send cost: [seconds] [instances] (five minutes)',
    run: async ([seconds, instances]) => {
      const { measureIdle } = await import('./idle.js');
      console.log(table(await measureIdle(numberOf(seconds), numberOf(instances))));
    },
  },
  instances: {
    about: 'how near 500 instances at once come to their pace: [seconds] [instances] (five minutes)',
    run: async ([seconds, instances]) => {
      const { measureInstances } = await import('./instances.js');
      console.log(table(await measureInstances(numberOf(seconds), numberOf(instances))));
    },
  },
  slow: {
    about: 'how near campaigns come to the pace of gateways that respond late: [seconds] (four minutes)',
    run: async ([seconds]) => {
      const { measureSlowGateways } = await import('./slow-gateways.js');
      console.log(table(await measureSlowGateways(numberOf(seconds))));
    },
  },
  'temporal-away': {
    about: 'what becomes of messages accepted while Temporal is away: [minutes] [messages] (an hour and more)',
    run: async ([minutes, messages]) => {
      const { measureTemporalAway } = await import('./temporal-away.js');
      console.log(table(await measureTemporalAway(numberOf(minutes), numberOf(messages))));
    },
  },
  'catch-up': {
    about: 'how soon the workflows of single messages follow: [messages] (a minute)',
    run: async ([messages]) => {
      const { measureCatchUp } = await import('./catch-up.js');
      console.log(table([await measureCatchUp(numberOf(messages))]));
    },
  },
  latency: {
    about: 'how long a caller waits for the 202, and a message for the gateway (a minute)',
    run: async () => {
      const { measureLatency } = await import('./latency.js');
      await inScratchDir(async (dir) => console.log(table(await measureLatency(dir))));
    },
  },
  webhooks: {
    about: 'how long the gateway waits for the 200: [seconds] (three minutes)',
    run: async ([seconds]) => {
      const { measureWebhooks } = await import('./webhooks.js');
      await inScratchDir(async (dir) => console.log(table([await measureWebhooks(dir, numberOf(seconds))])));
    },
  },
};

const HELP = [
  'Usage: npm run bench [-- NAME [options]]',
  '',
  'Measures what durability costs on this machine. Without a name: peers. PostgreSQL is measured where it is found.',
  '',
  ...Object.entries(MEASUREMENTS).map(([known, { about }]) => `  ${known.padEnd(15)}${about}`),
].join('\n');

// Ends as an exit, so that every process that was started here is ended with it.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const [first = 'peers', ...rest] = process.argv.slice(2);
const [name, args] = first.startsWith('-') ? ['peers', [first, ...rest]] : [first, rest];
const measurement = MEASUREMENTS[name];
if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(HELP);
} else if (measurement === undefined) {
  console.error(`There is no measurement '${name}'.\n\n${HELP}`);
  process.exitCode = 2;
} else {
  console.log(`Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})\n`);
  await measurement.run(args);
}

/**
 * @param {string} message
 * @param {number} ms
 */
function row(message, ms) {
  return { 'a message after kill -9': message, seconds: (ms / 1_000).toFixed(1) };
}

/** @param {string | undefined} word */
function numberOf(word) {
  return word === undefined ? undefined : Number(word);
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
