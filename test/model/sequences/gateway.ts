/**
 * A gateway with one account per instance, on a clock that the world moves: a FIFO queue, a phone, a journal and
 * notifications. Its responses are read by the product's own rules.
 */
import { AppError, type InstanceDirectory, type OperationName } from '../../../src/contract/index.js';
import { checkRequest } from '../../../src/gateway/check-request.js';
import type { CallOptions, Gateway } from '../../../src/gateway/index.js';
import { failed, responseOf } from '../../../src/gateway/read-outcome.js';
import { campaignOf } from './campaigns/reference.js';
import type { ClearFault, EditFault, NotificationFault, PostFault, Unreached } from './faults.js';
import type { Account, Item, Posted, Request } from './gateway-items.js';
import { configOf } from './instances.js';
import type { LedClock } from '../../dispatch/led-clock.js';
import type { Random } from '../../support/random.js';

const DAY_MS = 24 * 60 * 60_000;
const INTERVAL_MS = 500;
/** Less than the high water mark of a normal message, a refill (SHIFT-4), and what is in flight. */
const FULL = 8;
const REBOOT_MS = 5_000;
const TIMEOUT_MS = 4_000;
/** Less than the settle time. */
const EDITED_LATE_MS = 3_000;
const RETRY_NOTIFICATION_MS = 60_000;

export class ModelGateway implements Gateway {
  readonly requests: Request[] = [];
  readonly #accounts = new Map<string, Account>();
  readonly #clock: LedClock;
  readonly #random: Random;
  readonly #instances: InstanceDirectory;
  readonly #notify: (instance: string, body: object) => Promise<boolean>;
  readonly postFaults: PostFault[] = [];
  /** The status of each template. */
  readonly templates = new Map<string, string>();
  /** What happens to every POST. */
  always: PostFault | undefined;
  readonly notificationFaults: NotificationFault[] = [];
  /** How long a request takes. */
  latencyMs = 40;
  readonly clearFaults: ClearFault[] = [];
  readonly editFaults: EditFault[] = [];
  readonly readFaults: number[] = [];
  /** What happens to the messages of campaigns to a chat. */
  readonly unreached = new Map<string, Unreached>();
  /** A chat whose POSTs take three seconds. */
  slowChat: string | undefined;
  /** When a fault came last. */
  failedAtMs = -Infinity;
  #made = 0;

  /** @param notify  delivers a notification. @returns whether it was stored */
  constructor(
    clock: LedClock,
    random: Random,
    instances: InstanceDirectory,
    notify: (instance: string, body: object) => Promise<boolean>,
  ) {
    this.#clock = clock;
    this.#random = random;
    this.#instances = instances;
    this.#notify = notify;
  }

  account(instance: string): Account {
    const known = this.#accounts.get(instance);
    if (known !== undefined) return known;
    const account: Account = {
      state: 'authorized',
      queue: [],
      lastReleaseMs: -Infinity,
      fullAtMs: -Infinity,
      items: [],
    };
    this.#accounts.set(instance, account);
    return account;
  }

  names(): readonly string[] {
    return [...this.#accounts.keys()];
  }

  setState(instance: string, state: string): void {
    this.account(instance).state = state;
    this.#send(instance, { typeWebhook: 'stateInstanceChanged', stateInstance: state });
    this.#release(instance);
  }

  #reboot(instance: string): void {
    if (this.account(instance).state !== 'authorized') return;
    this.setState(instance, 'starting');
    this.#clock.after(REBOOT_MS, () => {
      if (this.account(instance).state === 'starting') this.setState(instance, 'authorized');
    });
  }

  incoming(instance: string, chatId: string, text: string): void {
    this.#send(instance, {
      typeWebhook: 'incomingMessageReceived',
      idMessage: `in-${(this.#made += 1)}`,
      senderData: { chatId, sender: chatId },
      messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: text } },
    });
  }

  readonly check: Gateway['check'] = (name, request) => checkRequest(name, request);
  readonly offers = () => true;
  readonly close = () => Promise.resolve();

  readonly call: Gateway['call'] = async (instance, operation, request, options = {}) => {
    const config = this.#instances.get(instance);
    const call = { instance: config, operation, request };
    const fields = checkRequest(operation, request).request as never;
    if (operation === 'sendMessage') {
      const { chatId, message: text } = fields as { readonly chatId: string; readonly message: string };
      return (await this.#post(call, { chatId, text }, options)) as never;
    }
    if (operation === 'sendTemplate') {
      const { chatId, templateId: template, params } = fields as Record<'chatId' | 'templateId' | 'params', string>;
      return (await this.#post(call, { chatId, text: `${params[0]} template`, template }, options)) as never;
    }
    if (operation === 'editMessage') return (await this.#edit(call, fields)) as never;
    this.requests.push({ atMs: this.#clock.nowMs(), instance, method: operation, ...(fields as object) });
    const fault = operation === 'clearMessagesQueue' ? this.clearFaults.shift() : undefined;
    if (fault === 'refused') throw failed(call, 'unreachable', { detail: 'ECONNREFUSED' });
    await this.#clock.sleep(this.latencyMs);
    if (fault === 'lost_absent') throw failed(call, 'lost', { connectionEnded: true });
    const readFault = operation === 'getMessage' ? this.readFaults.shift() : undefined;
    if (readFault !== undefined) return this.#read(call, readFault, 'Faulty') as never;
    const { httpStatus, body } = this.#respond(instance, operation, fields);
    if (fault === 'lost') throw failed(call, 'lost', { connectionEnded: true });
    await this.#clock.sleep(operation === 'clearMessagesQueue' ? this.latencyMs : 0);
    return { response: this.#read(call, httpStatus, body) as never, httpStatus };
  };

  #read(call: Parameters<typeof responseOf>[0], httpStatus: number, body: unknown, headers = {}): unknown {
    const times = { leftAtMs: 0, respondedAtMs: 0 };
    const responded = {
      kind: 'responded',
      httpStatus,
      headers,
      body: Buffer.from(JSON.stringify(body)),
      ...times,
    } as const;
    return responseOf(call, responded, this.#clock.wall.nowMs());
  }

  async #post(
    call: Parameters<typeof responseOf>[0],
    posted: Posted,
    { listenMs = 0, onLate, onLeft }: CallOptions<never>,
  ): Promise<unknown> {
    const instance = call.instance.name;
    const { chatId, template } = posted;
    const fault = this.postFaults.shift() ?? this.always;
    if (fault !== undefined) this.failedAtMs = this.#clock.nowMs();
    if (fault === 'refused') throw failed(call, 'unreachable', { detail: 'ECONNREFUSED' });
    const isBusy = fault === 'busy_0' || fault === 'busy_2';
    this.requests.push({
      atMs: this.#clock.nowMs(),
      instance,
      method: call.operation,
      posted,
      isBusy,
    });
    onLeft?.();
    const latencyMs = chatId === this.slowChat ? 3_000 : this.latencyMs;
    await this.#clock.sleep(latencyMs / 2);
    const unreached = this.#unreached(posted);
    if (unreached === 'rejected') return this.#read(call, 400, { message: 'chatId is not valid' });
    if (template !== undefined && this.templates.get(template) !== 'APPROVED')
      return this.#read(call, 400, { message: 'template is not there' });
    switch (fault) {
      case 'busy_0':
      case 'busy_2':
        return this.#read(call, 429, 'Too Many Requests', { 'retry-after': fault === 'busy_0' ? '0' : '2' });
      case 'unauthorized':
        return this.#read(call, 401, 'Unauthorized');
      case 'bad_gateway':
        return this.#read(call, 502, 'Bad Gateway');
      case 'lost_absent':
        throw failed(call, 'lost', { connectionEnded: true });
      case 'accepted_late':
        this.#clock.after(3_000, () => this.#accept(instance, posted));
        throw failed(call, 'lost', { connectionEnded: true });
      case 'lost':
      case 'responded_late':
      case 'hangs':
      case undefined:
    }
    const idMessage = this.#accept(instance, posted);
    if (fault === 'lost') throw failed(call, 'lost', { connectionEnded: true });
    if (fault === 'responded_late' || fault === 'hangs') {
      await this.#clock.sleep(TIMEOUT_MS);
      const late = { response: { idMessage } as never, httpStatus: 200 };
      if (fault === 'responded_late' && listenMs >= 1_000) this.#clock.after(1_000, () => void onLate?.(late));
      throw failed(call, 'lost', {});
    }
    await this.#clock.sleep(latencyMs / 2);
    return { response: { idMessage }, httpStatus: 200 };
  }

  async #edit(
    call: Parameters<typeof responseOf>[0],
    request: { readonly idMessage: string; readonly message: string },
  ): Promise<unknown> {
    const instance = call.instance.name;
    const fault = this.editFaults.shift();
    if (fault !== undefined) this.failedAtMs = this.#clock.nowMs();
    this.requests.push({
      atMs: this.#clock.nowMs(),
      instance,
      method: 'editMessage',
      edited: request.message,
      isBusy: fault === 'busy',
    });
    await this.#clock.sleep(this.latencyMs);
    if (fault === 'busy') return this.#read(call, 429, 'Too Many Requests', { 'retry-after': '2' });
    if (fault === 'bad_gateway') return this.#read(call, 502, 'Bad Gateway');
    if (fault === 'applied_late') this.#clock.after(EDITED_LATE_MS, () => this.#applyEdit(instance, request));
    else if (fault !== 'lost_absent') this.#applyEdit(instance, request);
    if (fault !== undefined) throw failed(call, 'lost', { connectionEnded: true });
    return { response: { idMessage: request.idMessage }, httpStatus: 200 };
  }

  #applyEdit(instance: string, { idMessage, message }: { readonly idMessage: string; readonly message: string }): void {
    const item = this.account(instance).items.find((one) => one.idMessage === idMessage);
    if (item?.sentAtMs === undefined) return;
    item.edited = message;
    const editedMessageData = { textMessage: message, stanzaId: idMessage };
    this.#send(instance, {
      typeWebhook: 'outgoingAPIMessageReceived',
      idMessage: `GWE${(this.#made += 1)}`,
      senderData: { chatId: item.chatId },
      messageData: { typeMessage: 'editedMessage', editedMessageData },
    });
  }

  #respond(instance: string, name: OperationName, request: Readonly<Record<string, unknown>>) {
    const account = this.account(instance);
    const found = account.items.find(({ idMessage }) => idMessage === request['idMessage']);
    const isOn = { outgoingWebhook: 'yes', outgoingAPIMessageWebhook: 'yes' };
    const clear = (): void => {
      for (const item of account.queue.splice(0)) item.clearedAtMs = this.#clock.nowMs();
    };
    const responses: Partial<Record<OperationName, () => { readonly httpStatus: number; readonly body: unknown }>> = {
      clearMessagesQueue: () => {
        clear();
        return ok({ isCleared: true });
      },
      reboot: () => {
        this.#reboot(instance);
        return ok({ isReboot: true });
      },
      getStateInstance: () => ok({ stateInstance: account.state }),
      getSettings: () => ok({ delaySendMessagesMilliseconds: INTERVAL_MS, ...isOn }),
      showMessagesQueue: () =>
        ok(
          account.queue.filter(isListed).map(({ idMessage: messageID, chatId, text: message }) => {
            return { type: 'sendMessage', messageID, body: { chatId, message, linkPreview: true } };
          }),
        ),
      lastOutgoingMessages: () => {
        const sinceMs = this.#clock.nowMs() - Number(request['minutes'] ?? 1_440) * 60_000;
        const sent = account.items.filter(({ sentAtMs }) => (sentAtMs ?? -1) >= sinceMs);
        return ok(sent.map(this.#entry).toReversed());
      },
      getTemplateById: () => {
        const templateId = String(request['templateId']);
        const status = this.templates.get(templateId);
        if (status === undefined || status === 'REMOVED') return { httpStatus: 400, body: { message: 'not found' } };
        return ok({ template: { templateId, elementName: templateId, status } });
      },
      getTemplates: () => {
        const present = [...this.templates].filter(([, status]) => status !== 'REMOVED');
        return ok({ templates: present.map(([id, status]) => ({ templateId: id, elementName: id, status })) });
      },
      getMessage: () =>
        found?.sentAtMs === undefined ? { httpStatus: 400, body: { message: 'not found' } } : ok(this.#entry(found)),
    };
    const respond = responses[name];
    if (respond === undefined) throw new AppError('INTERNAL', `The model's gateway does not have ${name}.`);
    return respond();
  }

  readonly #entry = ({ idMessage, chatId, text, template, edited = text, sentAtMs = 0 }: Item) => ({
    type: 'outgoing',
    idMessage,
    timestamp: this.#seconds(sentAtMs),
    chatId,
    ...(template === undefined
      ? { typeMessage: 'textMessage', textMessage: edited }
      : { typeMessage: 'templateMessage', templateMessage: { contentText: text } }),
    statusMessage: 'sent',
    sendByApi: true,
  });

  #accept(instance: string, posted: Posted): string {
    const account = this.account(instance);
    const idMessage = `GW${(this.#made += 1)}`;
    const item: Item = { ...posted, idMessage, acceptedAtMs: this.#clock.nowMs(), place: account.queue.length + 1 };
    account.items.push(item);
    account.queue.push(item);
    this.#release(instance);
    return idMessage;
  }

  /** Releases the first item when its turn has come. */
  #release(instance: string): void {
    const account = this.account(instance);
    const nowMs = this.#clock.nowMs();
    if (account.queue.length >= FULL) account.fullAtMs = nowMs;
    while (account.queue[0] !== undefined && nowMs - account.queue[0].acceptedAtMs > DAY_MS) account.queue.shift();
    if (account.queue.length === 0 || account.state !== 'authorized') return;
    const inMs = account.lastReleaseMs + INTERVAL_MS - nowMs;
    if (inMs > 0) {
      this.#clock.after(inMs, () => this.#release(instance));
      return;
    }
    const item = account.queue.shift()!;
    account.lastReleaseMs = nowMs;
    item.sentAtMs = nowMs;
    const { idMessage, chatId, text, template } = item;
    const messageData =
      template === undefined
        ? { typeMessage: 'textMessage', textMessageData: { textMessage: text } }
        : { typeMessage: 'templateMessage', templateMessage: { contentText: text } };
    this.#send(instance, { typeWebhook: 'outgoingAPIMessageReceived', idMessage, senderData: { chatId }, messageData });
    const receipts = ['sent', 'delivered', 'read'].slice(0, this.#random.int(1, 3));
    const unreached = this.#unreached(item);
    for (const status of unreached === undefined ? receipts : [unreached === 'no_account' ? 'noAccount' : unreached]) {
      this.#send(instance, { typeWebhook: 'outgoingMessageStatus', idMessage, chatId, status, sendByApi: true });
    }
    this.#release(instance);
  }

  #unreached({ chatId, text }: Pick<Posted, 'chatId' | 'text'>): Unreached | undefined {
    return campaignOf(text) && this.unreached.get(chatId);
  }

  /** Notifications overtake each other. */
  #send(instance: string, body: object): void {
    const fault = this.notificationFaults.shift();
    if (fault === 'lost') return;
    const whole = {
      ...body,
      timestamp: this.#seconds(this.#clock.nowMs()),
      instanceData: { idInstance: Number(configOf(instance).idInstance) },
    };
    const delayMs = fault === 'delayed' ? 90_000 : this.#random.int(10, 900);
    const push = (): void =>
      void this.#notify(instance, whole).then((isStored) => {
        if (!isStored) this.#clock.after(RETRY_NOTIFICATION_MS, push);
      });
    this.#clock.after(delayMs, push);
    if (fault === 'doubled') this.#clock.after(delayMs + 1_000, push);
  }

  /** A time of the monotonic clock as the gateway shows it. */
  #seconds(atMs: number): number {
    return Math.floor((this.#clock.wall.nowMs() - this.#clock.nowMs() + atMs) / 1_000);
  }
}

function isListed({ template }: Item): boolean {
  return template === undefined;
}

function ok(body: unknown) {
  return { httpStatus: 200, body };
}
