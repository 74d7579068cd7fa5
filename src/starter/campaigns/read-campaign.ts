import {
  AppError,
  type CampaignDefinition,
  type CampaignId,
  type ContentTemplate,
  type InstanceDirectory,
  type Problem,
  present,
  isRecord,
} from '../../contract/index.js';
import {
  hasBrokenVariable,
  renderContent,
  variablesOf,
  inputInvalid,
  isUnknownField,
  problemsOf,
  readContentRecipients,
  readCountryField,
  typingProblems,
  asOperation,
  pathInMessage,
  SOME_CHAT,
} from '../../domain/index.js';
import { contentSchema, contentTemplateSchema, countryField, newCampaignSchema } from '../../contract/schemas.js';
import { checkInstance, type CheckOperation } from '../messages/message-request.js';

export interface CampaignChecks {
  readonly checkOperation: CheckOperation;
  readonly instances: InstanceDirectory;
}

/**
 * Reads a campaign as its author wrote it. The error contains every problem of its shape, its text and its instance.
 * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND, each with `problems`
 */
export function readCampaign(
  value: unknown,
  { checkOperation, instances }: CampaignChecks,
): { readonly id?: CampaignId; readonly definition: CampaignDefinition } {
  const read = newCampaignSchema.safeParse(value);
  const { instance, instances: pool, defaultCountry } = isRecord(value) ? value : {};
  const country = readCountryField(countryField.safeParse(defaultCountry).data);
  const unknownInstance = checkInstance(instance, instances) ?? unknownAccounts(pool, instances);
  const problems = [
    ...(read.success ? [] : problemsOf(read.error)),
    ...givenContents(value).flatMap(({ path, content }) => templateProblems(content, checkOperation, path)),
    ...(read.success
      ? givenContents(read.data).flatMap(({ content }) => typingProblems(content, read.data.typing))
      : []),
    ...('problems' in country ? country.problems : []),
  ];
  if (read.success && problems.length === 0) {
    if (unknownInstance !== undefined) throw unknownInstance;
    const { id, ...definition } = read.data;
    return { ...present({ id }), definition };
  }
  throw inputInvalid('The campaign', [...firstOfEach(problems), ...(unknownInstance?.problems ?? [])]);
}

/** Names each account of a pool that is not configured. */
export function unknownAccounts(pool: unknown, instances: InstanceDirectory): AppError | undefined {
  if (!Array.isArray(pool)) return undefined;
  const errors = pool.map((name) => checkInstance(name, instances));
  const first = errors.find((error) => error !== undefined);
  if (first === undefined) return undefined;
  const problems = errors.flatMap((error, at) =>
    (error?.problems ?? []).map(({ message }) => ({ path: `instances[${at}]`, message })),
  );
  return new AppError(first.code, first.message, { problems });
}

/**
 * Problems of a template that apply to every recipient: broken variables, and fields without variables. The plan finds
 * problems that depend on a recipient's values.
 */
export function templateProblems(
  template: Readonly<Record<string, unknown>>,
  checkOperation: CheckOperation,
  path = 'content',
): Problem[] {
  const standIns = Object.fromEntries(variablesOf(template).map((name) => [name, '1']));
  const rendered = renderContent(template as ContentTemplate, standIns);
  const fixed = contentProblems(rendered, checkOperation).filter(
    (problem) => isUnknownField(problem) || variablesOf(valueAt({ content: template }, problem.path)).length === 0,
  );
  const placed = fixed.map((problem) => ({ ...problem, path: problem.path.replace('content', path) }));
  return [...brokenVariables(template, path), ...placed];
}

/** The contents of a definition that may be invalid in other fields, with their paths. */
function givenContents(value: unknown) {
  const { content, variants } = isRecord(value) ? value : {};
  const listed = Array.isArray(variants) ? variants : [];
  const given = [
    { path: 'content', content },
    ...listed.map((variant: unknown, at) => ({
      path: `variants[${at}].content`,
      content: isRecord(variant) ? variant['content'] : undefined,
    })),
  ];
  return given.flatMap(({ path, content: one }) =>
    isRecord(one) && hasKnownKind(one) ? [{ path, content: one }] : [],
  );
}

/** Without a kind the expected fields are unknown, and the schema has reported that. */
function hasKnownKind(content: Readonly<Record<string, unknown>>): content is ContentTemplate {
  return contentTemplateSchema.safeParse(content).success;
}

function brokenVariables(value: unknown, path: string): readonly Problem[] {
  if (typeof value === 'string') {
    const message = 'contains braces that are not a variable: write {{name}} or {{name|fallback}}';
    return problemIf(hasBrokenVariable(value), path, message);
  }
  if (Array.isArray(value)) return value.flatMap((one, at) => brokenVariables(one, `${path}[${at}]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => brokenVariables(inner, `${path}.${name}`));
}

/** The path is written as in a problem: `content.options[0].optionName`. */
function valueAt(value: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .reduce<unknown>((at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined), value);
}

/** A list with this problem if it applies, else empty. */
export function problemIf(applies: boolean, path: string, message: string): readonly Problem[] {
  return applies ? [{ path, message }] : [];
}

/** Several checks may report the same field: the first report is kept. */
export function firstOfEach(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** Every limit that prevents sending the content to one chat. Paths are written as in a message: `content.text`. */
export function contentProblems(content: unknown, checkOperation: CheckOperation, chatId = SOME_CHAT): Problem[] {
  const read = contentSchema.safeParse(content);
  if (!read.success) return problemsOf(read.error).map(({ path, message }) => ({ path: `content.${path}`, message }));
  const recipients = readContentRecipients(read.data);
  if (recipients.problems.length > 0) return [...recipients.problems];
  const { operation, request } = asOperation(chatId, recipients.content);
  try {
    checkOperation(operation, request);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.next !== 'stop') throw error;
    const problems = error.problems ?? [{ path: '', message: error.message }];
    return problems.map(({ path, message }) => ({
      path: path === '' ? 'content' : pathInMessage(read.data.kind, path),
      message,
    }));
  }
}
