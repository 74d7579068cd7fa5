/*
 * A process of the build that opens the ledger of a data directory and closes it. With a number it kills itself, as
 * `kill -9` does, after it has unpacked so many files of a new ledger.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { atRest } from '../../../dist/codec/at-rest.js';

const [dataDir = '', most = 'Infinity'] = process.argv.slice(2);
const { writeFileSync } = fs;
let written = 0;
/** @param {Parameters<typeof writeFileSync>} given */
fs.writeFileSync = (...given) => {
  writeFileSync(...given);
  written += 1;
  if (written === Number(most)) process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();
const { openLedger } = await import('../../../dist/ledger/index.js');
const ledger = await openLedger({ dataDir }, { atRest: atRest(undefined) });
await ledger.ping();
await ledger.close();
