import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { readRecipients, recipientTimezones, type RecipientFormat } from '../../src/audience/index.js';
import {
  charsetOf,
  encodingNamed,
  listFormatOfName,
  listFormatOfType,
  type ListOptions,
} from '../../src/contract/index.js';
import { readChatId, readRecipient } from '../../src/domain/index.js';
import { readDefinitionFile, readStructuredFile } from '../../src/client/definition-file.js';
import { openRecipients } from '../../src/cli/commands/campaign/recipients-source.js';
import { readJsonOption } from '../../src/cli/options.js';
import { endReason, saysThatItListens } from '../../src/tools/local-temporal/dev-server.js';
import type { Terminal } from '../../src/cli/terminal.js';
import { loadConfig } from '../../src/config/index.js';
import { readInstancesFile } from '../../src/config/instances-file.js';
import { table } from '../../src/cli/table.js';
import { parser, type Parser } from './parser.js';

/** Reads a list; its errors are refusals. */
async function recipients(
  text: string | Buffer,
  format: RecipientFormat,
  pieceBytes: number,
  options: ListOptions = {},
): Promise<void> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const source = { bytes: pieces(), format, defaultCountry: 'DE', ...options } as const;
  for await (const batch of readRecipients(source, 1_000)) void batch;
}

async function withFile(name: string, text: string, read: (file: string) => unknown): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'everpost-foreign-'));
  try {
    writeFileSync(join(dir, name), text);
    await read(join(dir, name));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function terminal(stdin = ''): Terminal {
  const stream = new PassThrough();
  stream.end(stdin);
  const output = { out: () => undefined, err: () => undefined, bytes: async () => undefined };
  return { ...output, stdin: stream, env: {}, cwd: tmpdir() };
}

/** Text from files, the environment and a terminal. */
export const FILE_PARSERS: readonly Parser[] = [
  parser("what Temporal's dev server writes", ['tools/local-temporal/dev-server.ts'], (text) => [
    saysThatItListens(text),
    ...[text, `Error: ${text}`].map((output) => endReason({ code: 1, signal: null }, output)),
  ]),
  parser('a cell of a table', ['cli/table.ts'], (text) => table([{ header: 'TEXT', value: () => text }], [text])),
  parser(
    'recipients as CSV',
    [
      'audience/classify-line.ts',
      'audience/file-kind.ts',
      'audience/list-refused.ts',
      'audience/table/neutral-cell.ts',
      'audience/table/csv-rows.ts',
      'audience/table/phone-column.ts',
      'audience/table/phone-names.ts',
      'audience/text/decode-text.ts',
      'audience/text/text-lines.ts',
      'domain/folded-name.ts',
    ],
    (text) => recipients(text, 'csv', 64 * 1024),
  ),
  parser('recipients as CSV, a byte at a time', ['audience/table/csv-rows.ts'], (text) => recipients(text, 'csv', 16)),
  parser('recipients as CSV behind a head, a byte at a time', ['audience/table/csv-rows.ts'], (text) =>
    recipients(`phone,text\n${text}`, 'csv', 16),
  ),
  parser('recipients as CSV with an unknown head', ['audience/table/phone-column.ts'], (text) =>
    recipients(`a,b,c\n${text}`, 'csv', 64 * 1024),
  ),
  // An odd size cuts characters.
  parser('recipients as CSV in UTF-16', ['audience/table/read-recipients.ts'], (text) =>
    recipients(Buffer.from(`phone,text\n${text}`, 'utf16le'), 'csv', 101, { encoding: 'utf-16le' }),
  ),
  parser('recipients as CSV in Windows-1252', ['audience/table/read-recipients.ts'], (text) =>
    recipients(Buffer.from(`phone,text\n\xfc${text}`, 'latin1'), 'csv', 101),
  ),
  parser('options of a list', ['contract/list-file.ts'], (text) => {
    encodingNamed(text);
    charsetOf(`text/csv; charset=${text}`);
    listFormatOfType(text);
    listFormatOfName(text);
    return recipients('phone,name\n15550000001,Ann\n', 'csv', 16, { phoneColumn: text, map: { name: text } });
  }),
  parser('a workbook', ['audience/workbook/workbook-rows.ts'], async (text) => {
    await recipients(`PK\x03\x04${text}`, 'xlsx', 64 * 1024);
    await recipients(`PK\x03\x04${text}PK\x05\x06${'\0'.repeat(18)}`, 'xlsx', 64 * 1024);
  }),
  parser('recipients as NDJSON', ['audience/table/classify-objects.ts'], (text) =>
    recipients(text, 'ndjson', 64 * 1024),
  ),
  parser('recipients as NDJSON, a byte at a time', ['audience/table/classify-objects.ts'], (text) =>
    recipients(text, 'ndjson', 16),
  ),
  parser('values of recipients as NDJSON', ['audience/table/classify-objects.ts'], (text) =>
    recipients(`{"phone":"15551234567","a":${text.slice(0, 60_000)}}\n`, 'ndjson', 64 * 1024),
  ),
  parser('a list of numbers', ['audience/classify-line.ts'], (text) => recipients(text, 'list', 64 * 1024)),
  parser('a phone number', ['domain/recipients.ts'], (text) => {
    for (const country of [undefined, 'DE', 'US'] as const) readRecipient(text, country);
    readRecipient(`+${text}`);
    readRecipient(`00${text}`);
    readChatId(text);
  }),
  parser("a recipient's timezone", ['audience/timezones.ts'], (text) =>
    recipientTimezones(0, undefined)('15550000001@c.us', text),
  ),
  parser('the environment', ['config/variables.ts', 'config/load-config.ts', 'contract/key-limits.ts'], (text) => {
    for (const name of [
      'EVERPOST_API_URL',
      'EVERPOST_PUBLIC_URL',
      'DATABASE_URL',
      'EVERPOST_HTTP_PORT',
      'EVERPOST_SETTLE_TIME',
      'EVERPOST_API_KEYS',
      'EVERPOST_API_KEYS_FILE',
      'EVERPOST_KEY_LIMITS',
      'EVERPOST_LOG_LEVEL',
    ]) {
      loadConfig({ [name]: text }, { cwd: tmpdir() });
    }
  }),
  parser('an instances file', ['config/instances-file.ts'], (text) =>
    withFile('instances.json', text, (file) => readInstancesFile(file, { env: {} })),
  ),
  parser('the fields of an instances file', ['config/instances-file.ts'], (text) => {
    const instance = {
      baseUrl: text,
      mediaUrl: text,
      idInstance: text,
      apiTokenInstance: text,
      allowedRecipients: [text],
      statusMeanings: { [text]: 'not_accepted' },
      optOut: { stop: [text], start: [text] },
    };
    return withFile('instances.json', JSON.stringify({ main: instance, [text]: instance }), (file) =>
      readInstancesFile(file, { env: {} }),
    );
  }),
  parser("a campaign's file in YAML", ['client/definition-file.ts'], (text) =>
    withFile('campaign.yaml', text, (file) => readDefinitionFile(file, '/')),
  ),
  parser("a campaign's file in JSON", ['client/definition-file.ts'], (text) =>
    withFile('campaign.json', text, (file) => readDefinitionFile(file, '/')),
  ),
  parser("a template's file in YAML", ['client/definition-file.ts'], (text) =>
    withFile('template.yaml', text, (file) => readStructuredFile(file, '/', "The template's file")),
  ),
  parser('a JSON option', ['cli/options.ts'], (text) => readJsonOption('--body', text, terminal())),
  parser('the beginning of a file of recipients', ['cli/commands/campaign/recipients-source.ts'], async (text) => {
    const source = await openRecipients('-', terminal(text), { mayBeList: true });
    for await (const chunk of source.body) void chunk;
  }),
];
