import { expect, it } from 'vitest';
import { startPostgres } from './postgres.js';

it('the error names what to install when PostgreSQL is missing', async () => {
  const starting = startPostgres({ searchPath: '/nowhere', debianDir: '/nowhere/either' });
  await expect(starting).rejects.toThrow(/apt-get install postgresql.*TEST_DATABASE_URL/);
});
