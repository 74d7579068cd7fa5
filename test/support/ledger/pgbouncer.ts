import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findOnPath } from '../../../src/tools/local-temporal/download-binary.js';
import { closeAfterTest } from '../close-after-test.js';
import { aFolder } from '../folder.js';
import { aFreePort, unprivilegedAccount } from './postgres.js';

/** Debian installs it in a folder for administrators. */
const [program] = await findOnPath('pgbouncer', `${process.env['PATH']}:/usr/sbin`);

/** Why there is no PgBouncer; undefined if there is one. With TEST_PGBOUNCER=required, as in CI, its tests fail. */
export const missingPgBouncer =
  program === undefined && process.env['TEST_PGBOUNCER'] !== 'required'
    ? 'PgBouncer is not installed: apt-get install pgbouncer'
    : undefined;

/**
 * Starts PgBouncer in front of a server. It ends with the test.
 * @param settings  further lines of its configuration
 * @returns the address of the database, through it
 */
export async function startPgBouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction',
  ...settings: readonly string[]
): Promise<string> {
  const url = new URL(databaseUrl);
  const port = await aFreePort();
  const configuration = [
    `[databases]\n* = host=${url.hostname} port=${url.port} user=${url.username}`,
    `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
    `auth_type = any\npool_mode = ${mode}`,
    ...settings,
  ];
  const folder = aFolder({ 'pgbouncer.ini': configuration.join('\n') });
  // As root, PgBouncer runs with another account, which reads the file.
  chmodSync(folder, 0o755);
  const account = await unprivilegedAccount();
  const child = spawn(program ?? 'pgbouncer', [join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account,
  });
  const ended = once(child, 'exit');
  closeAfterTest(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const lines = createInterface(child.stderr);
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.includes('process up') && resolve());
    child.once('error', reject);
    void ended.then(() => reject(new Error('PgBouncer did not start.')));
  });
  url.port = String(port);
  return url.href;
}
