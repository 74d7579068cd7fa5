// Generates .env.example from the variables of the configuration.
import { writeFile } from 'node:fs/promises';
import { envExample } from '../dist/config/index.js';

await writeFile(new URL('../.env.example', import.meta.url), envExample());
