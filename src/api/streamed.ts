/** Responses that are written while their rows are read, so that at most one page of rows is in memory. */
import type { Context } from 'hono';

/** Rows in one read of the ledger. */
export const PAGE = 1_000;

/** The first page is read before the response begins, so that an error still gets an error response. */
export async function pagesFrom<Item>(
  read: (afterLine: number) => Promise<{ readonly items: readonly Item[]; readonly afterLine?: number }>,
): Promise<AsyncIterable<readonly Item[]>> {
  const first = await read(0);
  return (async function* () {
    for (let page = first; ; page = await read(page.afterLine)) {
      yield page.items;
      if (page.afterLine === undefined) return;
    }
  })();
}

export function streamed(c: Context, type: string, text: AsyncIterable<string>): Response {
  c.header('Content-Type', `${type}; charset=utf-8`);
  return c.body(ReadableStream.from(text).pipeThrough(new TextEncoderStream()));
}
