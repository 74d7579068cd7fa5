import { createReadStream, createWriteStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { VERDICT_COLUMNS } from '../../../audience/index.js';
import { AppError, RECIPIENT_VERDICTS, codeOf, present, type ListOptions } from '../../../contract/index.js';
import { DELIMITERS } from '../../../contract/schemas.js';
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
import { remedyLines } from './campaign-text.js';
import { showRepeatedly, type Terminal } from '../../terminal.js';
import { LIST_OPTIONS, factLines, listQuery, openRecipients } from './recipients-source.js';

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
  readonly add?: boolean;
}

export function addCampaignImportCommand(campaign: CommandGroup): void {
  campaign.call('import', {
    description: 'Define a campaign from its file and import its recipients, which replace those imported before.',
    arguments: { '<file>': 'the campaign file, YAML or JSON' },
    options: {
      ...RECIPIENTS,
      '--add': 'add the recipients to those imported before, e.g. from a corrected file of rejected lines',
      '--rejects <file>': 'file to write rejected lines to (default: next to the recipients file)',
    },
    json: 'print the count of each verdict as one line of JSON',
    help: `Importing the same file again changes nothing, also with --add. A campaign that has started takes no import.
Rejected lines are written to a file with all their columns, and line, reason and remedy, and the source's delimiter. Correct it and import it with
--add. An import without rejected lines removes that file.
Exit code: 0 imported, with any verdicts; 1 failed, and nothing was changed; 2 wrong use.

Examples:
  everpost campaign import examples/campaign.yaml
  zcat recipients.csv.gz | everpost campaign import sale.yaml --recipients -
  everpost campaign import sale.yaml --recipients customers.rejected.csv --add
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
  const response = await importFrom(api, id, from, terminal, { isAddition: options.add });
  const rejects = rejectsFile(options, from, id, terminal.cwd);
  if (response.lines === response.verdicts.accepted) {
    if (!('file' in from) || path.resolve(terminal.cwd, from.file) !== rejects) await removeRejects(rejects);
    return { id, ...response };
  }
  await writeRejects(api, id, rejects, response.source.delimiter);
  return { id, ...response, rejects };
}

export function importLines(
  { id, lines, verdicts, remedies, unchanged, added, rejects, source }: ImportedCampaign,
  { cwd }: Terminal,
): string[] {
  const ofAddition = added && !unchanged ? `, ${added.verdicts.accepted} of ${added.lines} lines added now` : '';
  return [
    `${id}  ${verdicts.accepted} recipients of ${lines} lines${unchanged ? ', as before' : ofAddition}`,
    ...countLines(RECIPIENT_VERDICTS, verdicts),
    ...remedyLines(remedies),
    ...factLines(source),
    ...(rejects === undefined ? [] : [`Rejected lines: ${path.relative(cwd, rejects)}`]),
  ];
}

export type From =
  (ListOptions & { readonly file: string; readonly country?: string | undefined }) | { readonly group: string };

/** Options override the campaign's file, whose encoding, delimiter and sheet are those of the file that it names. */
export function sourceOf(
  { recipients, group, delimiter, encoding, sheet, phoneColumn, map, country }: RecipientsOptions,
  file: DefinitionFile,
  command: Command,
): From {
  if (recipients !== undefined && group !== undefined)
    return command.error('error: give either --recipients or --group');
  const named = recipients === undefined && group === undefined ? file.recipients : { file: recipients, group };
  if (named.group !== undefined) return { group: named.group };
  const { file: _file, group: _group, ...ofFile } = file.recipients;
  const isOther = recipients !== undefined && file.recipients.file !== undefined;
  const fromFile = isOther ? present({ phoneColumn: ofFile.phoneColumn, map: ofFile.map }) : ofFile;
  const given = present({ delimiter, encoding, sheet, phoneColumn, map, country });
  if (named.file !== undefined) return { ...fromFile, ...given, file: named.file };
  return command.error("error: give --recipients or --group, or set 'recipients:' in the campaign file");
}

/** @throws AppError CAMPAIGN_FROZEN unless it is a draft */
export async function define(api: ApiClient, file: DefinitionFile): Promise<ApiResponse<'defineCampaign'>> {
  const { id } = file;
  const campaign = await api.defineCampaign({ id, body: await withStoredFile(api, file) });
  const { state } = campaign;
  if (state === 'draft') return campaign;
  // Fail before a large file is uploaded.
  throw new AppError(
    'CAMPAIGN_FROZEN',
    `Campaign ${id} is ${state}: its audience cannot change after its start. For other recipients, create another campaign.`,
  );
}

/** @param how.interrupted  aborts the import, which then fails and stores nothing */
export async function importFrom(
  api: ApiClient,
  id: string,
  from: From,
  terminal: Terminal,
  { interrupted, isAddition }: { readonly interrupted?: AbortSignal; readonly isAddition?: boolean | undefined } = {},
): Promise<ImportResponse> {
  const add = isAddition ? 'true' : undefined;
  if ('group' in from) return api.importRecipients({ id, body: { group: from.group }, query: { add } });
  const source = await openRecipients(from.file, terminal);
  const { read, sizeBytes } = source;
  const stopShowing = showRepeatedly(terminal, () => {
    const share =
      sizeBytes === undefined || sizeBytes === 0 ? '' : ` (${Math.floor((100 * read.bytes) / sizeBytes)} %)`;
    return `${read.lines} lines read${share}`;
  });
  // Standard input closes with it; a pending read would keep the process alive.
  interrupted?.addEventListener('abort', () => source.body.destroy(new Error('interrupted')), { once: true });
  try {
    return await api.importRecipients({
      id,
      file: source,
      query: { ...listQuery(from), defaultCountry: from.country, add },
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

function rejectsFile({ rejects }: ImportOptions, from: From, id: string, cwd: string): string {
  if (rejects !== undefined) return path.resolve(cwd, rejects);
  if (!('file' in from) || from.file === '-') return path.resolve(cwd, `${id}.rejected.csv`);
  const file = path.resolve(cwd, from.file);
  return path.join(path.dirname(file), `${path.basename(file, path.extname(file))}.rejected.csv`);
}

/** @param found  the delimiter of the source, which is the one that the operator's spreadsheet program knows */
async function writeRejects(api: ApiClient, id: string, file: string, found: string | undefined): Promise<void> {
  const delimiter = DELIMITERS.find((one) => one === found);
  try {
    await pipeline(await api.getRejectedRecipients({ id, query: { delimiter } }), createWriteStream(file));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      'INPUT_INVALID',
      `The recipients are imported, but the rejected lines cannot be written to ${file}. Import again with --rejects FILE; a second import changes nothing.`,
      { cause: error },
    );
  }
}

const REJECTS_HEAD = new RegExp(`[,;\\t|]${VERDICT_COLUMNS.join('[,;\\t|]')}$`);

/** Removes the file of an earlier import. A file that does not end like one of ours stays. */
async function removeRejects(file: string): Promise<void> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let head: string | undefined;
  try {
    for await (const line of lines) {
      head = line;
      break;
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  } finally {
    lines.close();
  }
  if (head !== undefined && REJECTS_HEAD.test(head)) await unlink(file);
}
