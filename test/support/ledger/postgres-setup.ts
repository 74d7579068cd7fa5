import { startPostgres } from './postgres.js';

/**
 * One PostgreSQL for a whole run with `LEDGER=postgres`, unless TEST_DATABASE_URL names one. The test processes inherit
 * the variable.
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
