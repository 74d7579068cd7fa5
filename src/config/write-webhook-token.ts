import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { AppError, type Secret } from '../contract/index.js';

/**
 * Writes an instance's first webhook token into the instances file: the whole file is replaced at once, and only its
 * owner can read it afterwards. The file's group keeps its access if others had none before.
 * @throws AppError CONFIG_INVALID, with what to write by hand, when the file cannot be replaced
 */
export async function writeWebhookToken(filePath: string, instance: string, token: Secret): Promise<void> {
  try {
    const target = await realpath(filePath);
    await replaceFile(target, withToken(await readFile(target, 'utf8'), instance, token));
  } catch (error) {
    throw cannotWrite(filePath, instance, error);
  }
}

/** The file's text with the token, indented as before. @throws Error the file has changed since it was examined */
function withToken(text: string, instance: string, token: Secret): string {
  const content: unknown = JSON.parse(text);
  const entry = entryOf(content, instance);
  if (entry === undefined) throw new Error('the file no longer has this instance');
  if ('webhookToken' in entry) throw new Error('the instance has a webhookToken by now');
  Object.assign(entry, { webhookToken: token.reveal() });
  const [, indentation = '  '] = /^([ \t]+)"/m.exec(text) ?? [];
  return `${JSON.stringify(content, null, indentation)}\n`;
}

function entryOf(content: unknown, instance: string): object | undefined {
  if (typeof content !== 'object' || content === null || !Object.hasOwn(content, instance)) return undefined;
  const entry: unknown = (content as Record<string, unknown>)[instance];
  return typeof entry === 'object' && entry !== null ? entry : undefined;
}

/** A reader sees the old file or the new one, also after a crash. */
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

function cannotWrite(filePath: string, instance: string, cause: unknown): AppError {
  const variable = `${instance.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_WEBHOOK_TOKEN`;
  return new AppError(
    'CONFIG_INVALID',
    `The webhook token of instance ${instance} cannot be written into ${filePath} (${reasonOf(cause)}). ` +
      `Put "webhookToken": {"env":"${variable}"} into its entry, set that variable to a new secret wherever everpost runs ` +
      `(export ${variable}=$(openssl rand -hex 32)), start everpost again, and run: everpost doctor --fix`,
    { cause },
  );
}

/** The parser's message quotes the text around a fault, which may be a token. */
function reasonOf(cause: unknown): string {
  if (cause instanceof SyntaxError) return 'it is not valid JSON';
  if (!(cause instanceof Error)) return 'unknown reason';
  return 'code' in cause ? String(cause.code) : cause.message;
}
