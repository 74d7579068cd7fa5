// Measures the cost of durability on this machine: npm run bench [-- NAME [options]]
//
// Without a name, everpost is compared with its peers. Every other measurement is described in its own file. PostgreSQL
// is measured if its programs are installed. This is not a test: a slow machine gets slow figures, not a failure.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile, table } from './table.js';

/** @typedef {{ about: string, run: (args: readonly string[]) => Promise<void> }} Measurement */

/** @type {Readonly<Record<string, Measurement>>} */
const MEASUREMENTS = {
  peers: {
    about: 'everpost compared with its peers: --messages N, --rounds N, --only NAME,NAME, --smoke (half an hour)',
    run: async (args) => (await import('./compare.js')).comparePeers(args),
  },
  writes: {
    about: 'the two writes of every message, compared with a bare insert',
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
    about: 'how long messages take to continue after kill -9 and a restart',
    run: async () => {
      const { measureRecovery } = await import('./recovery.js');
      await inScratchDir(async (dir) => {
        const { notUnderWay, underWay } = await measureRecovery(dir);
        console.log(
          table([
            row('no request under way: from the restart to the acceptance, median', quantile(notUnderWay, 0.5)),
            row('the same, longest', Math.max(...notUnderWay)),
            row('request under way and lost: from its claim to the reconciliation', underWay.reconciledAfterMs),
          ]),
        );
      });
    },
  },
  pace: {
    about: "the share of the gateway's pace that a campaign reaches: [recipients] (five minutes)",
    run: async ([recipients]) => {
      const { measurePace } = await import('./campaign-pace.js');
      console.log(table([await measurePace(numberOf(recipients))]));
    },
  },
  urgent: {
    about:
      'how long urgent messages wait during a campaign and beside queued ones: [recipients] [queued] (ten minutes)',
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
  change: {
    about:
      'a change of a running campaign of a million: how soon it is answered, and the pace after it: [recipients] (six minutes)',
    run: async ([recipients]) => {
      const { measureChange } = await import('./campaign-change.js');
      console.log(table(await measureChange(numberOf(recipients))));
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
    about: 'how long the removal of old messages takes, and its effect on sending: [messages] (five minutes)',
    run: async ([messages]) => {
      const { measureRetention } = await import('./retention.js');
      console.log(table(await measureRetention(numberOf(messages))));
    },
  },
  receipts: {
    about: 'how many receipts a second are answered and applied: [receipts] (a minute)',
    run: async ([receipts]) => {
      const { measureReceipts } = await import('./receipts.js');
      await inScratchDir(async (dir) => console.log(table(await measureReceipts(dir, numberOf(receipts)))));
    },
  },
  idle: {
    about: 'the cost of 1,000 idle instances: [seconds] [instances] (five minutes)',
    run: async ([seconds, instances]) => {
      const { measureIdle } = await import('./idle.js');
      console.log(table(await measureIdle(numberOf(seconds), numberOf(instances))));
    },
  },
  'dev-idle': {
    about: 'the CPU and the memory of everpost dev while nothing is sent: [seconds] (two minutes)',
    run: async ([seconds]) => {
      const { measureDevIdle } = await import('./dev-idle.js');
      await inScratchDir(async (dir) => console.log(table(await measureDevIdle(dir, numberOf(seconds)))));
    },
  },
  instances: {
    about:
      'the share of their pace that 500 instances reach at once, and its cost: [seconds] [instances] [bullmq-everysec | bullmq-always] (five minutes)',
    run: async ([seconds, instances, peer]) => {
      const { measureInstances } = await import('./instances.js');
      console.log(table(await measureInstances(numberOf(seconds), numberOf(instances), peer)));
    },
  },
  sizing: {
    about: 'what a message needs: CPU, memory, connections, disk, actions in Temporal: [messages] (eight minutes)',
    run: async ([messages]) => {
      const { measureSizing } = await import('./sizing.js');
      console.log(table(await measureSizing(numberOf(messages))));
    },
  },
  starts: {
    about: 'when 500 idle instances post after a start of all campaigns, and after a kill: [instances] (four minutes)',
    run: async ([instances]) => {
      const { measureStarts } = await import('./instances.js');
      console.log(table(await measureStarts(numberOf(instances))));
    },
  },
  slow: {
    about: 'the share of the pace that campaigns reach if gateways respond late: [seconds] (four minutes)',
    run: async ([seconds]) => {
      const { measureSlowGateways } = await import('./slow-gateways.js');
      console.log(table(await measureSlowGateways(numberOf(seconds))));
    },
  },
  'temporal-away': {
    about: 'the delivery of messages accepted while Temporal is unavailable: [minutes] [messages] (an hour and more)',
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
  'open-runs': {
    about: 'how long new work waits while the runs of sent messages, all due at once, end: [runs] (five minutes)',
    run: async ([runs]) => {
      const { measureOpenRuns } = await import('./open-runs.js');
      console.log(table([await measureOpenRuns(numberOf(runs))]));
    },
  },
  latency: {
    about: 'how long a caller waits for the 202, and how long a message takes to reach the gateway (a minute)',
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
  'Measures the cost of durability on this machine. Without a name: peers. PostgreSQL is measured if it is installed.',
  '',
  ...Object.entries(MEASUREMENTS).map(([known, { about }]) => `  ${known.padEnd(15)}${about}`),
].join('\n');

// Exits on a signal, so that every process that was started here ends too.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const [first = 'peers', ...rest] = process.argv.slice(2);
const [name, args] = first.startsWith('-') ? ['peers', [first, ...rest]] : [first, rest];
const measurement = MEASUREMENTS[name];
if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(HELP);
} else if (measurement === undefined) {
  console.error(`Unknown measurement '${name}'.\n\n${HELP}`);
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
