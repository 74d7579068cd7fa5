import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { AppError, RECIPIENT_VERDICTS, present, type ListOptions } from '../../../contract/index.js';
import {
  type ApiClient,
  type ApiResponse,
  readDefinitionFile,
  withStoredFile,
  type DefinitionFile,
} from '../../../client/index.js';
import type { CallContext, CommandGroup } from '../../command-group.js';
import type { Given, Specs } from '../../options.js';
import { countLines } from '../../table.js';
import { showRepeatedly, type Terminal } from '../../terminal.js';
import { LIST_OPTIONS, factLines, listQuery, openRecipients, type RecipientsSource } from './recipients-source.js';

type ImportResponse = ApiResponse<'importRecipients'>;

/** Options for the source of the recipients. They override the campaign's file. */
export const RECIPIENTS = {
  '--recipients <file>':
    'CSV, NDJSON or Excel file (.xlsx), or - for standard input (default: the source in the campaign file)',
  '--group <id>': 'import the participants of this group, …@g.us',
  ...LIST_OPTIONS,
  '--country <code>': "country of numbers without a country code, e.g. DE (default: the campaign's)",
} as const;

type RecipientsOptions = Given<Specs, typeof RECIPIENTS>;

interface ImportOptions extends RecipientsOptions {
  readonly rejects?: string;
}

export function addCampaignImportCommand(campaign: CommandGroup): void {
  campaign.call('import', {
    description: 'Define a campaign from its file and import its recipients, which replace those imported before.',
    arguments: { '<file>': 'the campaign file, YAML or JSON' },
    options: {
      ...RECIPIENTS,
      '--rejects <file>': 'file to write rejected lines to (default: next to the recipients file)',
    },
    json: 'print the count of each verdict as one line of JSON',
    help: `Importing the same file again changes nothing. A campaign that has started takes no import.
Exit code: 0 imported, with any verdicts; 1 failed, and nothing was changed; 2 wrong use.

Examples:
  everpost campaign import examples/campaign.yaml
  zcat recipients.csv.gz | everpost campaign import sale.yaml --recipients -
  everpost campaign import sale.yaml --group 120363043968066561@g.us`,
    call: (api, { file, ...options }, context) => importCampaign(api, file, options, context),
    lines: (imported, _, { terminal }) => importLines(imported, terminal),
  });
}

/** The verdicts on the recipients of one campaign. */
export interface ImportedCampaign extends ImportResponse {
  readonly id: string;
  /** The file with the rejected lines, if there are any. */
  readonly rejects?: string;
}

/** Defines the campaign from its file, imports its recipients, and writes the rejected lines to a file. */
export async function importCampaign(
  api: ApiClient,
  file: string,
  options: ImportOptions,
  { command, terminal }: Pick<CallContext, 'command' | 'terminal'>,
): Promise<ImportedCampaign> {
  const definition = await readDefinitionFile(file, terminal.cwd);
  const { id } = definition;
  const from = sourceOf(options, definition, command);
  await define(api, definition);
  const response = await importFrom(api, id, from, terminal);
  const rejected = response.lines - response.verdicts.accepted;
  if (rejected === 0) return { id, ...response };
  const rejects = rejectsFile(options, from, id, terminal.cwd);
  await writeRejects(api, id, rejects);
  return { id, ...response, rejects };
}

export function importLines(
  { id, lines, verdicts, unchanged, rejects, source }: ImportedCampaign,
  { cwd }: Terminal,
): string[] {
  return [
    `${id}  ${verdicts.accepted} recipients of ${lines} lines${unchanged ? ', as before' : ''}`,
    ...countLines(RECIPIENT_VERDICTS, verdicts),
    ...factLines(source),
    ...(rejects === undefined ? [] : [`Rejected lines: ${path.relative(cwd, rejects)}`]),
  ];
}

export type From =
  (ListOptions & { readonly file: string; readonly country?: string | undefined }) | { readonly group: string };

/** Options override the campaign's file. */
export function sourceOf(
  { recipients, group, delimiter, encoding, sheet, phoneColumn, map, country }: RecipientsOptions,
  file: DefinitionFile,
  command: Command,
): From {
  if (recipients !== undefined && group !== undefined)
    return command.error('error: give either --recipients or --group');
  const named = recipients === undefined && group === undefined ? file.recipients : { file: recipients, group };
  if (named.group !== undefined) return { group: named.group };
  const { file: _file, group: _group, ...fromFile } = file.recipients;
  const given = present({ delimiter, encoding, sheet, phoneColumn, map, country });
  if (named.file !== undefined) return { ...fromFile, ...given, file: named.file };
  return command.error("error: give --recipients or --group, or set 'recipients:' in the campaign file");
}

async function define(api: ApiClient, file: DefinitionFile): Promise<void> {
  const { id } = file;
  const { state } = await api.defineCampaign({ id, body: await withStoredFile(api, file) });
  if (state === 'draft') return;
  // Fail before a large file is uploaded.
  throw new AppError(
    'CAMPAIGN_FROZEN',
    `Campaign ${id} is ${state}: its audience cannot change after its start. For other recipients, create another campaign.`,
  );
}

/** @param interrupted  aborts the import, which then fails and stores nothing */
export async function importFrom(
  api: ApiClient,
  id: string,
  from: From,
  terminal: Terminal,
  interrupted?: AbortSignal,
): Promise<ImportResponse> {
  if ('group' in from) return api.importRecipients({ id, body: { group: from.group } });
  const source = await openRecipients(from.file, terminal);
  const stopShowing = showProgress(source, terminal);
  // Standard input closes with it; a pending read would keep the process alive.
  interrupted?.addEventListener('abort', () => source.body.destroy(new Error('interrupted')), { once: true });
  try {
    return await api.importRecipients({
      id,
      file: source,
      query: { ...listQuery(from), defaultCountry: from.country },
    });
  } catch (error) {
    if (source.body.errored === null || source.body.errored === undefined) throw error;
    const message = `The recipients in ${from.file} could not be read to the end. Nothing was changed.`;
    throw new AppError('INPUT_INVALID', message, { cause: source.body.errored });
  } finally {
    stopShowing();
    source.body.destroy();
  }
}

function showProgress({ read, sizeBytes }: RecipientsSource, terminal: Terminal): () => void {
  return showRepeatedly(terminal, () => {
    const share =
      sizeBytes === undefined || sizeBytes === 0 ? '' : ` (${Math.floor((100 * read.bytes) / sizeBytes)} %)`;
    return `${read.lines} lines read${share}`;
  });
}

function rejectsFile({ rejects }: ImportOptions, from: From, id: string, cwd: string): string {
  if (rejects !== undefined) return path.resolve(cwd, rejects);
  if (!('file' in from) || from.file === '-') return path.resolve(cwd, `${id}.rejected.csv`);
  const file = path.resolve(cwd, from.file);
  return path.join(path.dirname(file), `${path.basename(file, path.extname(file))}.rejected.csv`);
}

async function writeRejects(api: ApiClient, id: string, file: string): Promise<void> {
  try {
    await pipeline(await api.getRejectedRecipients({ id }), createWriteStream(file));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      'INPUT_INVALID',
      `The recipients are imported, but the rejected lines cannot be written to ${file}. Import again with --rejects FILE; a second import changes nothing.`,
      { cause: error },
    );
  }
}
