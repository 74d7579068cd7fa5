/** A page that uses @everpost/client: compiled against the packed package, never run. */
import { createClient, EverpostError, itemsOf, type Client, type Message, type SendRequest } from '@everpost/client';

const everpost: Client = createClient({ baseUrl: '/everpost', apiKey: async () => 'key', retries: 0 });

export async function all(file: File): Promise<readonly unknown[]> {
  const body: SendRequest = { instance: 'main', to: '15551234567', content: { kind: 'text', text: 'Hello' } };
  const message: Message = await everpost.sendAndWait({ body, state: 'delivered', signal: AbortSignal.timeout(1) });
  const { outcome } = await everpost.editMessage({ id: message.id, body: { text: 'Hello' }, waitMs: 1_000 });
  const lines: number[] = [];
  for await (const { line } of itemsOf(everpost.listRecipients, { id: 'spring' })) lines.push(line);
  const { unchanged } = await everpost.importRecipients({ id: 'spring', file: { type: 'text/csv', body: file } });
  const report: ReadableStream<Uint8Array> = await everpost.getReportCsv({ id: 'spring', query: { state: 'failed' } });
  return [outcome, lines, unchanged, report];
}

export function pathsOf(error: unknown): readonly string[] {
  return error instanceof EverpostError ? error.errors.map(({ path }) => path) : [];
}

// @ts-expect-error -- a recipient's number is a text
void everpost.sendMessage({ body: { instance: 'main', to: 15551234567, content: { kind: 'text', text: 'Hello' } } });
// @ts-expect-error -- there is no such milestone
void everpost.waitForMessage('msg_1', 'pending');
// @ts-expect-error -- the id is missing
void everpost.getMessage({});
