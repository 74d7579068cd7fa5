import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  findTemporalCli,
  startDevServer,
  type DevServer,
  type DevServerOptions,
} from '../../../src/tools/local-temporal/index.js';
import { endProcess } from '../../../src/tools/local-temporal/server-record.js';
import { processStart } from '../../../src/process/index.js';
import { endOrphan } from '../../../src/tools/local-temporal/server-record.js';
import { binaryOptions } from '../../support/temporal/temporal-programs.js';
import { eventually } from '../../support/eventually.js';

const COLOUR = defineSearchAttributeKey('Colour', 'KEYWORD');

/** Output of the server after its listener has gone. */
const PANIC = `panic: runtime error: invalid memory address or nil pointer dereference

goroutine 131 [running]:
google.golang.org/grpc.(*Server).Serve(0x43cb9985b08, {0x0, 0x0})`;

let cliPath: string;
let dir: string;
let started: DevServer[];

// The first run on a machine downloads the program.
beforeAll(async () => {
  cliPath = (await findTemporalCli(binaryOptions('TEMPORAL_CLI_PATH'))).path;
}, 240_000);

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'everpost-server-'));
  started = [];
});

afterEach(async () => {
  // The rest needs no orderly end, which takes a second.
  for (const { pid } of started) if (processStart(pid) !== undefined) process.kill(pid, 'SIGKILL');
  await Promise.all(started.map((server) => server.stop()));
  await rm(dir, { recursive: true, force: true });
});

async function start(overrides: Partial<DevServerOptions> = {}): Promise<DevServer> {
  const server = await startDevServer({
    cliPath,
    port: 0,
    namespace: 'default',
    searchAttributes: { Colour: 'Keyword' },
    logFile: join(dir, 'temporal.log'),
    ...overrides,
  });
  started.push(server);
  return server;
}

async function withClient<T>(server: DevServer, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: server.address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

/** A process that runs forever, in place of an orphaned server. */
async function bystander(
  shell = 'echo up; exec sleep 600',
): Promise<{ pid: number; exited: Promise<unknown>; end(): void }> {
  const child = spawn('/bin/sh', ['-c', shell], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  return { pid: child.pid ?? 0, exited: once(child, 'exit'), end: () => child.kill('SIGKILL') };
}

describe("Temporal's dev server", () => {
  test('ends at once when its start is cancelled', async () => {
    const silent = join(dir, 'temporal');
    await writeFile(silent, '#!/bin/sh\necho up >&2\nexec sleep 600\n');
    await chmod(silent, 0o755);
    const recordFile = join(dir, 'temporal.json');
    const stopping = new AbortController();
    const starting = startDevServer({
      cliPath: silent,
      port: 0,
      namespace: 'default',
      searchAttributes: {},
      logFile: join(dir, 'temporal.log'),
      recordFile,
      stopping: stopping.signal,
    });
    const record = await eventually(async () => JSON.parse(await readFile(recordFile, 'utf8')) as { pid: number });
    expect(processStart(record.pid)).toBeDefined();
    stopping.abort(new Error('someone pressed Ctrl-C'));
    await expect(starting).rejects.toThrow('someone pressed Ctrl-C');
    expect(processStart(record.pid)).toBeUndefined();
  });

  test('answers, has the search attributes at once, shows its Web UI, and is gone after stop', async () => {
    const server = await start({ uiPort: 0 });
    const description = await withClient(server, async (client) => {
      const handle = await client.workflow.start('anything', {
        workflowId: 'w1',
        taskQueue: 'missing',
        typedSearchAttributes: [{ key: COLOUR, value: 'red' }],
      });
      return handle.describe();
    });
    expect(description.typedSearchAttributes.get(COLOUR)).toBe('red');
    expect((await fetch(`${server.uiUrl}/`)).status).toBe(200);

    await server.stop();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(processStart(server.pid)).toBeUndefined();
    await server.stop();
  });

  test('fails on a port that another program uses', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      await expect(start({ port })).rejects.toMatchObject({
        code: 'PORT_IN_USE',
        message: expect.stringContaining(`127.0.0.1:${port}`),
      });
      await expect(start({ uiPort: port })).rejects.toMatchObject({ code: 'PORT_IN_USE' });
    } finally {
      other.close();
    }
  });

  test('uses another port when the requested one is only preferred; gets no Ctrl-C of the terminal, and reports when it ends by itself', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      const server = await start({ port, orOtherPorts: true });
      expect(server.address).not.toBe(`127.0.0.1:${port}`);
      // Signal 0 to a negative pid checks for a process group of that number: it leads its own.
      expect(process.kill(-server.pid, 0)).toBe(true);
      process.kill(server.pid, 'SIGKILL');
      expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' });
    } finally {
      other.close();
    }
  });

  test('is distinguished from another server that took its port first and answers there', async () => {
    const [late, firstPid] = [join(dir, 'temporal'), join(dir, 'first.pid')];
    // At its first start another server took the port before it; when that one answers, it finds the port taken and
    // ends.
    await writeFile(
      late,
      `#!/bin/sh
[ -e '${firstPid}' ] && exec '${cliPath}' "$@"
'${cliPath}' "$@" >'${join(dir, 'first.log')}' 2>&1 &
echo $! >'${firstPid}'
until grep -q 'Temporal Server:' '${join(dir, 'first.log')}'; do sleep 0.05; done
sleep 1
echo 'Error: listen tcp: bind: address already in use' >&2
exit 1
`,
    );
    await chmod(late, 0o755);
    try {
      const server = await start({ cliPath: late });
      // So that no other server can answer in its place.
      process.kill(Number(await readFile(firstPid, 'utf8')), 'SIGSTOP');
      expect((await withClient(server, (client) => client.workflowService.getSystemInfo({}))).serverVersion).toMatch(
        /^1\./,
      );
      expect(processStart(server.pid)).toBeDefined();
    } finally {
      process.kill(Number(await readFile(firstPid, 'utf8')), 'SIGKILL');
    }
  });

  test('reports its last output when it ends before it answers', async () => {
    const broken = join(dir, 'temporal');
    await writeFile(broken, '#!/bin/sh\necho "Error: the disk is full" >&2\nexit 1\n');
    await chmod(broken, 0o755);
    await expect(start({ cliPath: broken })).rejects.toMatchObject({
      code: 'TEMPORAL_UNAVAILABLE',
      message: expect.stringMatching(/did not start: the disk is full\. Its log is .*temporal\.log/),
    });
    await expect(start({ cliPath: join(dir, 'nowhere') })).rejects.toMatchObject({
      code: 'TEMPORAL_UNAVAILABLE',
      message: expect.stringContaining('the program cannot be run'),
    });
  });

  test('is started again when it panics because a port that it chose is taken', async () => {
    const [panicking, panicked] = [join(dir, 'temporal'), join(dir, 'panicked')];
    await writeFile(
      panicking,
      `#!/bin/sh
[ -e '${panicked}' ] && exec '${cliPath}' "$@"
touch '${panicked}'
cat >&2 <<'END'
time=2026-11-22T17:42:58.635 level=ERROR msg="Failed to start gRPC listener" error="listen tcp 127.0.0.1:40012: bind: address already in use" service=matching address=127.0.0.1:40012
${PANIC}
END
exit 2
`,
    );
    await chmod(panicking, 0o755);
    const server = await start({ cliPath: panicking });
    expect(await withClient(server, (client) => client.workflowService.getSystemInfo({}))).toBeDefined();
    expect(await readFile(join(dir, 'temporal.log'), 'utf8')).toContain('goroutine 131');
  });

  test('reports the lines before the stack, and its exit code, when it panics', async () => {
    const broken = join(dir, 'temporal');
    const lines = 'level=WARN msg="Cluster Id is not a valid uuid"\nlevel=ERROR msg="unable to read the schema"';
    await writeFile(broken, `#!/bin/sh\ncat >&2 <<'END'\n${lines}\n${PANIC}\nEND\nexit 2\n`);
    await chmod(broken, 0o755);
    const failure = await start({ cliPath: broken }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'TEMPORAL_UNAVAILABLE' });
    expect(String(failure)).toContain('it ended with code 2; the last lines of its log: ');
    expect(String(failure)).toContain('level=ERROR msg="unable to read the schema" | panic: runtime error');
    expect(String(failure)).not.toContain('goroutine');
  });
});

describe('an orphaned server of a killed everpost', () => {
  test('is ended by the next start on the same data directory, which keeps its workflows and refuses another start', async () => {
    const recordFile = join(dir, 'temporal.json');
    const dbFilename = join(dir, 'temporal.db');
    const orphan = await start({ recordFile, dbFilename });
    await withClient(orphan, (client) =>
      client.workflow.start('anything', { workflowId: 'kept', taskQueue: 'missing' }),
    );
    const record = JSON.parse(await readFile(recordFile, 'utf8')) as Record<string, unknown>;
    await writeFile(recordFile, JSON.stringify({ ...record, ownerIdentity: 'a process that was killed' }));

    const notices: string[] = [];
    const next = await start({ recordFile, dbFilename, notice: (text) => notices.push(text) });
    expect(await orphan.exited).toMatchObject({ signal: null });
    expect(notices).toEqual([`Ended the Temporal server of an earlier start (pid ${orphan.pid}).`]);
    expect(next.pid).not.toBe(orphan.pid);
    const kept = await withClient(next, (client) => client.workflow.getHandle('kept').describe());
    expect(kept.status.name).toBe('RUNNING');

    await expect(start({ recordFile })).rejects.toMatchObject({
      code: 'DATA_DIR_IN_USE',
      message: expect.stringContaining(`(pid ${process.pid})`),
    });
    expect(processStart(next.pid)).toBeDefined();
  });

  test('is distinguished from another process that got its pid', async () => {
    const recordFile = join(dir, 'temporal.json');
    const unmatched = await bystander();
    try {
      const record = { pid: unmatched.pid, identity: 'before', ownerPid: 1, ownerIdentity: 'gone' };
      await writeFile(recordFile, JSON.stringify(record));
      expect(await endOrphan(recordFile)).toBeUndefined();
      expect(processStart(unmatched.pid)).toBeDefined();
    } finally {
      unmatched.end();
      await unmatched.exited;
    }
  });

  test('is killed when it does not end by itself', async () => {
    const stubborn = await bystander('trap "" TERM; echo up; while :; do sleep 1; done');
    const identity = processStart(stubborn.pid) ?? '';
    expect(await endProcess(stubborn.pid, identity, 200)).toBe(true);
    expect(await stubborn.exited).toEqual([null, 'SIGKILL']);
    expect(await endProcess(stubborn.pid, identity)).toBe(false);
  });

  test('with an invalid record is refused', async () => {
    const recordFile = join(dir, 'temporal.json');
    await writeFile(recordFile, '{"pid":"?"}');
    await expect(endOrphan(recordFile)).rejects.toThrow(/is not a record of a Temporal server\. Delete it/);
  });
});
