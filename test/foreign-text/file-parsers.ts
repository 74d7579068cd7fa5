import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { readNumber, readRecipients, recipientTimezones, type RecipientFormat } from '../../src/audience/index.js';
import { readDefinitionFile, readStructuredFile } from '../../src/client/definition-file.js';
import { openRecipients } from '../../src/cli/commands/campaign/recipients-source.js';
import { readJsonOption } from '../../src/cli/options.js';
import { endReason, saysThatItListens } from '../../src/tools/local-temporal/dev-server.js';
import type { Terminal } from '../../src/cli/terminal.js';
import { loadConfig } from '../../src/config/index.js';
import { readInstancesFile } from '../../src/config/instances-file.js';
import { table } from '../../src/cli/table.js';
import type { Parser } from './parser.js';

async function recipients(text: string, format: RecipientFormat, pieceBytes: number): Promise<void> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const source = { bytes: pieces(), format, defaultCountry: 'DE' } as const;
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
  return { out: () => undefined, err: () => undefined, stdin: stream, env: {}, cwd: tmpdir() };
}

/** Text from files, the environment and a terminal. */
export const FILE_PARSERS: readonly Parser[] = [
  {
    reads: "what Temporal's dev server writes",
    files: ['tools/local-temporal/dev-server.ts'],
    read: (text) => [
      saysThatItListens(text),
      ...[text, `Error: ${text}`].map((output) => endReason({ code: 1, signal: null }, output)),
    ],
  },
  {
    reads: 'a cell of a table',
    files: ['cli/table.ts'],
    read: (text) => table([{ header: 'TEXT', value: () => text }], [text]),
  },
  {
    reads: 'recipients as CSV',
    files: ['audience/csv.ts', 'audience/classify-line.ts', 'audience/read-recipients.ts'],
    read: (text) => recipients(text, 'csv', 64 * 1024),
  },
  {
    reads: 'recipients as CSV, a byte at a time',
    files: ['audience/csv.ts'],
    read: (text) => recipients(text, 'csv', 16),
  },
  {
    reads: 'recipients as CSV behind a head, a byte at a time',
    files: ['audience/csv.ts'],
    read: (text) => recipients(`phone,text\n${text}`, 'csv', 16),
  },
  {
    reads: 'recipients as NDJSON',
    files: ['audience/read-recipients.ts'],
    read: (text) => recipients(text, 'ndjson', 64 * 1024),
  },
  {
    reads: 'recipients as NDJSON, a byte at a time',
    files: ['audience/read-recipients.ts'],
    read: (text) => recipients(text, 'ndjson', 16),
  },
  {
    reads: 'values of recipients as NDJSON',
    files: ['audience/read-recipients.ts'],
    read: (text) => recipients(`{"phone":"15551234567","a":${text.slice(0, 60_000)}}\n`, 'ndjson', 64 * 1024),
  },
  {
    reads: 'a list of numbers',
    files: ['audience/phone-number.ts'],
    read: (text) => recipients(text, 'list', 64 * 1024),
  },
  {
    reads: 'a phone number',
    files: ['audience/phone-number.ts'],
    read: (text) => {
      for (const country of [undefined, 'DE', 'US'] as const) readNumber(text, country);
      readNumber(`+${text}`);
      readNumber(`00${text}`);
    },
  },
  {
    reads: "a recipient's timezone",
    files: ['audience/phone-number.ts'],
    read: (text) => recipientTimezones(0, undefined)('15550000001@c.us', text),
  },
  {
    reads: 'the environment',
    files: ['config/variables.ts', 'config/load-config.ts'],
    read: (text) => {
      for (const name of [
        'EVERPOST_API_URL',
        'EVERPOST_PUBLIC_URL',
        'DATABASE_URL',
        'EVERPOST_HTTP_PORT',
        'EVERPOST_SETTLE_TIME',
        'EVERPOST_API_KEYS',
        'EVERPOST_API_KEYS_FILE',
        'EVERPOST_LOG_LEVEL',
      ]) {
        loadConfig({ [name]: text }, { cwd: tmpdir() });
      }
    },
  },
  {
    reads: 'an instances file',
    files: ['config/instances-file.ts'],
    read: (text) => withFile('instances.json', text, (file) => readInstancesFile(file, { env: {} })),
  },
  {
    reads: 'the fields of an instances file',
    files: ['config/instances-file.ts'],
    read: (text) => {
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
    },
  },
  {
    reads: "a campaign's file in YAML",
    files: ['client/definition-file.ts'],
    read: (text) => withFile('campaign.yaml', text, (file) => readDefinitionFile(file, '/')),
  },
  {
    reads: "a campaign's file in JSON",
    files: ['client/definition-file.ts'],
    read: (text) => withFile('campaign.json', text, (file) => readDefinitionFile(file, '/')),
  },
  {
    reads: "a template's file in YAML",
    files: ['client/definition-file.ts'],
    read: (text) => withFile('template.yaml', text, (file) => readStructuredFile(file, '/', "The template's file")),
  },
  {
    reads: 'a JSON option',
    files: ['cli/options.ts'],
    read: (text) => readJsonOption('--body', text, terminal()),
  },
  {
    reads: 'the beginning of a file of recipients',
    files: ['cli/commands/campaign/recipients-source.ts'],
    read: async (text) => {
      const source = await openRecipients('-', terminal(text), { mayBeList: true });
      for await (const chunk of source.body) void chunk;
    },
  },
];
