import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DevStackFacts } from '../../src/tools/dev/dev-record.js';
import { SHORT_ID_PATTERN } from '../../src/contract/index.js';
import { everpost } from '../cli/fake-terminal.js';
import { plainWords } from './plain-words.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Names that can be used only once: each document begins with its own. */
const USED_ONCE = ['garden-opening', 'order_ready', 'order-17'];
const MESSAGE_ID = new RegExp(`\\bmsg_${SHORT_ID_PATTERN}\\b`, 'g');

export interface ShellRun {
  readonly code: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

/**
 * Runs a document's commands as its reader would: in a folder with the examples, beside an `everpost dev`. A plain `npx
 * everpost` runs in this process, which saves the start of Node.
 */
export interface Shell {
  run(command: string): Promise<ShellRun>;
}

export interface Surroundings {
  readonly folder: string;
  readonly dev: DevStackFacts;
  /** Path of Temporal's own command. */
  readonly temporalCli: string;
  /** Receives the status callbacks that a document sends to example.com. */
  readonly callbackUrl: string;
  /** Starts a process for each command, as a reader's shell does. */
  readonly asProcesses: boolean;
}

/** @param number unique to the document */
export function aShell({ folder, dev, temporalCli, callbackUrl, asProcesses }: Surroundings, number: number): Shell {
  const own = (text: string): string =>
    USED_ONCE.reduce(
      (changed, name) => changed.replaceAll(name, `${name}${name.includes('_') ? '_' : '-'}${number}`),
      text,
    );
  const cwd = join(folder, String(number));
  cpSync(join(ROOT, 'examples'), join(cwd, 'examples'), { recursive: true });
  for (const file of readdirSync(join(cwd, 'examples'))) {
    const path = join(cwd, 'examples', file);
    writeFileSync(path, own(readFileSync(path, 'utf8')));
  }
  const path = `${programs(folder, { temporalCli, temporalAddress: dev.temporalAddress })}:${process.env['PATH']}`;
  const env = { HOME: process.env['HOME'] ?? '', EVERPOST_DATA_DIR: dev.dataDir, EVERPOST_LOG_LEVEL: 'warn' };
  let lastMessage = 'msg_…';

  async function inThisProcess(args: readonly string[]): Promise<ShellRun> {
    const { exitCode, out, err } = await everpost(patient(args), { env, cwd });
    return { code: exitCode, output: [...out, ...err].join('\n') };
  }

  async function inBash(text: string): Promise<ShellRun> {
    const child = spawn('bash', ['-c', text], { cwd, env: { PATH: path, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (words: string) => (output += words));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  }

  return {
    async run(command) {
      const text = own(command)
        .replaceAll('msg_…', lastMessage)
        .replaceAll('http://127.0.0.1:8080', dev.apiUrl)
        .replaceAll('http://127.0.0.1:8090', dev.simulatorUrl ?? '')
        .replaceAll('https://example.com/hook', callbackUrl);
      const [npx, name, ...args] = (asProcesses ? undefined : plainWords(text)) ?? [];
      const isEverpost = npx === 'npx' && name === 'everpost';
      const ran = isEverpost ? await inThisProcess(args) : await inBash(text);
      lastMessage = ran.output.match(MESSAGE_ID)?.at(-1) ?? lastMessage;
      return ran;
    },
  };
}

/** Waits longer than a reader has to, on a busy machine; `programs` does the same for a shell. */
function patient(args: readonly string[]): readonly string[] {
  const waits = args.includes('--wait') || args.includes('edit');
  return waits && !args.includes('--timeout') ? [...args, '--timeout', '280s'] : args;
}

/**
 * `npx everpost` from this checkout, which waits longer than a reader has to on a busy machine; and a curl that fails
 * for an error response.
 */
function programs(
  folder: string,
  { temporalCli, temporalAddress }: { readonly temporalCli: string; readonly temporalAddress: string },
): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const ofEverpost = [
    'case " $* " in *" --timeout "*) ;; *" --wait "* | " edit "*) set -- "$@" --timeout 280s ;; esac',
    `exec "${process.execPath}" "${join(ROOT, 'bin', 'everpost.js')}" "$@"`,
  ].join('\n');
  const scripts = {
    everpost: ofEverpost,
    temporal: `TEMPORAL_ADDRESS=${temporalAddress} exec "${temporalCli}" "$@"`,
    npx: `if [ "$1" != everpost ]; then echo "no npx $1 in this test" >&2; exit 127; fi\nshift\n${ofEverpost}`,
    curl: `PATH=$(echo "$PATH" | sed "s#^[^:]*:##")\nexec curl --fail-with-body --silent --show-error "$@"`,
  };
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}
