/** The files of this repository, and docker-compose.yml as compose reads it. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readCompose } from '../../scripts/stack/compose.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const readSource = (path: string): Promise<string> => readFile(`${ROOT}/${path}`, 'utf8');

export const composeWith = (env: Readonly<Record<string, string>> = { RUN_AS: '1000:1000' }) =>
  readCompose(`${ROOT}/docker-compose.yml`, env);
