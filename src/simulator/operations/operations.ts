import { editMessage, type EditRequest } from '../account/edit-message.js';
import { MAX_FILE_BYTES } from '../account/file-facts.js';
import { groupData } from '../account/groups.js';
import { journalEntry } from '../account/message-journal.js';
import { listQueueItem } from '../account/outgoing-item.js';
import { RequestFields } from '../wire/request-fields.js';
import { SEND_OPERATIONS } from './send-operations.js';
import { readSettings, type Settings } from '../account/settings.js';
import { readTemplateRequest, type TemplateRequest } from '../account/template-request.js';
import { createTemplate, showTemplate } from '../account/templates.js';
import { operation, type Operation } from './operation.js';
import { POLLING_OPERATIONS } from './polling-operations.js';
import { WireError } from '../wire/wire.js';

// Validation errors begin in three ways in the document. Operations without an example use that of readChat.
const DETAILS = 'Validation failed, details: ';
const SENTENCE = 'Validation failed. Details: ';

const nothing = (): undefined => undefined;

const CHAT_OPERATIONS: Readonly<Record<string, Operation>> = {
  editMessage: operation<EditRequest>({
    verb: 'POST',
    perSecond: 1,
    changes: true,
    needsPhone: true,
    read: ({ body }) => {
      const fields = new RequestFields(body, DETAILS);
      return { chatId: fields.chatId(), idMessage: fields.text('idMessage'), text: fields.text('message', 20_000) };
    },
    run: (asked, { instance, nowMs, newId }) => ({ idMessage: editMessage(instance, asked, newId(), nowMs) }),
  }),

  getGroupData: operation<string>({
    verb: 'POST',
    perSecond: 1,
    changes: false,
    needsPhone: true,
    read: ({ body }) => {
      const fields = new RequestFields(body, DETAILS);
      const groupId = fields.text('groupId');
      if (!/^\d+(-\d+)?@g\.us$/.test(groupId)) {
        // The gateway's message lacks the closing quote.
        throw fields.error("'groupId' must be the next formats: 'group_id@g.us");
      }
      return groupId;
    },
    run: (groupId, { instance }) => groupData(instance, groupId),
  }),

  readChat: operation<{ readonly chatId: string; readonly idMessage: string | undefined }>({
    verb: 'POST',
    perSecond: 10,
    changes: true,
    needsPhone: true,
    read: ({ body }) => {
      const fields = new RequestFields(body, SENTENCE);
      const given = fields.text('chatId');
      // Bare digits are accepted, as in the document's examples.
      const chatId = /^\d+$/.test(given) ? `${given}@c.us` : fields.chatId();
      return { chatId, idMessage: fields.optionalText('idMessage') };
    },
    run: ({ chatId, idMessage }, { instance: { journal, settings } }) => {
      // Messages received while the setting was off cannot be marked.
      if (settings.incomingWebhook === 'no') return { setRead: false };
      const markable = journal.inChat(chatId).filter(({ type, noticed }) => type === 'incoming' && noticed);
      const named = idMessage === undefined ? markable : markable.filter((one) => one.idMessage === idMessage);
      for (const message of named) message.status = 'read';
      return { setRead: idMessage === undefined || named.length > 0 };
    },
  }),

  getIncomingStories: operation<number>({
    verb: 'GET',
    changes: false,
    read: ({ query }) => readMinutes(query),
    // Newest first, like the gateway's journals.
    run: (minutes, { instance, nowMs }) =>
      instance.stories
        .filter(({ atMs }) => atMs >= nowMs - minutes * 60_000)
        .toReversed()
        .map(({ fields }) => fields),
  }),

  lastOutgoingMessages: operation<number>({
    verb: 'GET',
    perSecond: 1,
    changes: false,
    read: ({ query }) => readMinutes(query),
    run: (minutes, { instance, nowMs }) =>
      instance.accounts.journal ? instance.journal.outgoingSince(nowMs - minutes * 60_000).map(journalEntry) : [],
  }),

  getMessage: operation<{ readonly chatId: string; readonly idMessage: string }>({
    verb: 'POST',
    perSecond: 10,
    changes: false,
    read: ({ body }) => {
      const fields = new RequestFields(body, SENTENCE);
      return { chatId: fields.chatId(), idMessage: fields.text('idMessage') };
    },
    run: ({ chatId, idMessage }, { instance }) => {
      const message = instance.accounts.journal ? instance.journal.find(idMessage) : undefined;
      if (message?.chatId !== chatId) throw new WireError(400, 'Message by id not found');
      return journalEntry(message);
    },
  }),
};

interface UploadedFile {
  readonly contentType: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly bytesHex: string;
}

const FILE_OPERATIONS: Readonly<Record<string, Operation>> = {
  uploadFile: operation<UploadedFile>({
    verb: 'POST',
    perSecond: 1,
    changes: true,
    takesFile: true,
    read: ({ body }) => {
      const file = body as unknown as UploadedFile;
      if (file.sizeBytes > MAX_FILE_BYTES) throw new WireError(500, 'file over 100 mb');
      const isNamed = file.contentType !== '' || file.fileName !== '';
      if (!isNamed) throw new WireError(400, `${SENTENCE}'Content-Type' or 'GA-Filename' is required`);
      if (file.sizeBytes === 0) throw new WireError(400, `${SENTENCE}'file' is required`);
      return file;
    },
    run: ({ fileName, ...facts }, { instance, newId }) => {
      const extension = /\.\w+$/.exec(fileName)?.[0] ?? '';
      const url = `https://files.example/${newId()}${extension}`;
      instance.world.files.set(url, { ...facts, url });
      return { urlFile: url };
    },
  }),
};

const TEMPLATE_OPERATIONS: Readonly<Record<string, Operation>> = {
  createTemplate: operation<TemplateRequest>({
    verb: 'POST',
    changes: true,
    read: ({ body }) => readTemplateRequest(body),
    run: (asked, { instance, nowMs, newId }) => ({
      template: showTemplate(createTemplate(instance, asked, newId(), nowMs), instance),
    }),
  }),

  getTemplateById: operation<string>({
    verb: 'POST',
    changes: false,
    read: ({ body }) => new RequestFields(body, SENTENCE).text('templateId'),
    run: (templateId, { instance }) => {
      const template = instance.templates.find(({ id }) => id === templateId);
      if (template === undefined) throw new WireError(400, 'Template by id not found');
      return { template: showTemplate(template, instance) };
    },
  }),

  getTemplates: operation({
    verb: 'GET',
    changes: false,
    read: nothing,
    run: (_, { instance }) => ({ templates: instance.templates.map((one) => showTemplate(one, instance)) }),
  }),
};

const INSTANCE_OPERATIONS: Readonly<Record<string, Operation>> = {
  showMessagesQueue: operation({
    verb: 'GET',
    perSecond: 1,
    changes: false,
    read: nothing,
    run: (_, { instance }) =>
      instance.queue.items
        .map((item) => listQueueItem({ ...item, chatId: instance.shown(item.chatId) }))
        .filter((listed) => listed !== undefined),
  }),

  clearMessagesQueue: operation({
    verb: 'GET',
    perSecond: 1,
    changes: true,
    read: nothing,
    run: (_, { instance }) => {
      instance.queue.clear();
      return { isCleared: true };
    },
  }),

  getSettings: operation({
    verb: 'GET',
    perSecond: 1,
    changes: false,
    read: nothing,
    run: (_, { instance }) => ({ wid: instance.wid, typeInstance: 'whatsapp', ...instance.settings }),
  }),

  setSettings: operation<Partial<Settings>>({
    verb: 'POST',
    perSecond: 1,
    changes: true,
    read: ({ body }) => readSettings(new RequestFields(body, SENTENCE)),
    run: (changed, { instance }) => {
      Object.assign(instance.settings, changed);
      return { saveSettings: true };
    },
  }),

  getStateInstance: operation({
    verb: 'GET',
    perSecond: 1,
    changes: false,
    read: nothing,
    run: (_, { instance }) => ({ stateInstance: instance.state }),
  }),

  getStatusInstance: operation({
    verb: 'GET',
    perSecond: 1,
    changes: false,
    read: nothing,
    run: (_, { instance }) => ({ statusInstance: instance.statusInstance }),
  }),

  reboot: operation({
    verb: 'GET',
    perSecond: 1,
    changes: true,
    read: nothing,
    run: (_, { instance, nowMs }) => {
      instance.reboot(nowMs);
      return { isReboot: true };
    },
  }),
};

/** Every operation that is served, under its name. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...SEND_OPERATIONS,
  ...CHAT_OPERATIONS,
  ...FILE_OPERATIONS,
  ...TEMPLATE_OPERATIONS,
  ...INSTANCE_OPERATIONS,
  ...POLLING_OPERATIONS,
};

function readMinutes({ minutes: given }: Readonly<Record<string, string>>): number {
  if (given === undefined) return 1440;
  const minutes = Number(given);
  if (!Number.isInteger(minutes) || minutes < 1) throw new WireError(400, `${SENTENCE}'minutes' must be a number`);
  return minutes;
}
