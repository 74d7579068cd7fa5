import { writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { PREPARED_DATABASE_PATH, prepareDatabase } from './storage/new-database.js';

const tar = await prepareDatabase();
// A window over most of the tar makes the file a seventh smaller.
const params = {
  [constants.BROTLI_PARAM_QUALITY]: 9,
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  [constants.BROTLI_PARAM_SIZE_HINT]: tar.length,
};
await writeFile(PREPARED_DATABASE_PATH, brotliCompressSync(tar, { params }));
