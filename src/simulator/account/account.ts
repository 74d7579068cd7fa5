import type { FileFacts } from './file-facts.js';
import type { Group } from './groups.js';
import { MessageJournal, type Story } from './message-journal.js';
import { NotificationOutbox } from './notification-outbox.js';
import type { Phones } from './phones.js';
import { SendQueue } from './send-queue.js';
import { defaultSettings, type Settings } from './settings.js';
import type { Template } from './templates.js';

/** The state that all instances of one simulator share. */
export interface World {
  readonly phones: Phones;
  readonly files: Map<string, FileFacts>;
}

/** The abilities of the account, and chats that sends fail for. */
export interface Accounts {
  /** Chats without an account at the messaging network. Sends to them end as noAccount. */
  noAccount: readonly string[];
  /** Chats for which sends end as failed. */
  fails: readonly string[];
  /** The account may publish statuses. */
  beta: boolean;
  /** The account keeps journals. */
  journal: boolean;
  /** Chats that the queue, the journal and notifications show under another id: the network's, or a lid. */
  shownAs: Readonly<Record<string, string>>;
}

/** The initial values of every instance. */
export interface InstanceStart {
  readonly apiTokenInstance: string;
  readonly rateLimits: boolean;
  /** The pause between a failed push of a notification and its retry. */
  readonly webhookRetryMs: number;
}

export interface TypingShown {
  readonly chatId: string;
  readonly typingType: 'typing' | 'recording';
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The data of one account behind the gateway. {@link Instance} adds its behavior. */
export class Account {
  readonly idInstance: string;
  readonly world: World;
  readonly settings: Settings = defaultSettings();
  readonly queue = new SendQueue();
  readonly journal = new MessageJournal();
  readonly outbox = new NotificationOutbox();
  readonly groups = new Map<string, Group>();
  readonly templates: Template[] = [];
  readonly stories: Story[] = [];
  readonly typingShown: TypingShown[] = [];
  readonly accounts: Accounts = { noAccount: [], fails: [], beta: true, journal: true, shownAs: {} };
  /** The account's own chat id. */
  wid: string;
  apiTokenInstance: string;
  state = 'authorized';
  statusInstance = 'online';
  rateLimits: boolean;
  webhookRetryMs: number;
  /** Whether editMessage returns a new id instead of the given one. */
  editAnswersNewId = false;

  constructor(idInstance: string, world: World, start: InstanceStart) {
    this.idInstance = idInstance;
    this.world = world;
    this.wid = `1${idInstance}@c.us`;
    this.apiTokenInstance = start.apiTokenInstance;
    this.rateLimits = start.rateLimits;
    this.webhookRetryMs = start.webhookRetryMs;
  }
  /** The id under which a chat is shown. */
  shown(chatId: string): string {
    return this.accounts.shownAs[chatId] ?? chatId;
  }
}
