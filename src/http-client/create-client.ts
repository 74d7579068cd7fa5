import type { ApiResponse, Calls, Given } from './client-types.js';
import type { Message } from './openapi-types.js';
import { type AnyGiven, type ClientOptions, type Route, askWith, sleep } from './request.js';
import { ROUTES } from './routes.js';

/** States that a caller can wait for. `end`: nothing more can happen except `read`. */
export type Milestone = NonNullable<NonNullable<Given<'getMessage'>['query']>['wait']>;

interface Waiting {
  /** Milliseconds. @default 60_000 */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Every method throws EverpostError with the code of the API's response, or API_UNREACHABLE without a response;
 * INPUT_INVALID if a part of the path would make it the path of another route. An aborted call throws the reason of its
 * signal.
 */
export interface Client extends Calls {
  /** Sends a message and waits until it has reached the state or ended in another way; check its `state`. */
  sendAndWait(given: Given<'sendMessage'> & Waiting & { readonly state: Milestone }): Promise<Message>;
  /** The message once it has reached the state or ended in another way, or when the time is over. */
  waitForMessage(id: string, state: Milestone, waiting?: Waiting): Promise<ApiResponse<'getMessage'>>;
}

/** A longer wait is split into several requests, so that no proxy cuts it off. */
const ONE_WAIT_MS = 25_000;
const WAIT_MS = 60_000;

export function createClient(options: ClientOptions): Client {
  const ask = askWith(options);

  async function call(route: Route, given: AnyGiven = {}): Promise<unknown> {
    const { waitMs, isDone = () => true, key = route.takesKey && newKey() } = given;
    if (waitMs === undefined) return (await ask(route, { ...given, key }))[1];
    const endMs = performance.now() + waitMs;
    for (;;) {
      const timeoutMs = Math.min(Math.max(0, Math.round(endMs - performance.now())), ONE_WAIT_MS);
      const [status, result, retryAfterMs] = await ask(route, { ...given, key, query: { ...given.query, timeoutMs } });
      if ((status !== 202 && isDone(result)) || performance.now() >= endMs) return result;
      if (retryAfterMs !== undefined) await sleep(Math.min(retryAfterMs, endMs - performance.now()), given.signal);
    }
  }

  const routes = Object.entries<Route>(ROUTES);
  const calls = Object.fromEntries(
    routes.map(([name, route]) => [name, (given?: AnyGiven) => call(route, given)]),
  ) as unknown as Calls;

  const waitForMessage: Client['waitForMessage'] = (id, state, { waitMs = WAIT_MS, signal } = {}) =>
    calls.getMessage({ id, query: { wait: state }, waitMs, signal, isDone: (message) => hasReached(message, state) });

  return {
    ...calls,
    waitForMessage,
    async sendAndWait({ state, waitMs, ...given }) {
      const { id } = await calls.sendMessage(given);
      // Its row was committed before the response to the send.
      return (await waitForMessage(id, state, { waitMs, signal: given.signal })) as Message;
    },
  };
}

/** A later time of a message implies the earlier ones, and an end state comes last. */
function hasReached(message: ApiResponse<'getMessage'>, state: Milestone): boolean {
  if (!('version' in message)) return false;
  return message.endedAt !== undefined || message[TIME_OF[state]] !== undefined;
}

const TIME_OF = {
  accepted: 'acceptedAt',
  sent: 'sentAt',
  delivered: 'deliveredAt',
  read: 'readAt',
  end: 'deliveredAt',
} as const;

/** Unlike crypto.randomUUID, also on a page without https. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Every item of a list, page by page as they are needed:
 * `for await (const message of itemsOf(everpost.listMessages, { query: { state: 'failed' } }))`. Ends at an empty page,
 * and at a cursor that leads to itself: the list of events always has a cursor, for events that happen later.
 */
export async function* itemsOf<Item, Filter extends { readonly query?: { readonly cursor?: string | undefined } }>(
  list: (given: Filter) => Promise<{ readonly items: readonly Item[]; readonly cursor?: string }>,
  given: Filter,
): AsyncGenerator<Item, void, undefined> {
  let { cursor } = given.query ?? {};
  for (;;) {
    const page = await list({ ...given, query: { ...given.query, cursor } });
    yield* page.items;
    if (page.items.length === 0 || page.cursor === undefined || page.cursor === cursor) return;
    ({ cursor } = page);
  }
}
