interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string;
}

interface OfPages {
  readonly query?: { readonly cursor?: string | undefined };
}

/**
 * Every item of a list, page by page as they are needed:
 * `for await (const message of itemsOf(everpost.listMessages, { query: { state: 'failed' } }))`.
 */
export async function* itemsOf<Item, Given extends OfPages>(
  list: (given: Given) => Promise<Page<Item>>,
  given: Given,
): AsyncGenerator<Item, void, undefined> {
  let { cursor } = given.query ?? {};
  do {
    const page = await list({ ...given, query: { ...given.query, cursor } });
    yield* page.items;
    ({ cursor } = page);
  } while (cursor !== undefined);
}
