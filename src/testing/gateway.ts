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

/**
 * The control endpoints of a simulated gateway, in this or another process. Each method throws if the gateway refuses
 * it. Methods for an instance use the one that was passed to {@link controlGateway}.
 */
export interface GatewayControl {
  clock(): Promise<ClockReading>;
  /** Advances the clock: everything due in that time happens, in order, and every due notification is answered. */
  advanceMs(ms: number): Promise<ClockReading>;
  /** Multiplies the pace of the clock from now on. */
  setSpeed(speed: number): Promise<ClockReading>;
  /** Applies a fault to the next matching requests. */
  addFault(fault: FaultRequest): Promise<void>;
  clearFaults(): Promise<void>;
  /** Applies a fault to the next notifications. */
  addNotificationFault(fault: {
    readonly kind: 'drop' | 'double' | 'delay' | 'reorder';
    readonly typeWebhook?: string;
    readonly ms?: number;
    readonly times?: number;
  }): Promise<void>;
  clearNotificationFaults(): Promise<void>;
  /** Refuses every connection for this real time; returns once the outage has begun. */
  outageMs(ms: number): Promise<void>;
  /** The messages that the phones received, oldest first, in one chat or all. */
  delivered(chatId?: string): Promise<readonly DeliveredMessage[]>;
  /** The requests that arrived, oldest first, without tokens, for one operation or all. */
  requests(method?: string): Promise<readonly RecordedRequest[]>;
  /** The instance with its queue and its waiting notifications. */
  showInstance(): Promise<Readonly<Record<string, unknown>>>;
  patchInstance(patch: InstancePatch): Promise<void>;
  /** A contact writes. @returns the gateway's id */
  incoming(message: IncomingMessage): Promise<string>;
  /** The account's owner writes on the phone. @returns the gateway's id */
  sentFromPhone(message: IncomingMessage): Promise<string>;
  /** The network reports on a message that left the queue. */
  receipt(receipt: {
    readonly idMessage: string;
    readonly status: string;
    readonly description?: string;
  }): Promise<void>;
  /** A given list replaces the current one. */
  setAccounts(accounts: {
    readonly noAccount?: readonly string[];
    readonly fails?: readonly string[];
    readonly beta?: boolean;
    readonly journal?: boolean;
  }): Promise<void>;
  /** Decides the review of a template, now or later. */
  decideTemplate(
    elementName: string,
    decision: { readonly status: TemplateStatus; readonly reason?: string | undefined; readonly afterMs?: number },
  ): Promise<void>;
  /** Any other control endpoint of docs/simulator.md, e.g. `('POST', 'instances/1101000001/calls', { from })`. */
  ask(verb: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  /** Restores the initial state. */
  reset(): Promise<void>;
}

/**
 * @param url  of the gateway, e.g. the `simulatorUrl` of `everpost dev --json`
 * @param idInstance  the controlled instance. @default the one that exists from the start
 */
export function controlGateway(url: string, idInstance = '1101000001'): GatewayControl {
  const instance = `instances/${encodeURIComponent(idInstance)}`;

  async function ask(verb: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${url}/_sim/${path}`, {
      method: verb,
      // An outage could cut a kept connection at any moment.
      headers: { connection: 'close', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The gateway refused ${verb} ${path} (HTTP ${response.status}): ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
  const does = async (verb: string, path: string, body?: unknown): Promise<void> => void (await ask(verb, path, body));
  const clock = async (change: unknown): Promise<ClockReading> => (await ask('POST', 'clock', change)) as ClockReading;
  const idOf = async (path: string, body: unknown): Promise<string> =>
    ((await ask('POST', `${instance}/${path}`, body)) as { idMessage: string }).idMessage;
  const filtered = (path: string, name: string, value: string | undefined): string =>
    value === undefined ? path : `${path}?${name}=${encodeURIComponent(value)}`;

  return {
    ask,
    clock: async () => (await ask('GET', 'clock')) as ClockReading,
    advanceMs: (ms) => clock({ advanceMs: ms }),
    setSpeed: (speed) => clock({ speed }),
    addFault: (fault) => does('POST', 'faults', fault),
    clearFaults: () => does('DELETE', 'faults'),
    addNotificationFault: (fault) => does('POST', 'notifications/faults', fault),
    clearNotificationFaults: () => does('DELETE', 'notifications/faults'),
    async outageMs(ms) {
      await does('POST', 'outage', { ms });
      while (await responds(url)) continue;
    },
    delivered: async (chatId) =>
      (await ask('GET', filtered('delivered', 'chatId', chatId))) as readonly DeliveredMessage[],
    requests: async (method) =>
      (await ask('GET', filtered('requests', 'method', method))) as readonly RecordedRequest[],
    showInstance: async () => (await ask('GET', instance)) as Readonly<Record<string, unknown>>,
    patchInstance: (patch) => does('PATCH', instance, patch),
    incoming: (message) => idOf('incoming', message),
    sentFromPhone: (message) => idOf('sent-from-phone', message),
    receipt: (receipt) => does('POST', `${instance}/receipts`, receipt),
    setAccounts: (accounts) => does('POST', `${instance}/accounts`, accounts),
    decideTemplate: (elementName, decision) =>
      does('POST', `templates/${encodeURIComponent(elementName)}/decision`, decision),
    reset: () => does('POST', 'reset'),
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
