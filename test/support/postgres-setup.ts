import { startPostgres } from './postgres.js';

/**
 * One PostgreSQL for a whole run with `LEDGER=postgres`, unless TEST_DATABASE_URL names one. Every project has this
 * setup; the first one's server serves them all, by the same variable, which the processes of the test files inherit.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['LEDGER'] !== 'postgres' || process.env['TEST_DATABASE_URL'] !== undefined) return undefined;
  const server = await startPostgres();
  process.env['TEST_DATABASE_URL'] = server.url;
  return async () => {
    delete process.env['TEST_DATABASE_URL'];
    await server.close();
  };
}
