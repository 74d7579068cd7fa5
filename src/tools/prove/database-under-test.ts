import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { Teardown } from '../../compose/index.js';

/**
 * A database of the run's own on a PostgreSQL server, dropped at the end.
 * @param serverUrl  of a user who may create databases
 * @returns its URL
 */
export async function makeDatabase(serverUrl: string, teardown: Teardown): Promise<string> {
  const name = `everpost_prove_${randomBytes(4).toString('hex')}`;
  await query(serverUrl, `create database ${name}`);
  teardown.add('database', () => query(serverUrl, `drop database ${name} with (force)`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function query(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
