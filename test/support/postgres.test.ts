import { expect, it } from 'vitest';
import { startPostgres } from './postgres.js';

it('says what to install when PostgreSQL is not on the machine', async () => {
  const starting = startPostgres({ searchPath: '/nowhere', debianDir: '/nowhere/either' });
  await expect(starting).rejects.toThrow(/apt-get install postgresql.*TEST_DATABASE_URL/);
});
