import { notify, notifyQuota, notifyMessage, notifyStatus } from './account/notifications.js';
import { addChange, showNewText } from './account/edit-message.js';
import type { FileFacts } from './account/file-facts.js';
import { readGroup } from './account/groups.js';
import type { World } from './account/account.js';
import type { Instance } from './account/instance.js';
import { type Json, type JsonObject, WireError } from './wire/wire.js';
import type { JournalMessage } from './account/message-journal.js';
import type { NotificationFault } from './account/notification-outbox.js';
import { RequestFields } from './wire/request-fields.js';
import type { Settings } from './account/settings.js';
import { decideTemplate, showTemplate, TEMPLATE_STATUSES } from './account/templates.js';

/** The dependencies of a control. */
export interface ControlContext {
  readonly nowMs: number;
  readonly world: World;
  readonly model: { readonly instances: readonly Instance[] };
  newId(): string;
  instance(idInstance: string): Instance;
}

type Control = (idInstance: string, given: JsonObject, context: ControlContext) => Json | undefined;

const CALL_STATUSES = ['offer', 'pickUp', 'hangUp', 'missed', 'declined'] as const;
const A_DEVICE = {
  platform: 'android',
  deviceManufacturer: 'Example',
  deviceModel: 'Phone 1',
  osVersion: '14',
  waVersion: '2.24.1',
  battery: 90,
};

const A_QUOTA = {
  method: 'correspondents',
  used: 3,
  total: 3,
  status: 'CORRESPONDENTS_QUOTA_EXCEEDED',
  description: 'Monthly quota has been exceeded.',
};

const NOTIFICATION_FAULTS = ['drop', 'double', 'delay', 'reorder'] as const;

/** Actions of tests behind the gateway: on the phone, as its owner, as the network or as the reviewers. */
export const CONTROLS = {
  /** `{ state?, statusInstance?, settings?, wid?, apiTokenInstance?, rateLimits?, editAnswersNewId? }` */
  patch: (idInstance, given, { instance, nowMs }) => {
    const patched = instance(idInstance);
    const fields = control(given, [
      'state',
      'statusInstance',
      'settings',
      'wid',
      'apiTokenInstance',
      'rateLimits',
      'editAnswersNewId',
    ]);
    const settings = given['settings'] === undefined ? {} : (fields.object('settings') as Partial<Settings>);
    const unknown = Object.keys(settings).filter((name) => !(name in patched.settings));
    if (unknown.length > 0) throw fields.error(`unknown settings: ${unknown.join(', ')}`);
    Object.assign(patched.settings, settings);
    patched.wid = fields.optionalText('wid') ?? patched.wid;
    patched.apiTokenInstance = fields.optionalText('apiTokenInstance') ?? patched.apiTokenInstance;
    patched.rateLimits = fields.flag('rateLimits', patched.rateLimits);
    patched.editAnswersNewId = fields.flag('editAnswersNewId', patched.editAnswersNewId);
    patched.changeState(fields.optionalText('state') ?? patched.state, nowMs);
    patched.changeOnlineStatus(fields.optionalText('statusInstance') ?? patched.statusInstance, nowMs);
    return undefined;
  },

  /** A group with all its data. The `wid` in `participants` decides what the caller may see. */
  group: (idInstance, given, { instance, nowMs }) => {
    const group = readGroup(given, nowMs);
    instance(idInstance).groups.set(group.groupId, group);
    return { groupId: group.groupId };
  },

  /** `{ chatId, textMessage?, senderId?, senderName?, typeMessage?, downloadUrl?, caption?, fileName? }` */
  incoming: (idInstance, given, context) => {
    const instance = context.instance(idInstance);
    const noticed = instance.settings.incomingWebhook === 'yes';
    return addPersonal(instance, { type: 'incoming', noticed, status: 'delivered' }, given, context);
  },

  /** A message that the account's owner wrote on the phone: `{ chatId, textMessage }` */
  'sent-from-phone': (idInstance, given, context) => {
    const instance = context.instance(idInstance);
    const noticed = instance.settings.outgoingMessageWebhook === 'yes';
    return addPersonal(instance, { type: 'outgoing', noticed, status: 'sent' }, given, context);
  },

  /** A contact, or the owner on the phone, edits a message: `{ idMessage, textMessage }` */
  edit: (idInstance, given, { instance, nowMs, newId }) => {
    const fields = control(given, ['idMessage', 'textMessage']);
    const message = incomingMessage(instance(idInstance), fields.text('idMessage'));
    if (message.sendByApi) throw new WireError(400, 'it was sent through the API, and can be edited only there');
    const editId = newId();
    showNewText(instance(idInstance), message, { text: fields.text('textMessage'), editId }, nowMs);
    return { idMessage: editId };
  },

  /** A contact deletes a message for everyone: `{ idMessage }` */
  deletion: (idInstance, given, { instance, nowMs, newId }) => {
    const message = incomingMessage(instance(idInstance), control(given, ['idMessage']).text('idMessage'));
    const deletionId = newId();
    message.deletedMessageId = deletionId;
    addChange(instance(idInstance), message, 'deletedMessage', { idMessage: deletionId }, nowMs);
    return { idMessage: deletionId };
  },

  /**
   * A contact calls, or a call changes status: `{ from, status?, idMessage? }`. The id in the response names the call.
   */
  call: (idInstance, given, { instance, nowMs, newId }) => {
    const fields = control(given, ['from', 'status', 'idMessage']);
    const idMessage = fields.optionalText('idMessage') ?? newId();
    const status = fields.oneOf('status', CALL_STATUSES) ?? 'offer';
    const call = { idMessage, from: fields.chatId('from'), status };
    notify(instance(idInstance), 'incomingCall', 'incomingCallWebhook', call, nowMs);
    return { idMessage };
  },

  /** A contact blocks or unblocks the account: `{ chatId, chatState? }` */
  block: (idInstance, given, { instance, nowMs }) => {
    const fields = control(given, ['chatId', 'chatState']);
    const chatState = fields.optionalText('chatState') ?? 'block';
    const block = { chatId: fields.chatId(), chatState };
    notify(instance(idInstance), 'incomingBlock', 'incomingBlockWebhook', block, nowMs);
    return undefined;
  },

  /** Device data: `{ platform?, deviceManufacturer?, deviceModel?, osVersion?, waVersion?, battery? }` */
  device: (idInstance, given, { instance, nowMs }) => {
    control(given, Object.keys(A_DEVICE));
    notify(instance(idInstance), 'deviceInfo', 'deviceWebhook', { deviceData: { ...A_DEVICE, ...given } }, nowMs);
    return undefined;
  },

  /** A limit of the tariff plan is reached: `{ method?, used?, total?, status?, description? }` */
  quota: (idInstance, given, { instance, nowMs }) => {
    control(given, Object.keys(A_QUOTA));
    notifyQuota(instance(idInstance), { ...A_QUOTA, ...given }, nowMs);
    return undefined;
  },

  /** A story with the fields of getIncomingStories. `timestamp`, in Unix seconds, may be in the past. */
  story: (idInstance, given, { instance, nowMs, newId }) => {
    const fields = control(given);
    const timestamp = fields.number('timestamp') ?? Math.floor(nowMs / 1000);
    const chatId = fields.optionalText('chatId') ?? 'status@broadcast';
    const idMessage = fields.optionalText('idMessage') ?? newId();
    const shown = { typeMessage: 'textMessage', senderId: '', senderName: '', ...given, idMessage, timestamp, chatId };
    instance(idInstance).stories.push({ atMs: timestamp * 1000, fields: shown });
    return { idMessage };
  },

  /** `{ noAccount?, fails?, beta?, journal?, shownAs? }`: a list or map replaces the earlier one. */
  accounts: (idInstance, given, { instance }) => {
    const { accounts } = instance(idInstance);
    const fields = control(given, ['noAccount', 'fails', 'beta', 'journal', 'shownAs']);
    accounts.noAccount = fields.texts('noAccount') ?? accounts.noAccount;
    accounts.fails = fields.texts('fails') ?? accounts.fails;
    accounts.beta = fields.flag('beta', accounts.beta);
    accounts.journal = fields.flag('journal', accounts.journal);
    if (fields.has('shownAs')) accounts.shownAs = new RequestFields(fields.object('shownAs'), '').allTexts();
    return { ...accounts };
  },

  /** A receipt from the network, e.g. `{ idMessage, status: 'read', description? }`. */
  receipt: (idInstance, given, { instance, nowMs }) => {
    const receiver = instance(idInstance);
    const fields = control(given, ['idMessage', 'status', 'description']);
    const idMessage = fields.text('idMessage');
    const status = fields.text('status');
    const description = fields.optionalText('description');
    const message = receiver.journal.find(idMessage);
    if (message === undefined) throw new WireError(404, 'no such message has left the queue');
    message.status = status;
    const { chatId } = message;
    notifyStatus(receiver, { chatId, idMessage, status, ...(description === undefined ? {} : { description }) }, nowMs);
    return undefined;
  },

  /** The reviewers decide on a template, now or `afterMs` later: `{ elementName, status, reason?, afterMs? }` */
  decision: (idInstance, given, { model, nowMs }) => {
    const fields = control(given, ['elementName', 'status', 'reason', 'afterMs']);
    const elementName = fields.text('elementName');
    const status = fields.requiredOneOf('status', TEMPLATE_STATUSES);
    const reason = fields.optionalText('reason');
    const afterMs = fields.integer('afterMs', { min: 0 }) ?? 0;
    const owners = model.instances.filter((one) => idInstance === '' || one.idInstance === idInstance);
    const decided = owners.flatMap((instance) =>
      instance.templates
        .filter(({ request }) => request.elementName === elementName)
        .map((template) => ({ instance, template })),
    );
    if (decided.length === 0) throw new WireError(404, `no template has the elementName '${elementName}'`);
    for (const { instance, template } of decided) {
      if (afterMs === 0) decideTemplate(template, status, reason, nowMs);
      else instance.schedule(nowMs + afterMs, (atMs) => decideTemplate(template, status, reason, atMs));
    }
    return { templates: decided.map(({ instance, template }) => showTemplate(template, instance)) };
  },

  /** The response of the server of a link: `{ url, contentType?, bytesHex?, sizeBytes? }` */
  file: (_, given, { world }) => {
    const url = control(given, ['url', 'contentType', 'bytesHex', 'sizeBytes']).text('url');
    world.files.set(url, { ...(given as Partial<FileFacts>), url });
    return undefined;
  },

  /** `{ typeWebhook?, kind, ms?, times? }` for all instances; `times` is 1 by default. */
  'notification-fault': (_, given, { model }) => {
    const fields = control(given, ['typeWebhook', 'kind', 'ms', 'times']);
    const kind = fields.requiredOneOf('kind', NOTIFICATION_FAULTS);
    const typeWebhook = fields.optionalText('typeWebhook');
    const ms = fields.integer('ms', { min: 0 });
    const fault: NotificationFault = {
      kind,
      times: fields.integer('times', { min: 1 }) ?? 1,
      ...(typeWebhook === undefined ? {} : { typeWebhook }),
      ...(ms === undefined ? {} : { ms }),
    };
    for (const { outbox } of model.instances) outbox.faults.push(fault);
    return undefined;
  },

  'clear-notification-faults': (_, _given, { model }) => {
    for (const { outbox } of model.instances) outbox.faults.length = 0;
    return undefined;
  },
} as const satisfies Readonly<Record<string, Control>>;
export type ControlName = keyof typeof CONTROLS;

/** @param only  the known fields; any other field is refused, so that a misspelled name is an error */
function control(given: JsonObject, only?: readonly string[]): RequestFields {
  const fields = new RequestFields(given, '');
  if (only !== undefined) fields.only(only);
  return fields;
}

function incomingMessage({ journal }: Instance, idMessage: string): JournalMessage {
  const message = journal.find(idMessage);
  if (message === undefined) throw new WireError(404, 'no such message has come in or gone out');
  return message;
}

/** Adds a message that a contact or the owner wrote on a phone. */
function addPersonal(
  instance: Instance,
  how: Pick<JournalMessage, 'type' | 'noticed' | 'status'>,
  given: JsonObject,
  { nowMs, newId }: ControlContext,
): Json {
  const fields = control(given);
  const { chatId, senderId, senderName, typeMessage, textMessage, idMessage: _given, ...details } = given;
  const sender = fields.optionalText('senderId') ?? fields.chatId();
  const name = fields.optionalText('senderName') ?? '';
  const text = fields.optionalText('textMessage');
  const type = fields.optionalText('typeMessage') ?? 'textMessage';
  const message: JournalMessage = {
    ...how,
    idMessage: fields.optionalText('idMessage') ?? newId(),
    chatId: fields.chatId(),
    atMs: nowMs,
    typeMessage: type,
    contentKind: 'downloadUrl' in details ? 'file' : 'text',
    sendByApi: false,
    isForwarded: false,
    isEdited: false,
    details,
    ...(how.type === 'incoming' ? { senderId: sender, senderName: name } : {}),
    ...(text === undefined ? {} : { text }),
  };
  instance.journal.add(message);
  notifyMessage(instance, message, nowMs);
  return { idMessage: message.idMessage };
}
