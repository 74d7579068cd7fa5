import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import {
  parseUrl,
  AppError,
  PAUSE_STATES,
  JsonTooDeepError,
  MessageWorkflows,
  Notifications,
  OPERATION_NAMES,
  OPT_OUT_LANGUAGES,
  Secret,
  isOperationName,
  parseJson,
  type InstanceConfig,
  type Problem,
} from '../contract/index.js';
import { instanceLimitsSchema, localHoursSchema } from '../contract/schemas.js';
import { foldedWord } from '../domain/index.js';
import { withoutTrailingSlashes } from './trailing-slashes.js';

/** Where the tokens of an instances file may come from. */
export interface TokenSources {
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface InstancesFile {
  readonly instances: ReadonlyMap<string, InstanceConfig>;
  /** Every file that was read: a change of one of them makes this stale. */
  readonly files: readonly string[];
}

const tokenSpecSchema = z.union(
  [z.string().min(1), z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })],
  { error: 'must be a text, {"env":"NAME"} or {"file":"path"}' },
);
type TokenSpec = z.infer<typeof tokenSpecSchema>;

const urlSchema = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && parseUrl(text) !== undefined, {
    error: 'must start with http:// or https://',
    abort: true,
  })
  .refine((text) => new URL(text).search === '', 'must be a base URL without a query')
  .transform((text) => withoutTrailingSlashes(new URL(text).href));

const operationSchema = z.string().refine(isOperationName, { error: `must be one of ${OPERATION_NAMES.join(', ')}` });

/** As the gateway writes them: an entry of any other form would match no chat, and every send would be refused. */
const chatSchema = z
  .string()
  .regex(/^\d+(?:@c\.us|@lid|(?:-\d+)?@g\.us)$/, 'must be <number>@c.us, <group id>@g.us or <digits>@lid');

const optOutWordSchema = z
  .string()
  .max(100)
  .refine((word) => foldedWord(word) !== '', 'must hold a letter or a digit');

const optOutSchema = z
  .strictObject({
    languages: z
      .array(z.enum(OPT_OUT_LANGUAGES, { error: `must be one of ${OPT_OUT_LANGUAGES.join(', ')}` }))
      .exactOptional(),
    stop: z.array(optOutWordSchema).exactOptional(),
    start: z.array(optOutWordSchema).exactOptional(),
    except: z.array(optOutWordSchema).exactOptional(),
  })
  .superRefine(({ stop = [], start = [] }, context) => {
    const stops = new Set(stop.map(foldedWord));
    for (const [index, word] of start.entries()) {
      if (!stops.has(foldedWord(word))) continue;
      context.addIssue({ code: 'custom', path: ['start', index], message: 'is among the stop words too' });
    }
  });

/** @param read  fetches a token, or says in words why it cannot be had */
function instanceSchemaWith(read: (spec: TokenSpec) => Secret | string) {
  const token = tokenSpecSchema.transform((spec, context) => {
    const found = read(spec);
    if (typeof found !== 'string') return found;
    context.addIssue({ code: 'custom', message: found });
    return z.NEVER;
  });
  return z.strictObject({
    baseUrl: urlSchema,
    idInstance: z
      .union([z.string(), z.number().int()])
      .transform(String)
      .pipe(z.string().regex(/^\d+$/, 'must be digits')),
    apiTokenInstance: token,
    mediaUrl: urlSchema.exactOptional(),
    paths: z.partialRecord(operationSchema, z.string()).exactOptional(),
    rateLimits: z.partialRecord(operationSchema, z.number().nonnegative()).exactOptional(),
    capabilities: z.array(operationSchema).exactOptional(),
    webhookToken: z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(token)).exactOptional(),
    allowedRecipients: z.array(chatSchema).exactOptional(),
    notifications: z.enum(Object.values(Notifications)).exactOptional(),
    messageWorkflows: z.enum(Object.values(MessageWorkflows)).exactOptional(),
    autoResume: z.array(z.enum(PAUSE_STATES)).exactOptional(),
    // The gateway's own limits.
    sendDelayMs: z.int().min(500).max(600_000).exactOptional(),
    statusMeanings: z
      .record(z.string().regex(/^[45]\d\d$/, 'must be an HTTP status'), z.enum(['not_accepted', 'unknown']))
      .exactOptional(),
    optOut: optOutSchema.exactOptional(),
    sendingWindows: localHoursSchema.exactOptional(),
    quietHours: localHoursSchema.exactOptional(),
    limits: instanceLimitsSchema.exactOptional(),
  });
}

const nameSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'must be letters, digits, - and _, at most 64');

/**
 * Reads an instances file and every token it points to.
 * @param filePath  absolute; token files are resolved from its folder
 * @throws AppError CONFIG_INVALID with every problem found; never with a token or a piece of the file in it
 */
export function readInstancesFile(filePath: string, { env }: TokenSources): InstancesFile {
  const entries = Object.entries(readObject(filePath));
  const problems: Problem[] = entries.length === 0 ? [{ path: '', message: 'must name at least one instance' }] : [];
  const files = [filePath];
  const instanceSchema = instanceSchemaWith(readToken);
  const instances = new Map<string, InstanceConfig>();
  const nameOfIdentity = new Map<string, string>();
  for (const [name, entry] of entries) {
    problems.push(...problemsIn(name, nameSchema.safeParse(name)));
    const parsed = instanceSchema.safeParse(entry);
    problems.push(...problemsIn(name, parsed));
    if (!parsed.success) continue;
    const { webhookToken: webhookTokens = [], ...rest } = parsed.data;
    const identity = `${rest.baseUrl} ${rest.idInstance}`;
    const first = nameOfIdentity.get(identity);
    if (first !== undefined) {
      problems.push({ path: name, message: `is the same account as ${first}: one baseUrl and idInstance, one name` });
    }
    nameOfIdentity.set(identity, name);
    instances.set(name, { name, ...rest, ...(webhookTokens.length === 0 ? {} : { webhookTokens }) });
  }
  if (problems.length > 0) throw invalid(filePath, problems);
  return { instances, files };

  function readToken(spec: TokenSpec): Secret | string {
    if (typeof spec === 'string') return new Secret(spec);
    if ('env' in spec) {
      const value = env[spec.env]?.trim();
      return value !== undefined && value !== ''
        ? new Secret(value)
        : `the environment variable ${spec.env} is not set`;
    }
    const tokenFile = path.resolve(path.dirname(filePath), spec.file);
    files.push(tokenFile);
    const value = readText(tokenFile)?.trim();
    return value !== undefined && value !== '' ? new Secret(value) : `the file ${spec.file} cannot be read or is empty`;
  }
}

function readObject(filePath: string): object {
  const content = readJson(filePath);
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
  throw invalid(filePath, [{ path: '', message: 'must be an object: a name for each instance' }]);
}

function readJson(filePath: string): unknown {
  const text = readText(filePath);
  if (text === undefined) throw invalid(filePath, [{ path: '', message: 'cannot be read; does it exist?' }]);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonTooDeepError) throw invalid(filePath, [{ path: '', message: error.message }]);
    // The parser's message quotes the text around the fault, which may be a token: only the line is shown.
    const position = /position (\d+)/.exec(String(error))?.[1];
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
    throw invalid(filePath, [
      { path: '', message: `is not valid JSON${line === undefined ? '' : ` (near line ${line})`}` },
    ]);
  }
}

function readText(filePath: string): string | undefined {
  try {
    return readFileSync(filePath, 'utf8');
  } catch {
    return undefined;
  }
}

function invalid(filePath: string, problems: readonly Problem[]): AppError {
  return new AppError('CONFIG_INVALID', `Instances file ${filePath} is not valid. Correct these.`, { problems });
}

function problemsIn(name: string, { error }: z.ZodSafeParseResult<unknown>): Problem[] {
  return error?.issues.map((issue) => ({ path: pathText([name, ...issue.path]), message: messageOf(issue) })) ?? [];
}

/** A key that is not allowed is described by what its own schema says. */
function messageOf(issue: z.core.$ZodIssue): string {
  return (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message;
}

function pathText(parts: readonly PropertyKey[]): string {
  return parts
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
