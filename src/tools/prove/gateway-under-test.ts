import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Secret, type Log } from '../../contract/index.js';
import type { DeliveredMessage } from '../../simulator/index.js';
import { NEEDED_FLAGS } from '../../gateway/index.js';
import type { Teardown } from '../../compose/index.js';
import { controlGateway } from '../../testing/index.js';
import { loadLocalSimulator } from '../dev/index.js';
import type { GatewayFault, NotificationFault } from './plan/faults.js';
import type { INSTANCES } from './plan/plan.js';

/** How often something was planned, and how often it happened. */
export interface Count {
  readonly planned: number;
  readonly fired: number;
  /** The fault waits for a send to one recipient. If a kill left that recipient unresolved, no send comes. */
  readonly mayNotHappen?: true;
}

/** The gateway and its phones, in this process, so that no kill affects them. */
export type GatewayUnderTest = Awaited<ReturnType<typeof startGatewayUnderTest>>;

/**
 * Starts the simulator with all settings that witnesses need: journal and notifications are on.
 * @param apiUrl  the URL at which the product takes notifications once it runs
 */
export async function startGatewayUnderTest(options: {
  readonly apiUrl: string;
  /** The first one is the simulator's default instance. */
  readonly instances: typeof INSTANCES;
  /** Whether the gateway pushes notifications or the product fetches them. */
  readonly notifications: 'push' | 'poll';
  readonly log: Log;
  readonly teardown: Teardown;
}) {
  const { apiUrl, instances, notifications, log, teardown } = options;
  const token = new Secret(randomUUID());
  const { startLocalSimulator } = await loadLocalSimulator();
  const simulator = await startLocalSimulator({
    host: '127.0.0.1',
    port: 0,
    log,
    // Workers are killed every few seconds and would miss most retries if those came once a minute.
    webhookRetryMs: 20,
  });
  teardown.add('simulator', () => simulator.close());
  const control = controlGateway(simulator.url);
  const nameById = new Map(instances.map(({ name, idInstance }) => [idInstance, name]));
  /** `shown` is the form in which the simulator shows the fault until it happens. */
  const planned: (Pick<Count, 'mayNotHappen'> & { readonly name: string; readonly shown: string })[] = [];
  let seenRequests = 0;
  let awayUntil: Promise<void> = Promise.resolve();
  const asking = new Set<Promise<unknown>>();

  async function ask(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<unknown> {
    for (let until: unknown; until !== awayUntil; await until) until = awayUntil;
    const asked = control.ask(method, path, body);
    asking.add(asked);
    return asked.finally(() => asking.delete(asked));
  }
  async function breakSend(name: string, fault: GatewayFault['ask']): Promise<void> {
    const toOne = 'chatId' in fault ? ({ mayNotHappen: true } as const) : {};
    planned.push({ name, ...toOne, shown: canonical((await ask('POST', 'faults', fault)) as object) });
  }
  const showInstances = (): Promise<ShownInstance[]> =>
    Promise.all(
      instances.map(async ({ idInstance }) => (await ask('GET', `instances/${idInstance}`)) as ShownInstance),
    );
  const setAll = (settings: (name: string) => object) =>
    Promise.all(
      instances.map(({ name, idInstance }) => ask('PATCH', `instances/${idInstance}`, { settings: settings(name) })),
    );
  /** How many requests to create the template came. */
  const submissionsOf = (elementName: string): number =>
    simulator
      .requests()
      .filter(
        ({ method, body }) =>
          method === 'createTemplate' &&
          body instanceof Object &&
          'elementName' in body &&
          body.elementName === elementName,
      ).length;
  // The simulator configures only its default instance.
  const flags = Object.fromEntries(NEEDED_FLAGS.map(({ name }) => [name, 'yes']));
  const receiver = (name: string) => ({ webhookUrl: `${apiUrl}/webhooks/${name}`, webhookUrlToken: token.reveal() });
  await setAll((name) => ({ ...flags, ...(notifications === 'push' ? receiver(name) : {}) }));

  return {
    /** The content of the instances file that names this gateway. */
    instancesFile: JSON.stringify(
      Object.fromEntries(
        instances.map(({ name, idInstance, token: apiTokenInstance }) => [
          name,
          { baseUrl: simulator.url, idInstance, apiTokenInstance, webhookToken: token.reveal(), notifications },
        ]),
      ),
    ),
    /** Adds a fault to the next request to send. */
    breakNextSend: ({ name, ask: fault }: GatewayFault) => breakSend(name, fault),
    /** Adds a fault to the next request to send to this chat. */
    breakNextSendTo: (chatId: string, { name, ask: fault }: GatewayFault) =>
      breakSend(`${name}, in a campaign`, { ...fault, chatId }),
    async breakNextNotification({ name, ask: fault }: NotificationFault): Promise<void> {
      await ask('POST', 'notifications/faults', fault);
      planned.push({ name, shown: canonical({ times: 1, ...fault }) });
    },
    /** Sets the state of an account. */
    async setState(name: string, stateInstance: 'authorized' | 'notAuthorized'): Promise<void> {
      const own = instances.find((instance) => instance.name === name);
      if (own !== undefined) await ask('PATCH', `instances/${own.idInstance}`, { state: stateInstance });
    },
    /** @returns false if the gateway does not have the template yet */
    async approve(elementName: string): Promise<boolean> {
      if (submissionsOf(elementName) === 0) return false;
      await ask('POST', `templates/${elementName}/decision`, { status: 'APPROVED' });
      return true;
    },
    submissionsOf,
    /** Sets the release interval of all instances. */
    async releaseEvery(ms: number): Promise<void> {
      await setAll(() => ({ delaySendMessagesMilliseconds: ms }));
    },
    /** Breaks open connections and refuses new ones for this time. */
    async goAway(forMs: number, stop: AbortSignal): Promise<void> {
      let comeBack: (() => void) | undefined;
      awayUntil = new Promise((resolve) => (comeBack = resolve));
      // An outage would break the open control requests too.
      await Promise.allSettled(asking);
      await simulator.pauseListening();
      try {
        await delay(forMs, undefined, { signal: stop });
      } finally {
        await simulator.resumeListening();
        comeBack?.();
      }
    },
    /** Whether the queue and the notifications of all instances are empty. */
    async isIdle(): Promise<boolean> {
      const shown = await showInstances();
      return shown.every(({ queue, notifications: waiting }) => queue.length === 0 && waiting.length === 0);
    },
    /** How often each fault was planned, and how often it happened. */
    async faultCounts(): Promise<ReadonlyMap<string, Count>> {
      const unplayed = [
        ...((await ask('GET', 'faults')) as object[]),
        ...((await showInstances())[0]?.notificationFaults ?? []),
      ].map(canonical);
      const counts = new Map<string, Count>();
      for (const { name, shown, ...fault } of planned) {
        const before = counts.get(name) ?? { planned: 0, fired: 0 };
        const at = unplayed.indexOf(shown);
        if (at !== -1) unplayed.splice(at, 1);
        counts.set(name, { planned: before.planned + 1, fired: before.fired + (at === -1 ? 1 : 0), ...fault });
      }
      return counts;
    },
    delivered: (): readonly DeliveredMessage[] => simulator.delivered(),
    /**
     * @returns how many requests to send to one of these chats came after `sinceMs`, in milliseconds since the epoch
     */
    sendsSince: (sinceMs: number, chats: ReadonlySet<string>) =>
      simulator.requests().filter(({ method, at, body }) => {
        if (method !== 'sendMessage' || Date.parse(at) <= sinceMs) return false;
        return body instanceof Object && 'chatId' in body && chats.has(String(body.chatId));
      }).length,
    /** A number that grows with each request and delivery. */
    progress: () => simulator.requests().length + simulator.delivered().length,
    /** @returns for each request to send since the last call: the name of its instance */
    newSends(): readonly string[] {
      const requests = simulator.requests();
      const sends = requests.slice(seenRequests).filter(({ method }) => method === 'sendMessage');
      seenRequests = requests.length;
      return sends.flatMap(({ idInstance }) => nameById.get(idInstance) ?? []);
    },
  };
}

interface ShownInstance {
  readonly queue: readonly unknown[];
  readonly notifications: readonly unknown[];
  readonly notificationFaults: readonly object[];
}

function canonical(fault: object): string {
  return JSON.stringify(fault, Object.keys(fault).toSorted());
}
