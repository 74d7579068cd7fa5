/** A backup of an embedded ledger, and its restore. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LEDGER_WENT_BACK } from '../../src/contract/index.js';
import { backupLedger, openLedger, restoreLedger } from '../../src/ledger/index.js';
import { aFolder } from '../support/folder.js';
import { UNENCRYPTED } from '../support/ledger/at-rest.js';
import { NOW } from './cast.js';
import { DispatchCast } from './dispatch/cast.js';

it('a restored backup sends nothing that may have been sent since, and what is requested later', async () => {
  const folder = aFolder();
  const dataDir = join(folder, 'data');
  const file = join(folder, 'ledger.backup');
  const open = () => openLedger({ dataDir }, UNENCRYPTED);

  const before = await open();
  const c = await DispatchCast.begun(before, {}, 'main');
  const id = await c.take({ text: 'before' });
  await expect(backupLedger(dataDir, file)).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
  await before.close();
  expect(await backupLedger(dataDir, file)).toBeGreaterThan(0);

  const former = await restoreLedger(dataDir, file, NOW);
  expect(await readdir(dataDir)).toContain(former?.split('/').at(-1));
  const restored = await open();
  const later = new DispatchCast(restored, 'main');
  await later.begin(3);
  expect(await restored.messages.snapshot(id)).toMatchObject({ state: 'unresolved', reason: LEDGER_WENT_BACK });
  expect(await restored.views.instance('main', NOW)).toMatchObject({ wentBack: { foundBy: 'command', unresolved: 1 } });
  const next = await later.take({ text: 'later' });
  expect(await later.claimIds()).toEqual([next]);
  await restored.close();
}, 180_000);

it('a file that is no backup changes nothing', async () => {
  const dataDir = join(aFolder(), 'data');
  await expect(restoreLedger(dataDir, join(dataDir, 'absent'), NOW)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  await expect(backupLedger(dataDir, join(dataDir, 'out'))).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  expect(await readdir(dataDir)).toEqual([]);
  const absent = join(dataDir, 'absent');
  await expect(backupLedger(absent, join(dataDir, 'out'))).rejects.toMatchObject({ code: 'INPUT_INVALID' });
});
