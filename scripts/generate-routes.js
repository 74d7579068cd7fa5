// Generates the table of routes for the client, which cannot import the routes: they import the server.
import { writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { ROUTES } from '../dist/api/routes/routes.js';

const file = new URL('../src/http-client/routes.ts', import.meta.url);
const table = Object.entries(ROUTES).map(([name, { method, path, takesKey, takesLong, responses }]) => {
  const isStreamed = Object.values(responses).some(({ rawTypes }) => rawTypes !== undefined) || undefined;
  return [name, { method: method.toUpperCase(), path, takesKey, takesLong, isStreamed }];
});
const source = `/** Generated from the routes of src/api by \`npm run generate\`. */
export const ROUTES = ${JSON.stringify(Object.fromEntries(table), undefined, 2)} as const;
`;
await writeFile(
  file,
  await format(source, { parser: 'typescript', singleQuote: true, printWidth: 120, trailingComma: 'all' }),
);
