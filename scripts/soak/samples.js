// Reads what must stay flat: memory, handles and lag of each process, connections, sizes of tables, and open workflows.
import { readdir } from 'node:fs/promises';
import { Connection } from '@temporalio/client';
import pg from 'pg';
import { residentMb } from '../../bench/processes.js';

/**
 * @typedef {{ name: string, life: number, rssMb: number, handles: number } & Partial<import('./system.js').Measured>} ProcessSample
 * @typedef {{ rows: number, bytes: number }} TableSample
 * @typedef {{ atMs: number, messages: number, processes: ProcessSample[], connections?: number,
 *   tables?: Readonly<Record<string, TableSample>>, openRuns?: number }} Sample
 */

/** @param {import('./system.js').System} system */
export function createSampler(system) {
  const temporal = Connection.lazy({ address: system.temporalAddress });
  return {
    /** What cannot be read during an outage is absent. @param {number} messages  @returns {Promise<Sample>} */
    async sample(messages) {
      const [processes, database, openRuns] = await Promise.all([
        Promise.all(system.running().map((process) => sampleProcess(system, process))),
        sampleDatabase(system.databaseUrl).catch(() => ({})),
        countOpenRuns(temporal).catch(() => undefined),
        // Collected as in production: their series are a part of the memory.
        ...system.metricsUrls.map((url) =>
          fetch(url).then(
            (response) => response.text(),
            () => '',
          ),
        ),
      ]);
      return {
        atMs: Date.now(),
        messages,
        processes: processes.flatMap((process) => process ?? []),
        ...database,
        ...(openRuns === undefined ? {} : { openRuns }),
      };
    },
    close: () => temporal.close(),
  };
}

/**
 * @param {import('./system.js').System} system
 * @param {ReturnType<import('./system.js').System['running']>[number]} process
 * @returns {Promise<ProcessSample | undefined>} undefined if it has just ended
 */
async function sampleProcess(system, { name, life, pid }) {
  const measured = await system.measure(name);
  const [rssMb, handles] = await Promise.all([residentMb(pid), readdir(`/proc/${pid}/fd`).catch(() => [])]);
  return Number.isNaN(rssMb) ? undefined : { name, life, rssMb, handles: handles.length, ...measured };
}

/** @param {string} url */
async function sampleDatabase(url) {
  const client = new pg.Client({ connectionString: url, application_name: 'soak', connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows: connections } = await client.query(
      `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and application_name <> 'soak'`,
    );
    const { rows: names } = await client.query(`select relname from pg_stat_user_tables order by relname`);
    // The statistics of PostgreSQL are lost when it crashes.
    const counts = names.map(
      ({ relname: name }) =>
        `select '${name}' as name, count(*)::int as rows, pg_total_relation_size('${name}')::float8 as bytes from ${name}`,
    );
    const { rows } = await client.query(counts.join(' union all '));
    const tables = Object.fromEntries(rows.map(({ name, ...size }) => [name, size]));
    return { connections: connections[0].count, tables };
  } finally {
    await client.end();
  }
}

/** @param {Connection} temporal */
async function countOpenRuns(temporal) {
  const query = `ExecutionStatus = 'Running'`;
  const { count } = await temporal.withDeadline(Date.now() + 2_000, () =>
    temporal.workflowService.countWorkflowExecutions({ namespace: 'default', query }),
  );
  return Number(count);
}
