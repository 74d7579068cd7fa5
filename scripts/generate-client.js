// Makes a typed client from openapi.json, as a user's generator does. Only tests use it: it shows that the document suffices.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { generateSource } from 'oazapfts';

const document = fileURLToPath(new URL('../openapi.json', import.meta.url));
// The generator's own calls do not compile with exactOptionalPropertyTypes; the types that it exports do.
const source = `// @ts-nocheck\n${await generateSource(document)}`;
await writeFile(new URL('../test/client/generated.ts', import.meta.url), source);
