import {
  startSimulator,
  type DeliveredMessage,
  type Fault,
  type RecordedRequest,
  type Settings,
  type SimulatorOptions,
  type TemplateStatus,
} from '../simulator/index.js';

/** A fault that a test requests. `times` defaults to 1, `accepted` to true if the gateway responds, even late. */
export type FaultRequest = Pick<Fault, 'kind'> & Partial<Omit<Fault, 'kind'>>;

export interface ClockReading {
  readonly nowMs: number;
  /** ISO UTC. */
  readonly now: string;
  readonly speed: number;
  /** When the next event or notification is due. */
  readonly nextDueAtMs: number | null;
}

/** Changes of an instance; absent fields stay. */
export interface InstancePatch {
  /** E.g. `authorized`, `notAuthorized`, `yellowCard`. */
  readonly state?: string;
  readonly statusInstance?: 'online' | 'offline';
  readonly settings?: Partial<Settings>;
  readonly wid?: string;
  readonly apiTokenInstance?: string;
  readonly rateLimits?: boolean;
  readonly editAnswersNewId?: boolean;
}

/** A message of a contact. Other fields are copied to the notification. */
export interface IncomingMessage {
  /** E.g. `15550000001@c.us`. */
  readonly chatId: string;
  readonly textMessage?: string;
  readonly senderId?: string;
  readonly senderName?: string;
  readonly typeMessage?: string;
  readonly [field: string]: unknown;
}

/** The control endpoints of a simulated gateway. Each method throws if the gateway refuses it. */
export type GatewayControl = ReturnType<typeof controlGateway>;

/**
 * Controls a simulated gateway, in this or another process. Methods for an instance use `idInstance`.
 * @param url  of the gateway, e.g. the `simulatorUrl` of `everpost dev --json`
 * @param idInstance  the controlled instance. @default the one that exists from the start
 */
export function controlGateway(url: string, idInstance = '1101000001') {
  const instance = `instances/${encodeURIComponent(idInstance)}`;

  async function ask<Answer>(verb: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${url}/_sim/${path}`, {
      method: verb,
      // An outage could cut a kept connection at any moment.
      headers: { connection: 'close', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The gateway refused ${verb} ${path} (HTTP ${response.status}): ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }
  const idOf = async (path: string, body: unknown): Promise<string> =>
    (await ask<{ idMessage: string }>('POST', `${instance}/${path}`, body)).idMessage;
  const filtered = (path: string, name: string, value: string | undefined): string =>
    value === undefined ? path : `${path}?${name}=${encodeURIComponent(value)}`;

  return {
    /** Any control endpoint of docs/simulator.md, e.g. `('POST', 'instances/1101000001/calls', { from })`. */
    ask: ask<unknown>,
    clock: () => ask<ClockReading>('GET', 'clock'),
    /** Advances the clock: everything due in that time happens, in order, and every due notification is answered. */
    advanceMs: (ms: number) => ask<ClockReading>('POST', 'clock', { advanceMs: ms }),
    /** Multiplies the pace of the clock from now on. */
    setSpeed: (speed: number) => ask<ClockReading>('POST', 'clock', { speed }),
    /** Applies a fault to the next matching requests. */
    addFault: (fault: FaultRequest) => ask<void>('POST', 'faults', fault),
    clearFaults: () => ask<void>('DELETE', 'faults'),
    /** Applies a fault to the next notifications. */
    addNotificationFault: (fault: {
      readonly kind: 'drop' | 'double' | 'delay' | 'reorder';
      readonly typeWebhook?: string;
      readonly ms?: number;
      readonly times?: number;
    }) => ask<void>('POST', 'notifications/faults', fault),
    clearNotificationFaults: () => ask<void>('DELETE', 'notifications/faults'),
    /** Refuses every connection for this real time; returns once the outage has begun. */
    async outageMs(ms: number): Promise<void> {
      await ask('POST', 'outage', { ms });
      while (await responds(url)) continue;
    },
    /** The messages that the phones received, oldest first, in one chat or all. */
    delivered: (chatId?: string) => ask<readonly DeliveredMessage[]>('GET', filtered('delivered', 'chatId', chatId)),
    /** The requests that arrived, oldest first, without tokens, for one operation or all. */
    requests: (method?: string) => ask<readonly RecordedRequest[]>('GET', filtered('requests', 'method', method)),
    /** The instance with its queue and its waiting notifications. */
    showInstance: () => ask<Readonly<Record<string, unknown>>>('GET', instance),
    patchInstance: (patch: InstancePatch) => ask<void>('PATCH', instance, patch),
    /** A contact writes. @returns the gateway's id */
    incoming: (message: IncomingMessage) => idOf('incoming', message),
    /** The account's owner writes on the phone. @returns the gateway's id */
    sentFromPhone: (message: IncomingMessage) => idOf('sent-from-phone', message),
    /** The network reports on a message that left the queue. */
    receipt: (receipt: { readonly idMessage: string; readonly status: string; readonly description?: string }) =>
      ask<void>('POST', `${instance}/receipts`, receipt),
    /** A given list or map replaces the current one. `shownAs`: chats that evidence shows under another id. */
    setAccounts: (accounts: {
      readonly noAccount?: readonly string[];
      readonly fails?: readonly string[];
      readonly beta?: boolean;
      readonly journal?: boolean;
      readonly shownAs?: Readonly<Record<string, string>>;
    }) => ask<void>('POST', `${instance}/accounts`, accounts),
    /** Decides the review of a template, now or later. */
    decideTemplate: (
      elementName: string,
      decision: { readonly status: TemplateStatus; readonly reason?: string | undefined; readonly afterMs?: number },
    ) => ask<void>('POST', `templates/${encodeURIComponent(elementName)}/decision`, decision),
    /** Restores the initial state. */
    reset: () => ask<void>('POST', 'reset'),
  };
}

async function responds(url: string): Promise<boolean> {
  try {
    await (await fetch(`${url}/_sim/clock`, { headers: { connection: 'close' } })).text();
    return true;
  } catch {
    return false;
  }
}

export interface GatewayOptions extends Pick<
  SimulatorOptions,
  'port' | 'idInstance' | 'apiTokenInstance' | 'settings' | 'rateLimits' | 'webhookRetryMs' | 'onError'
> {
  /** Multiplies the pace of the clock, and with it queue release and notification retries. @default 1 */
  readonly speed?: number;
}

export interface TestGateway {
  /** E.g. `http://127.0.0.1:41234`. */
  readonly url: string;
  /** An entry for everpost's instances file; any other client of the gateway needs the same values. */
  readonly instance: { readonly baseUrl: string; readonly idInstance: string; readonly apiTokenInstance: string };
  readonly control: GatewayControl;
  close(): Promise<void>;
}

/**
 * Starts everpost's gateway simulator in this process, on a free port unless one is given. It is a test double for code
 * that calls the gateway, or for an everpost that runs during the test.
 */
export async function startGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const { speed, ...rest } = options;
  const { idInstance = '1101000001', apiTokenInstance = 'simulator-token' } = options;
  const { url, close } = await startSimulator(rest);
  const control = controlGateway(url, idInstance);
  if (speed !== undefined) await control.setSpeed(speed);
  return { url, instance: { baseUrl: url, idInstance, apiTokenInstance }, control, close };
}
