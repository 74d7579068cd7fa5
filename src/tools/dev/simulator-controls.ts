import { SIMULATOR_INSTANCE } from '../../config/index.js';
import { AppError, present } from '../../contract/index.js';

/** A message as a phone shows it. */
export interface PhoneMessage {
  readonly chatId: string;
  /** ISO UTC, by the simulator's clock: when the message left the queue. */
  readonly at: string;
  readonly text: string | null;
  readonly edits: readonly unknown[];
}

/** The simulator's control endpoints that the demo needs. */
export interface SimulatorControls {
  /** Everything the phone of this chat received, oldest first. */
  phone(chatId: string): Promise<readonly PhoneMessage[]>;
  /** Sets the outcome of a template's review. */
  reviewTemplate(elementName: string, status: string, reason?: string): Promise<void>;
  /** Everything all phones received, oldest first. */
  phones(): Promise<readonly PhoneMessage[]>;
  /** Sets which chats have no account. */
  withoutAccount(chatIds: readonly string[]): Promise<void>;
  /** Moves the simulator's clock; everything due happens. */
  advanceMs(ms: number): Promise<void>;
  /** Refuses every connection for that much real time; returns once it does. */
  outageMs(ms: number): Promise<void>;
}

/** Sends a request to one of the simulator's control endpoints. */
export async function askSimulator(
  url: string,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method,
    // A kept connection would be cut by an outage, at any moment.
    headers: { connection: 'close', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new AppError('INTERNAL', `The simulator refused ${path} (HTTP ${response.status}).`);
  return text === '' ? undefined : JSON.parse(text);
}

export function simulatorControls(url: string): SimulatorControls {
  const ask = (method: 'GET' | 'POST', path: string, body?: unknown) => askSimulator(url, method, path, body);

  return {
    phone: async (chatId) =>
      (await ask('GET', `/_sim/delivered?chatId=${encodeURIComponent(chatId)}`)) as readonly PhoneMessage[],
    async reviewTemplate(elementName, status, reason) {
      await ask('POST', `/_sim/templates/${elementName}/decision`, {
        status,
        ...present({ reason }),
      });
    },
    phones: async () => (await ask('GET', '/_sim/delivered')) as readonly PhoneMessage[],
    async withoutAccount(chatIds) {
      await ask('POST', `/_sim/instances/${SIMULATOR_INSTANCE.idInstance}/accounts`, { noAccount: chatIds });
    },
    async advanceMs(ms) {
      await ask('POST', '/_sim/clock', { advanceMs: ms });
    },
    async outageMs(ms) {
      await ask('POST', '/_sim/outage', { ms });
      while (await responds(url)) continue;
    },
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
