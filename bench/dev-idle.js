// Measures what `everpost dev` costs while nothing is sent: the CPU and the resident memory of its processes.
import { setTimeout as delay } from 'node:timers/promises';
import { startDev } from './dev.js';
import { cpuSeconds, processTree, residentMb } from './processes.js';

/** By the end of this time its compiler is done and its clock of the gateway is known. */
const WARM_UP_MS = 60_000;

/**
 * @param {string} dataDir
 * @param {number} [seconds]
 * @returns {Promise<Record<string, string>[]>}
 */
export async function measureDevIdle(dataDir, seconds = 60) {
  const dev = await startDev({ dataDir });
  try {
    await delay(WARM_UP_MS);
    const pids = await processTree(dev.pid);
    const before = await Promise.all(pids.map((pid) => cpuSeconds(pid)));
    await delay(seconds * 1_000);
    const after = await Promise.all(pids.map((pid) => cpuSeconds(pid)));
    const resident = await Promise.all(pids.map((pid) => residentMb(pid)));
    const rows = pids.map((pid, at) => ({
      process: pid === dev.pid ? 'everpost dev' : "Temporal's server",
      share: (100 * ((after[at] ?? 0) - (before[at] ?? 0))) / seconds,
      mb: resident[at] ?? 0,
    }));
    const sum = (/** @type {'share' | 'mb'} */ what) => rows.reduce((total, row) => total + row[what], 0);
    return [...rows, { process: 'both', share: sum('share'), mb: sum('mb') }].map(({ process, share, mb }) => ({
      process,
      CPU: `${share.toFixed(2)} %`,
      'resident, MB': mb.toFixed(0),
    }));
  } finally {
    await dev.end('SIGTERM');
  }
}
