/**
 * Every command of README and docs, run in a reader's order, against one `everpost dev`.
 *
 * A block that cannot be run here has the comment `<!-- not run: reason -->` above it and a line in NOT_RUN below; a
 * block's preconditions are `<!-- before: command -->`. Both are invisible to readers. `npx everpost dev` itself runs
 * too: in README as a process of its own, elsewhere in this process where no shell is needed.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTemporalCli } from '../../src/tools/local-temporal/index.js';
import { aDataDir } from '../support/ledger/embedded-database.js';
import { controlGateway } from '../../src/testing/index.js';
import { binaryOptions } from '../support/temporal/temporal-programs.js';
import { startDev, type DevProcess } from '../cli/run/dev-process.js';
import { problemsOf } from './known-command.js';
import { commandBlocks, inlineCommands, unlabelledCommands } from './markdown.js';
import { aShell, type Shell } from './shell.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'test/README.md', ...filesIn('docs', '.md')];

/** Every block that is not run, by its first command, with the reason. */
const NOT_RUN: readonly string[] = [
  'README.md: npm ci (installs the package, and the demo takes a minute)',
  'docs/account.md: npx everpost group snapshot 120363043968066561@g.us      # stores it, and shows what changed since the last time (needs a group that the account is in)',
  'docs/clients.md: node examples/send-http.js http://127.0.0.1:8080 (needs the address that everpost dev prints)',
  'docs/getting-started.md: npm ci (installs the package, and the demo takes a minute)',
  'docs/getting-started.md: npm link                                              # puts everpost on PATH (changes the machine)',
  'docs/getting-started.md: chmod 600 instances.json (needs an account at a gateway)',
  'docs/getting-started.md: npx everpost dev (needs an account at a gateway)',
  'docs/getting-started.md: npx everpost doctor --fix (needs an account at a gateway)',
  'docs/guarantees.md: npx everpost prove --kills 12 --messages 48 --seed 1 (takes several minutes)',
  `docs/guarantees.md: npm run soak                                    # needs PostgreSQL's programs
npm run soak -- --minutes 15 --leak memory      # must fail: each message leaves 1 kB behind
npm run soak -- --minutes 15 --leak connection  # must fail: every twentieth message leaves a connection open (takes half an hour)`,
  'docs/instances.md: npx everpost instance show main                                          # state, connection, since when (needs a queue that stands still)',
  'docs/metrics.md: promtool test rules deploy/prometheus/everpost.rules.test.yml (needs promtool)',
  'docs/operate.md: npx everpost migrate            # once, with a database user that may change tables (needs PostgreSQL and a Temporal server)',
  'docs/operate.md: sh deploy/prepare.sh (needs a Docker engine)',
  "docs/operate.md: npm run stack -- --keep         # prints the addresses, and runs until Ctrl-C (builds Temporal's server for a quarter of an hour)",
  'docs/operate.md: kubectl create namespace everpost (needs a cluster)',
  'docs/operate.md: kubectl --namespace everpost delete job everpost-migrate --ignore-not-found (needs a cluster)',
  'docs/operate.md: npm run kubernetes              # needs Go 1.26 (builds Go programs for minutes)',
  'docs/operate.md: npm ci && npm pack (changes the machine)',
  'docs/operate.md: docker compose logs worker api | grep msg_… (needs a worker that runs under compose)',
  'docs/operate.md: npx everpost migrate --dry-run  # of the new version: which migrations the ledger lacks (needs PostgreSQL and a new version)',
  'docs/operate.md: temporal worker deployment set-current-version --deployment-name everpost --build-id 0.1.0 --yes (needs workers of two versions)',
  'docs/recover.md: pg_dump --format=custom --file=ledger.dump "$DATABASE_URL" (needs PostgreSQL)',
  'docs/recover.md: pg_restore --clean --if-exists --dbname="$DATABASE_URL" ledger.dump (needs PostgreSQL)',
  'docs/recover.md: npx everpost backup ledger.backup (needs a data directory that no process uses)',
  'docs/recover.md: npx everpost message resolve msg_7k3m9x2q --as not_accepted (needs a message in doubt)',
  `docs/scale.md:    tcld namespace search-attributes add --namespace everpost.a1b2c --sa "EverpostInstance=KeywordList" \\
     --sa "EverpostState=Keyword" --sa "EverpostKind=Keyword" --sa "EverpostCampaign=Keyword" (needs Temporal Cloud)`,
  'docs/send-and-edit.md: npx everpost send --to 15551234567 --file ./menu.jpg --caption "Today" --wait delivered (needs a picture)',
  'docs/testing.md: npm install --save-dev @everpost/testing (installs the package)',
  'docs/traces.md: docker run --rm -p 127.0.0.1:4318:4318 -p 127.0.0.1:16686:16686 jaegertracing/jaeger:2.15.0 (needs a Docker engine)',
  'docs/traces.md: OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 npx everpost dev (needs the collector of the block above)',
];

function filesIn(folder: string, ending: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true }).map(String);
  return names
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)
    .toSorted();
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

const BLOCKS = DOCUMENTS.map((file) => ({ file, blocks: commandBlocks(textOf(file)) }));

describe('every documented command', () => {
  it('exists, with its options', () => {
    const problems = DOCUMENTS.flatMap((file) =>
      [
        ...commandBlocks(textOf(file)).flatMap(({ commands, before }) => [...before, ...commands]),
        ...inlineCommands(textOf(file)),
      ].flatMap((command) => problemsOf(command).map((problem) => `${file}: ${problem} (${command})`)),
    );
    expect(problems).toEqual([]);
  });

  it('exists in the comments of the examples, too', () => {
    const problems = ['.yaml', '.ts']
      .flatMap((ending) => filesIn('examples', ending))
      .flatMap((file) =>
        Array.from(
          textOf(file).matchAll(/^\s*(?:#|\/\/|\*)\s*(npx everpost .*)$/gm),
          ([, command = '']) => command,
        ).flatMap((command) => problemsOf(command).map((problem) => `${file}: ${problem}`)),
      );
    expect(problems).toEqual([]);
  });

  it('is in a block that is marked as commands', () => {
    expect(DOCUMENTS.flatMap((file) => unlabelledCommands(textOf(file)))).toEqual([]);
  });

  it('is run below, except for those that are listed here with their reasons', () => {
    const notRun = BLOCKS.flatMap(({ file, blocks }) =>
      blocks.flatMap(({ commands, notRun: reason }) =>
        reason === undefined ? [] : [`${file}: ${commands[0]} (${reason})`],
      ),
    );
    expect(notRun).toEqual(NOT_RUN);
  });
});

describe('the commands of', () => {
  let folder: string;
  let dataDir: string;
  let dev: DevProcess;
  let callbacks: Server;
  let temporalCli: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'everpost-docs-'));
    temporalCli = (await findTemporalCli(binaryOptions('TEMPORAL_CLI_PATH'))).path;
    callbacks = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    await once(callbacks, 'listening');
    // Reviews are polled each second, and the gateway sends at once instead of two
    // messages a second; all else is as for a reader.
    dataDir = await aDataDir();
    dev = await startDev(dataDir, {
      EVERPOST_TEMPLATE_POLL_INTERVALS: '1s',
    });
    const pace = { delaySendMessagesMilliseconds: 20 };
    await controlGateway(dev.facts.simulatorUrl ?? '').patchInstance({ settings: pace });
  });
  afterAll(async () => {
    await dev.end('SIGTERM');
    callbacks.close();
    for (const made of [folder, dataDir]) rmSync(made, { recursive: true });
  });

  function shellFor(file: string): Shell {
    const { port } = callbacks.address() as AddressInfo;
    const callbackUrl = `http://127.0.0.1:${port}/hook`;
    const asProcesses = file === 'README.md';
    return aShell({ folder, dev: dev.facts, temporalCli, callbackUrl, asProcesses }, DOCUMENTS.indexOf(file));
  }

  const runnable = BLOCKS.map(({ file, blocks }) => ({
    file,
    blocks: blocks.filter(({ notRun }) => notRun === undefined),
  }));
  describe.for(runnable.filter(({ blocks }) => blocks.length > 0))('$file', ({ file, blocks }) => {
    let shell: Shell;
    beforeAll(() => {
      shell = shellFor(file);
    });

    for (const { commands, before } of blocks) {
      it(`${commands[0]?.split('\n')[0]} …`, async () => {
        for (const command of [...before, ...commands]) {
          if (/^npx everpost dev\b/.test(command)) continue;
          const { code, output } = await shell.run(command);
          expect({ command, code, output }).toEqual({ command, code: 0, output: expect.anything() as string });
        }
      });
    }
  });

  it('docs/templates.md end with a delivered template', async () => {
    const delivered = await fetch(`${dev.facts.simulatorUrl}/_sim/delivered?chatId=15551234567@c.us`);
    const texts = ((await delivered.json()) as { text: string }[]).map(({ text }) => text);
    expect(texts).toContain('Your order 17 is ready at counter 4.');
  });
});
