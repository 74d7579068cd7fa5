/**
 * What a file would become as the audience of a campaign.
 *
 * CHECK-1 Nothing is written. The numbers of a file are remembered while it is read, to find duplicates, so its caller
 *    limits its size.
 * CHECK-2 A file that an import would refuse because of its columns is no error: its columns and first rows show what to
 *    correct.
 */
import { ColumnTally, readRecipients, type ListFile, type VerdictRules } from '../../audience/index.js';
import {
  AppError,
  RECIPIENT_VERDICTS,
  present,
  rejectedOf,
  remediesFor,
  zeroOfEach,
  type CampaignDefinition,
  type Clock,
  type Columns,
  type InstanceDirectory,
  type ListFacts,
  type Problem,
} from '../../contract/index.js';
import { foldedName, recipientKey, requiredVariables, variablesOf, type PlacedContent } from '../../domain/index.js';
import { variableProblems } from '../../ledger/index.js';
import { verdictRules } from './import-audience.js';
import { SAMPLED_CHATS, likelyCountry, sumOf } from './write-lines.js';

const BATCH_LINES = 1_000;
const MOST_SAMPLES = 5;

/** @throws AppError INPUT_INVALID if the file has no columns: it is empty, or no list */
export async function checkAudience(
  dependencies: { readonly clock: Clock; readonly instances: InstanceDirectory },
  definition: CampaignDefinition,
  contents: readonly PlacedContent[],
  from: ListFile & Pick<VerdictRules, 'defaultCountry'>,
) {
  const facts: ListFacts = {};
  const seen = new SeenColumns();
  const rules = verdictRules(dependencies, definition);
  const country = present({ defaultCountry: from.defaultCountry });
  const { onColumns } = seen;
  const batches = readRecipients({ ...from, ...rules, ...country, onColumns }, BATCH_LINES, facts);
  let [counted, problems]: [Awaited<ReturnType<typeof countLines>> | undefined, readonly Problem[]] = [undefined, []];
  try {
    counted = await countLines(batches);
    problems = variableProblems(counted.columns, contents);
  } catch (error) {
    // CHECK-2
    if (seen.names.length === 0 || !(error instanceof AppError) || error.code !== 'INPUT_INVALID') throw error;
    ({ problems = [] } = error);
  }
  const { columns = {}, verdicts = zeroOfEach(RECIPIENT_VERDICTS), chats = [] } = counted ?? {};
  return {
    lines: sumOf(verdicts),
    verdicts,
    rejected: rejectedOf(verdicts).rejected,
    remedies: remediesFor(verdicts, verdicts.country_missing === 0 ? undefined : likelyCountry(chats)),
    source: facts,
    columns: seen.names.flatMap((name, at) => (name === '' ? [] : [seen.column(name, at, facts)])),
    variables: counted === undefined ? variablesIn(contents) : variablesIn(contents, columns, verdicts.accepted),
    problems,
  };
}

class SeenColumns {
  names: readonly string[] = [];
  #rows: readonly (readonly string[])[] = [];

  readonly onColumns = (names: readonly string[], rows: readonly (readonly string[])[]): void => {
    [this.names, this.#rows] = [names, rows.slice(0, MOST_SAMPLES)];
  };

  column(name: string, at: number, { phoneColumn }: ListFacts) {
    return { name, phone: name === phoneColumn?.name, samples: this.#rows.map((row) => row[at] ?? '') };
  }
}

async function countLines(batches: ReturnType<typeof readRecipients>) {
  const verdicts = zeroOfEach(RECIPIENT_VERDICTS);
  const tally = new ColumnTally();
  const keys = new Set<string>();
  const chats: string[] = [];
  for await (const { recipients, rejects, variables } of batches) {
    for (const name of variables) tally.declare(name);
    for (const { reason } of rejects) verdicts[reason] += 1;
    for (const recipient of recipients) {
      const key = recipientKey(recipient.chatId);
      verdicts[keys.has(key) ? 'duplicate' : 'accepted'] += 1;
      if (keys.has(key)) continue;
      keys.add(key);
      tally.add(recipient);
      if (chats.length < SAMPLED_CHATS) chats.push(recipient.chatId);
    }
  }
  return { verdicts, columns: tally.columns, chats };
}

/** The variables of the contents, and how many recipients have no value for each. */
function variablesIn(contents: readonly PlacedContent[], columns?: Columns, recipients = 0) {
  const all = contents.map(({ content }) => content);
  const required = new Set(requiredVariables(all));
  return variablesOf(all).map((name) => {
    const column = columns?.[foldedName(name)];
    return {
      name,
      required: required.has(name),
      ...present({ without: columns && recipients - (column?.recipients ?? 0), firstLine: column?.firstMissingLine }),
    };
  });
}
