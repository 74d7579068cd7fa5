import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { envExample } from './variables.js';

// From dist/config or src/config the root of the package is two folders up.
writeFileSync(fileURLToPath(new URL('../../.env.example', import.meta.url)), envExample());
