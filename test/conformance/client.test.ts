import { describe, expect, it } from 'vitest';
import { CLIENT_ASSERTIONS } from './client/all.js';
import { ClientDriver } from './client-driver.js';
import { ROWS } from './rows.js';

describe('the gateway client follows the gateway’s document', () => {
  for (const row of ROWS) {
    const assertion = CLIENT_ASSERTIONS.get(row.id);
    if (assertion === undefined) continue;
    it(`${row.id}: ${row.says}`, async () => {
      expect.hasAssertions();
      await assertion(await ClientDriver.start());
    });
  }
});
