import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  findTemporalCli,
  startDevServer,
  type DevServer,
  type DevServerOptions,
} from '../../../src/tools/local-temporal/index.js';
import { endOrphan, endProcess } from '../../../src/tools/local-temporal/server-record.js';
import { processStart } from '../../../src/process/index.js';
import { binaryOptions } from '../../support/temporal/temporal-programs.js';
import { eventually } from '../../support/eventually.js';
import { aFolder, aProgram } from '../../support/folder.js';
import { listening } from '../../support/listening.js';

const INSTANCE = defineSearchAttributeKey('EverpostInstance', 'KEYWORD_LIST');

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

beforeEach(() => {
  dir = aFolder();
  started = [];
});

afterEach(async () => {
  // The rest needs no orderly end, which takes a second.
  for (const { pid } of started) if (processStart(pid) !== undefined) process.kill(pid, 'SIGKILL');
  await Promise.all(started.map((server) => server.stop()));
});

async function start(overrides: Partial<DevServerOptions> = {}): Promise<DevServer> {
  const server = await startDevServer({
    cliPath,
    dir,
    inMemory: true,
    port: 0,
    namespace: 'default',
    ...overrides,
  });
  started.push(server);
  return server;
}

/** A program in place of Temporal's. */
const aServer = (script: string): string => aProgram(join(dir, 'temporal'), script);

async function withClient<T>(server: DevServer, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: server.address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

/** A port that another program uses. */
async function aTakenPort(): Promise<number> {
  return Number(new URL(await listening(createServer())).port);
}

/** A process that runs until the end of the test, in place of an orphaned server. */
async function bystander(shell: string) {
  const child = spawn('/bin/sh', ['-c', shell], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  const { pid = 0 } = child;
  onTestFinished(() => void child.kill('SIGKILL'));
  return { pid, identity: processStart(pid) ?? '', exited: once(child, 'exit') };
}

describe("Temporal's dev server", () => {
  test('ends at once when its start is cancelled', async () => {
    const stopping = new AbortController();
    const silent = aServer('echo up >&2\nexec sleep 600');
    const starting = start({ cliPath: silent, stopping: stopping.signal });
    const { pid } = await eventually(
      async () => JSON.parse(await readFile(join(dir, 'temporal.json'), 'utf8')) as { pid: number },
    );
    expect(processStart(pid)).toBeDefined();
    stopping.abort(new Error('someone pressed Ctrl-C'));
    await expect(starting).rejects.toThrow('someone pressed Ctrl-C');
    expect(processStart(pid)).toBeUndefined();
  });

  test('answers, has the search attributes at once, shows its Web UI, and is gone after stop', async () => {
    const server = await start({ uiPort: 0 });
    const description = await withClient(server, async (client) => {
      const handle = await client.workflow.start('anything', {
        workflowId: 'w1',
        taskQueue: 'missing',
        typedSearchAttributes: [{ key: INSTANCE, value: ['main'] }],
      });
      return handle.describe();
    });
    expect(description.typedSearchAttributes.get(INSTANCE)).toEqual(['main']);
    expect((await fetch(`${server.uiUrl}/`)).status).toBe(200);

    await server.stop();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(processStart(server.pid)).toBeUndefined();
    await server.stop();
  });

  test('fails on a port that another program uses', async () => {
    const port = await aTakenPort();
    await expect(start({ port })).rejects.toMatchObject({
      code: 'PORT_IN_USE',
      message: expect.stringContaining(`127.0.0.1:${port}`),
    });
    await expect(start({ uiPort: port })).rejects.toMatchObject({ code: 'PORT_IN_USE' });
  });

  test('uses another port when the requested one is only preferred; gets no Ctrl-C of the terminal, and reports when it ends by itself', async () => {
    const port = await aTakenPort();
    const server = await start({ port, orOtherPorts: true });
    expect(server.address).not.toBe(`127.0.0.1:${port}`);
    // Signal 0 to a negative pid checks for a process group of that number: it leads its own.
    expect(process.kill(-server.pid, 0)).toBe(true);
    process.kill(server.pid, 'SIGKILL');
    expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('is distinguished from another server that took its port first and answers there', async () => {
    const [firstPid, firstLog] = [join(dir, 'first.pid'), join(dir, 'first.log')];
    // At its first start another server took the port before it; when that one answers, it finds the port taken and
    // ends.
    const late = aServer(`[ -e '${firstPid}' ] && exec '${cliPath}' "$@"
'${cliPath}' "$@" >'${firstLog}' 2>&1 &
echo $! >'${firstPid}'
until grep -q 'Temporal Server:' '${firstLog}'; do sleep 0.05; done
sleep 1
echo 'Error: listen tcp: bind: address already in use' >&2
exit 1`);
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
    const broken = aServer('echo "Error: the disk is full" >&2\nexit 1');
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
    const panicked = join(dir, 'panicked');
    const panicking = aServer(`[ -e '${panicked}' ] && exec '${cliPath}' "$@"
touch '${panicked}'
cat >&2 <<'END'
time=2026-11-22T17:42:58.635 level=ERROR msg="Failed to start gRPC listener" error="listen tcp 127.0.0.1:40012: bind: address already in use" service=matching address=127.0.0.1:40012
${PANIC}
END
exit 2`);
    const server = await start({ cliPath: panicking });
    expect(await withClient(server, (client) => client.workflowService.getSystemInfo({}))).toBeDefined();
    expect(await readFile(join(dir, 'temporal.log'), 'utf8')).toContain('goroutine 131');
  });

  test('reports the lines before the stack, and its exit code, when it panics', async () => {
    const lines = 'level=WARN msg="Cluster Id is not a valid uuid"\nlevel=ERROR msg="unable to read the schema"';
    const broken = aServer(`cat >&2 <<'END'\n${lines}\n${PANIC}\nEND\nexit 2`);
    const failure = await start({ cliPath: broken }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'TEMPORAL_UNAVAILABLE' });
    expect(String(failure)).toContain('it ended with code 2; the last lines of its log: ');
    expect(String(failure)).toContain('level=ERROR msg="unable to read the schema" | panic: runtime error');
    expect(String(failure)).not.toContain('goroutine');
  });
});

describe('an orphaned server of a killed everpost', () => {
  test('is ended by the next start in the same directory, which keeps its workflows', async () => {
    const orphan = await start({ inMemory: false });
    await withClient(orphan, (client) =>
      client.workflow.start('anything', { workflowId: 'kept', taskQueue: 'missing' }),
    );

    const notices: string[] = [];
    const next = await start({ inMemory: false, notice: (text) => notices.push(text) });
    expect(await orphan.exited).toMatchObject({ signal: null });
    expect(notices).toEqual([`Ended the Temporal server of an earlier start (pid ${orphan.pid}).`]);
    expect(next.pid).not.toBe(orphan.pid);
    const kept = await withClient(next, (client) => client.workflow.getHandle('kept').describe());
    expect(kept.status.name).toBe('RUNNING');
  });

  test('is distinguished from another process that got its pid', async () => {
    const { pid } = await bystander('echo up; exec sleep 600');
    await writeFile(join(dir, 'temporal.json'), JSON.stringify({ pid, identity: 'before' }));
    expect(await endOrphan(dir)).toBeUndefined();
    expect(processStart(pid)).toBeDefined();
  });

  test('is killed when it does not end by itself', async () => {
    const stubborn = await bystander('trap "" TERM; echo up; while :; do sleep 1; done');
    expect(await endProcess(stubborn, 200)).toBe(true);
    expect(await stubborn.exited).toEqual([null, 'SIGKILL']);
    expect(await endProcess(stubborn)).toBe(false);
  });

  test('with an invalid record is refused', async () => {
    await writeFile(join(dir, 'temporal.json'), '{"pid":"?"}');
    await expect(endOrphan(dir)).rejects.toThrow(/is not a record of a Temporal server\. Delete it/);
  });
});
