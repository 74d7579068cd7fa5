/** The steps of the Dockerfile, played in folders: scripts/stack/dockerfile.js. */
import { readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildImage } from '../../scripts/stack/dockerfile.js';
import { aFolder } from '../support/folder.js';
import { ROOT, readSource } from './compose-file.js';

/** A repository with this Dockerfile and these files. */
const repository = (dockerfile: string, files: Readonly<Record<string, string>> = {}) =>
  aFolder({ '.dockerignore': '**/dist\n*.log\n', ...files, Dockerfile: dockerfile });

const image = (root: string) => buildImage(root, aFolder(), () => {});

test('the last stage has what it copies and makes, without what .dockerignore names', async () => {
  const root = repository(
    [
      'FROM node AS build',
      'WORKDIR /everpost',
      'COPY a.txt a.log ./',
      'RUN mkdir dist \\',
      '    && cp a.txt dist/b.txt',
      'FROM node',
      'RUN apt-get install something',
      'WORKDIR /everpost',
      'COPY --from=build /everpost/a.txt ./',
      'COPY --from=build /everpost/dist ./dist',
      'RUN mkdir -p /var/lib/everpost && cp a.txt /var/lib/everpost',
      'CMD ["--help"]',
    ].join('\n'),
    { 'a.txt': 'text', 'a.log': 'log' },
  );

  const folder = await image(root);

  expect(readdirSync(folder).toSorted()).toEqual(['a.txt', 'dist']);
  expect(readFileSync(`${folder}/dist/b.txt`, 'utf8')).toBe('text');
  expect(readdirSync(`${folder}/../var/lib/everpost`)).toEqual(['a.txt']);
});

test.each([
  [
    'a file that a stage does not have',
    'FROM node AS build\nWORKDIR /w\nFROM node\nCOPY --from=build /w/a.txt ./',
    'a.txt',
  ],
  ['a step that fails', 'FROM node\nWORKDIR /w\nRUN exit 3', 'exit 3'],
  ['an instruction that is not known', 'FROM node\nADD a.txt ./', 'ADD'],
  ['a copy with an option that is not known', 'FROM node\nCOPY --chown=node a.txt ./', '--chown'],
])('%s is an error', async (_, dockerfile, problem) => {
  await expect(image(repository(dockerfile))).rejects.toThrow(problem);
});

test('every file that the Dockerfile of everpost copies exists in its source', async () => {
  // The commands take minutes: npm run stack runs them.
  const withoutCommands = (await readSource('Dockerfile')).replaceAll(
    /^RUN (?:.*\\\n)*.*$/gm,
    'RUN mkdir -p dist node_modules',
  );
  const root = repository(withoutCommands, { '.dockerignore': await readSource('.dockerignore') });
  for (const name of readdirSync(ROOT)) {
    if (!['Dockerfile', '.dockerignore'].includes(name)) symlinkSync(`${ROOT}/${name}`, `${root}/${name}`);
  }

  expect(readdirSync(await image(root)).toSorted()).toEqual([
    'bin',
    'dist',
    'node_modules',
    'openapi.json',
    'package.json',
  ]);
});
