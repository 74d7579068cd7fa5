import type { Hono } from 'hono';
import { AppError, type Clock, type InstanceDirectory } from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';
import { replayId } from '../ids.js';
import { inputInvalid, readInput } from '../read-input.js';
import { ENDPOINTS } from './endpoints.js';
import { bodyOf, readIdempotencyKey, readJson, readQuery } from './read-request.js';
import { pathPart, route } from './router.js';
import { isFromWebPage, isJson, isProxied } from './sender-place.js';
import type { Waiting } from './waiting.js';
import { replayRequestSchema } from './notification-endpoints.js';

const DAY_MS = 24 * 60 * 60_000;

/** Takes the gateway's notifications; the webhooks module's receiver is one. */
export interface NotificationReceiver {
  /** Reads the body only of a request that may be taken. */
  receive(
    instance: string,
    authorization: string | undefined,
    rawBody: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    from: { readonly isLocal: boolean },
  ): Promise<unknown>;
  /** A replay was begun. */
  wake(): void;
  /** Signals the runs that wait for what has changed in the ledger. Nothing waits for it. */
  signal(): void;
}

export function notificationRoutes(
  app: Hono,
  dependencies: {
    readonly ledger: Ledger;
    readonly instances: InstanceDirectory;
    readonly clock: Clock;
    readonly receiver: NotificationReceiver;
    /** Whether other machines can reach us. */
    readonly isExposed: () => boolean;
    readonly waiting: Waiting;
  },
): void {
  const { ledger, instances, clock, receiver, isExposed, waiting } = dependencies;

  function someNeedNoToken(): boolean {
    return instances.names().some((name) => (instances.get(name).webhookTokens ?? []).length === 0);
  }

  route(app, ENDPOINTS.receiveNotification, async (c) => {
    const instance = pathPart(c, 'instance');
    const authorization = c.req.header('Authorization');
    const isForeign = isFromWebPage(c) || (!isJson(c) && someNeedNoToken());
    if (isForeign && authorization === undefined && !isExposed()) throw forbidden(instance);
    const isLocal = !isExposed() && !isForeign && isJson(c) && !isProxied(c);
    await receiver.receive(instance, authorization, bodyOf(c), { isLocal });
    return c.body(null, 200);
  });

  route(app, ENDPOINTS.listNotifications, async (c) =>
    c.json({ items: await ledger.notifications.summaries(instances.names(), clock.nowMs() - DAY_MS) }),
  );

  route(app, ENDPOINTS.beginReplay, async (c) => {
    const id = replayId(readIdempotencyKey(c));
    const { since, instance } = readInput(replayRequestSchema, await readJson(c), 'The replay');
    const sinceMs = Date.parse(since);
    if (sinceMs > clock.nowMs()) throw inputInvalid('The replay', [{ path: 'since', message: 'is still to come' }]);
    if (instance !== undefined) instances.get(instance);
    const replay = { id, sinceMs, ...(instance === undefined ? {} : { instance }) };
    const begun = await ledger.replays.begin(replay, clock.nowMs());
    receiver.wake();
    c.header('Location', `/v1/notifications/replays/${id}`);
    return c.json(begun, 202);
  });

  route(app, ENDPOINTS.getReplay, async (c) => {
    const id = pathPart(c, 'id');
    const { wait, timeoutMs } = readQuery(c, ENDPOINTS.getReplay.query);
    const found = await waiting.until(c, {
      id,
      reads: 'replay',
      read: async () => {
        const replay = await ledger.replays.view(id);
        if (replay !== undefined) return replay;
        throw new AppError(
          'REPLAY_NOT_FOUND',
          'There is no such replay. Check the id; it is given by the response to it.',
        );
      },
      isDone: ({ endedAt }) => wait === undefined || endedAt !== undefined,
      timeoutMs: wait === undefined ? 0 : timeoutMs,
    });
    return c.json(found);
  });
}

function forbidden(instance: string): AppError {
  return new AppError(
    'REQUEST_FORBIDDEN',
    `A notification for instance ${instance} is refused: without a webhook token it may only come as JSON from a program on this machine, not from a web page or under another host name. Set a token: everpost doctor --fix`,
  );
}
