/** The doctor compares the ledger of DATABASE_URL with that of the API. */
import { expect, it, onTestFinished } from 'vitest';
import { openLedger } from '../../../src/ledger/index.js';
import { anEmptyDatabaseUrl, dropDatabase } from '../../support/ledger/ledger.js';
import { ownApi } from '../../api/api-parts.js';
import { everpost } from '../fake-terminal.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

async function aDatabaseWithLedger(): Promise<string> {
  const databaseUrl = await anEmptyDatabaseUrl();
  onTestFinished(() => dropDatabase(databaseUrl));
  await (await openLedger({ databaseUrl }, UNENCRYPTED)).close();
  return databaseUrl;
}

/** The findings about the ledger for an API on this ledger. */
async function findings(ofApi: string, databaseUrl: string) {
  const ledger = await openLedger({ databaseUrl: ofApi }, UNENCRYPTED);
  onTestFinished(() => ledger.close());
  const { api } = await ownApi({ ledger });
  const { url } = await api.listen({ host: '127.0.0.1', port: 0 });
  const env = { EVERPOST_API_URL: url, DATABASE_URL: databaseUrl };
  const { out } = await everpost(['doctor', '--json'], { env });
  const found = JSON.parse(out[0] ?? '') as { findings: { subject: string; verdict: string; found: string }[] };
  return { id: ledger.id, found: found.findings.filter(({ subject }) => subject === 'ledger') };
}

it('is well when the API uses the ledger of DATABASE_URL', async () => {
  const databaseUrl = await aDatabaseWithLedger();
  const { id, found } = await findings(databaseUrl, databaseUrl);
  expect(found).toMatchObject([{ verdict: 'ok', found: expect.stringContaining(id) as string }]);
});

it('is broken when the API uses another ledger, or DATABASE_URL has none', async () => {
  const [ofApi, other, empty] = [await aDatabaseWithLedger(), await aDatabaseWithLedger(), await anEmptyDatabaseUrl()];
  onTestFinished(() => dropDatabase(empty));
  for (const databaseUrl of [other, empty]) {
    const { id, found } = await findings(ofApi, databaseUrl);
    expect(found).toMatchObject([
      {
        verdict: 'broken',
        found: expect.stringContaining(`the API uses the ledger ${id}`) as string,
        remedy: expect.stringContaining('EVERPOST_API_URL') as string,
      },
    ]);
  }
});
