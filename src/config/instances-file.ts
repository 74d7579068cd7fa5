import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import {
  parseUrl,
  AppError,
  PAUSE_STATES,
  JsonTooDeepError,
  MessageWorkflows,
  EDIT_WINDOW_MS,
  Notifications,
  OPERATION_NAMES,
  OPT_OUT_LANGUAGES,
  Secret,
  isOperationName,
  isRecord,
  parseJson,
  type InstanceConfig,
  type Problem,
  codeOf,
  weaknessOf,
} from '../contract/index.js';
import { instanceLimitsSchema, localHoursSchema } from '../contract/schemas.js';
import { foldedWord, readRecipient } from '../domain/index.js';
import { TOO_OPEN, readSecretFile } from './secret-file.js';
import { withoutTrailingSlashes } from './variable.js';

/** The possible sources of tokens in an instances file. */
export interface TokenSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether other machines can reach the webhook receiver, so that short webhook tokens are refused. @default false */
  readonly isExposed?: boolean;
}

export interface InstancesFile {
  readonly instances: ReadonlyMap<string, InstanceConfig>;
  /** Every file that was read: a change of one of them makes the instances stale. */
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

const recipientSchema = z.string().transform((written, context) => {
  const read = readRecipient(written);
  if ('chatId' in read) return read.chatId;
  const message =
    'must be one phone number with its country code, e.g. +44 20 7946 0018, or a chat id that ends in @c.us, @g.us or @lid';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const optOutWordSchema = z
  .string()
  .max(100)
  .refine((word) => foldedWord(word) !== '', 'must contain a letter or a digit');

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
      context.addIssue({ code: 'custom', path: ['start', index], message: 'is also a stop word' });
    }
  });

/** everpost stops ten seconds earlier, and an edit takes some seconds to be posted. */
const SHORTEST_EDIT_WINDOW_MS = 60_000;

/** The statuses of the ambiguous rules in src/gateway/classify.ts. */
const AMBIGUOUS_STATUS = /^(?:408|499|5\d\d)$/;
const AMBIGUOUS_ONLY = 'must be 408, 499 or 500 to 599: the meaning of any other HTTP status is fixed';

/** @param read  fetches a token, or explains why it is not available */
function instanceSchemaWith(read: (spec: TokenSpec) => Secret | string, isExposed: boolean) {
  const token = tokenSpecSchema.transform((spec, context) => {
    const found = read(spec);
    if (typeof found !== 'string') return found;
    context.addIssue({ code: 'custom', message: found });
    return z.NEVER;
  });
  const webhookToken = token.superRefine((secret, context) => {
    const weakness = isExposed ? weaknessOf(secret) : undefined;
    if (weakness !== undefined) context.addIssue({ code: 'custom', message: weakness });
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
    webhookToken: z
      .preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(webhookToken))
      .exactOptional(),
    allowedRecipients: z.array(recipientSchema).exactOptional(),
    notifications: z.enum(Object.values(Notifications)).exactOptional(),
    messageWorkflows: z.enum(Object.values(MessageWorkflows)).exactOptional(),
    autoResume: z.array(z.enum(PAUSE_STATES)).exactOptional(),
    // The gateway's own limits.
    sendDelayMs: z.int().min(500).max(600_000).exactOptional(),
    settleTimeMs: z.int().positive().exactOptional(),
    editWindowMs: z.int().min(SHORTEST_EDIT_WINDOW_MS).max(EDIT_WINDOW_MS).exactOptional(),
    statusMeanings: z
      .record(z.string().regex(AMBIGUOUS_STATUS, AMBIGUOUS_ONLY), z.enum(['not_accepted', 'unknown']))
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
export function readInstancesFile(filePath: string, { env, isExposed = false }: TokenSources): InstancesFile {
  const entries = Object.entries(readObject(filePath));
  const problems: Problem[] = entries.length === 0 ? [{ path: '', message: 'must name at least one instance' }] : [];
  const files = [filePath];
  const instanceSchema = instanceSchemaWith(readToken, isExposed);
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
      problems.push({
        path: name,
        message: `is the same account as ${first}: a baseUrl and idInstance may have only one name`,
      });
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
    const found = readSecretFile(tokenFile);
    return 'text' in found ? new Secret(found.text) : found.problem;
  }
}

function readObject(filePath: string): object {
  let text: string;
  try {
    text = readFileSync(filePath, 'utf8');
  } catch {
    throw invalid(filePath, [{ path: '', message: 'cannot be read; does it exist?' }]);
  }
  let content: unknown;
  try {
    content = parseJson(text);
  } catch (error) {
    if (error instanceof JsonTooDeepError) throw invalid(filePath, [{ path: '', message: error.message }]);
    // The parser's message quotes the text around the fault, which may be a token: only the line is shown.
    const position = /position (\d+)/.exec(String(error))?.[1];
    const near = position === undefined ? '' : ` (near line ${text.slice(0, Number(position)).split('\n').length})`;
    throw invalid(filePath, [{ path: '', message: `is not valid JSON${near}` }]);
  }
  if (isRecord(content)) return content;
  throw invalid(filePath, [{ path: '', message: 'must be an object with a name for each instance' }]);
}

function invalid(filePath: string, problems: readonly Problem[]): AppError {
  return new AppError('CONFIG_INVALID', `Instances file ${filePath} is not valid. Correct these problems.`, {
    problems,
  });
}

function problemsIn(name: string, { error }: z.ZodSafeParseResult<unknown>): Problem[] {
  return (error?.issues ?? []).map((issue) => {
    // The issue of the key's own schema describes an invalid key.
    const ofKey = issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined;
    const parts = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
    return { path: name + parts.join(''), message: ofKey ?? issue.message };
  });
}

/**
 * The finding about an instances file that every user of this machine can read, or its group write.
 * @returns undefined when they cannot, or when there is no such file
 */
export function openInstancesFile(filePath: string): { readonly found: string; readonly remedy: string } | undefined {
  const mode = statSync(filePath, { throwIfNoEntry: false })?.mode ?? 0;
  // On Windows, modes do not show the access rights.
  if (process.platform === 'win32' || (mode & TOO_OPEN) === 0) return undefined;
  const shown = (mode & 0o777).toString(8);
  return {
    found: `Other users can read the instances file ${filePath} (mode ${shown}), and with it the tokens of the accounts.`,
    remedy: `chmod 600 ${filePath}`,
  };
}

/**
 * Writes an instance's first webhook token to the instances file. Replaces the whole file atomically, readable only for
 * its owner; the file's group keeps its access if other users had none.
 * @throws AppError CONFIG_INVALID, with the manual steps, when the file cannot be replaced
 */
export async function writeWebhookToken(filePath: string, instance: string, token: Secret): Promise<void> {
  try {
    const target = await realpath(filePath);
    // The file's text with the token, indented as before. @throws Error if the file has changed since the examination
    const text = await readFile(target, 'utf8');
    const content: unknown = JSON.parse(text);
    const entry = isRecord(content) && Object.hasOwn(content, instance) ? content[instance] : undefined;
    if (!isRecord(entry)) throw new Error('the file no longer has this instance');
    if ('webhookToken' in entry) throw new Error('the instance already has a webhookToken');
    entry['webhookToken'] = token.reveal();
    const [, indentation = '  '] = /^([ \t]+)"/m.exec(text) ?? [];
    await replaceFile(target, `${JSON.stringify(content, null, indentation)}\n`);
  } catch (error) {
    // The parser's message quotes the text around a fault, which may be a token.
    const reason =
      error instanceof SyntaxError
        ? 'it is not valid JSON'
        : (codeOf(error) ?? (error instanceof Error ? error.message : 'unknown reason'));
    const variable = `${instance.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_WEBHOOK_TOKEN`;
    throw new AppError(
      'CONFIG_INVALID',
      `The webhook token of instance ${instance} cannot be written to ${filePath} (${reason}). ` +
        `Put "webhookToken": {"env":"${variable}"} into its entry, set that variable to a new secret wherever everpost runs ` +
        `(export ${variable}=$(openssl rand -hex 32)), start everpost again, and run: everpost doctor --fix`,
      { cause: error },
    );
  }
}

/** A reader sees either the old file or the new one, also after a crash. */
async function replaceFile(target: string, text: string): Promise<void> {
  const { mode, uid, gid } = await stat(target);
  const temporary = `${target}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(text);
    const made = await file.stat();
    // A service that runs as the file's owner must be able to read it afterwards.
    if (made.uid !== uid || made.gid !== gid) await file.chown(uid, gid);
    if ((mode & 0o007) === 0) await file.chmod(0o600 | (mode & 0o060));
    await file.sync();
    await file.close();
    await rename(temporary, target);
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
}
