import { describe, expect, it } from 'vitest';
import { ROWS } from './rows.js';
import { SIMULATOR_ASSERTIONS } from './simulator/all.js';
import { SimulatorDriver } from './simulator-driver.js';

describe('the simulator follows the gateway’s document', () => {
  for (const row of ROWS) {
    const assertion = SIMULATOR_ASSERTIONS.get(row.id);
    if (assertion === undefined) continue;
    it(`${row.id}: ${row.says}`, async () => {
      expect.hasAssertions();
      await assertion(await SimulatorDriver.start());
    });
  }
});
