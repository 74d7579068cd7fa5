import type { Context, Hono } from 'hono';
import { AppError } from '../../contract/index.js';
import type { SuppressionList, SuppressionsFrom } from '../suppressions/suppressions.js';
import { ENDPOINTS } from './endpoints.js';
import { contentTypeOf, readJson, readQuery, streamOf } from './read-request.js';
import { route } from './router.js';

const IF_CUT = 'What came before is on the list; send it again for the rest.';

export interface SuppressionRouteDependencies {
  readonly suppressions: SuppressionList;
  readonly maxImportBytes: number;
}

export function suppressionRoutes(app: Hono, { suppressions, maxImportBytes }: SuppressionRouteDependencies): void {
  route(app, ENDPOINTS.addSuppression, async (c) => {
    const { entry, isNew } = await suppressions.add(await readJson(c));
    return c.json(entry, isNew ? 201 : 200);
  });

  route(app, ENDPOINTS.listSuppressions, async (c) =>
    c.json(await suppressions.list(readQuery(c, ENDPOINTS.listSuppressions.query))),
  );

  route(app, ENDPOINTS.removeSuppression, async (c) => c.json(await suppressions.remove(await readJson(c))));

  route(app, ENDPOINTS.importSuppressions, async (c) => {
    const query = readQuery(c, ENDPOINTS.importSuppressions.query);
    return c.json(await suppressions.import(fileIn(c, maxImportBytes), query));
  });
}

function fileIn(c: Context, maxBytes: number): SuppressionsFrom {
  const bytes = streamOf(c, { maxBytes, ifCut: IF_CUT });
  switch (contentTypeOf(c)) {
    case 'text/plain':
      return { bytes, format: 'list' };
    case 'text/csv':
      return { bytes, format: 'csv' };
    case 'application/x-ndjson':
    case 'application/ndjson':
    case 'application/jsonl':
      return { bytes, format: 'ndjson' };
    default:
      throw new AppError(
        'INPUT_INVALID',
        'The import is refused: its Content-Type is none of text/plain, text/csv and application/x-ndjson. Say what the body is; nothing was changed.',
      );
  }
}
