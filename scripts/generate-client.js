// Makes a typed client from openapi.json, as a user's generator does. Only tests use it: it shows that the document
// suffices.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { generateSource } from 'oazapfts';

const document = fileURLToPath(new URL('../openapi.json', import.meta.url));
// The generator's own calls do not compile with exactOptionalPropertyTypes; the types that it exports do.
const generated = await generateSource(document);
// Its head only says where the generator comes from, which package.json does.
const source = `// @ts-nocheck\n${generated.slice(generated.indexOf('import '))}`;
await writeFile(new URL('../test/client/generated.ts', import.meta.url), source);
