import {
  startSimulator,
  type DeliveredMessage,
  type Fault,
  type RecordedRequest,
  type Settings,
  type SimulatorOptions,
  type TemplateStatus,
} from '../simulator/index.js';

/** A fault as a test asks for it: `times` is 1 when left out; `accepted` is true where the gateway responds, however late. */
export type FaultRequest = Pick<Fault, 'kind'> & Partial<Omit<Fault, 'kind'>>;

export interface ClockReading {
  readonly nowMs: number;
  /** ISO UTC. */
  readonly now: string;
  readonly speed: number;
  /** When the next event or notification is due. */
  readonly nextDueAtMs: number | null;
}

/** What changes of an instance; the rest stays. */
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

/** The text of a contact; fields that are not listed are passed on to the notification. */
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
 * The control endpoints of a simulated gateway, also of one in another process. Each method throws when the gateway
 * refuses it. What acts on an instance takes that of the constructor unless `idInstance` says another.
 */
export interface GatewayControl {
  clock(): Promise<ClockReading>;
  /** Lets time pass: everything due in it happens, in order, and every due notification is answered. */
  advanceMs(ms: number): Promise<ClockReading>;
  /** Multiplies the pace of the clock from now on. */
  setSpeed(speed: number): Promise<ClockReading>;
  /** The next matching requests go wrong. */
  addFault(fault: FaultRequest): Promise<void>;
  clearFaults(): Promise<void>;
  /** The next notifications go wrong. */
  addNotificationFault(fault: {
    readonly kind: 'drop' | 'double' | 'delay' | 'reorder';
    readonly typeWebhook?: string;
    readonly ms?: number;
    readonly times?: number;
  }): Promise<void>;
  clearNotificationFaults(): Promise<void>;
  /** Refuses every connection for that much real time; returns once it does. */
  outageMs(ms: number): Promise<void>;
  /** What the phones received, oldest first; of one chat, or of all. */
  delivered(chatId?: string): Promise<readonly DeliveredMessage[]>;
  /** The requests that arrived, oldest first, without tokens; of one operation, or all. */
  requests(method?: string): Promise<readonly RecordedRequest[]>;
  /** With its queue and the notifications that wait. */
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
  /** Lists replace lists. */
  setAccounts(accounts: {
    readonly noAccount?: readonly string[];
    readonly fails?: readonly string[];
    readonly beta?: boolean;
    readonly journal?: boolean;
  }): Promise<void>;
  /** The reviewers decide, now or later. */
  decideTemplate(
    elementName: string,
    decision: { readonly status: TemplateStatus; readonly reason?: string | undefined; readonly afterMs?: number },
  ): Promise<void>;
  /** Any other control endpoint of docs/simulator.md, e.g. `('POST', 'instances/1101000001/calls', { from })`. */
  ask(verb: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  /** Back to the state at the start. */
  reset(): Promise<void>;
}

/**
 * @param url  of the gateway, e.g. the `simulatorUrl` of `everpost dev --json`
 * @param idInstance  whose instance is controlled. @default the one that exists from the start
 */
export function controlGateway(url: string, idInstance = '1101000001'): GatewayControl {
  const instance = `instances/${encodeURIComponent(idInstance)}`;

  async function ask(verb: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${url}/_sim/${path}`, {
      method: verb,
      // A kept connection would be cut by an outage, at any moment.
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
  /** Multiplies the pace of its clock: the queue is released, and notifications retried, that much faster. @default 1 */
  readonly speed?: number;
}

export interface TestGateway {
  /** E.g. `http://127.0.0.1:41234`. */
  readonly url: string;
  /** An instance of everpost's instances file, and what any client of the gateway needs. */
  readonly instance: { readonly baseUrl: string; readonly idInstance: string; readonly apiTokenInstance: string };
  readonly control: GatewayControl;
  close(): Promise<void>;
}

/**
 * Starts everpost's simulator of the gateway in this process, on any free port unless one is given: a test double for
 * code that talks to the gateway, or for an everpost that runs beside the test.
 */
export async function startGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const { speed, ...rest } = options;
  const { idInstance = '1101000001', apiTokenInstance = 'simulator-token' } = options;
  const { url, close } = await startSimulator(rest);
  const control = controlGateway(url, idInstance);
  if (speed !== undefined) await control.setSpeed(speed);
  return { url, instance: { baseUrl: url, idInstance, apiTokenInstance }, control, close };
}
