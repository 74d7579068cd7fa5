/** A form that was sent, and why it was refused. */
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { EverpostError } from '../http-client/index.js';

/** The fields of a form, as they were typed. */
export type Form = Readonly<Record<string, string | undefined>>;

/** How long a page waits for a command to take effect; it is carried out all the same. */
export const COMMAND_WAIT_MS = 5_000;

/** A form without a file is far smaller. */
const MOST_BYTES = 256 * 1024;

/** @throws EverpostError INPUT_TOO_LARGE */
export async function readForm(c: Context, mostBytes = MOST_BYTES): Promise<Form> {
  if (Number(c.req.header('Content-Length') ?? Infinity) > mostBytes) {
    const message = `The form is larger than ${mostBytes} bytes. Go back, and shorten its texts, or use the command line for a large file.`;
    throw new EverpostError(message, { code: 'INPUT_TOO_LARGE', status: 413 });
  }
  const fields = Object.entries(await c.req.parseBody());
  // A browser sends every line break of a text as CR LF; the phone would show it so.
  const texts = fields.map(([name, value]) => [name, typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '']);
  return Object.fromEntries(texts) as Form;
}

/** Only a path of this site: no link and no form leads to another one. */
export function ownPath(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) ? to : '/';
}

/** The page from which a form was sent, with the notice about what it has done. */
export function doneAt({ back }: Form, done: string): string {
  const [path, query] = ownPath(back).split('?');
  const search = new URLSearchParams(query);
  search.set('done', done);
  return `${path}?${search.toString()}`;
}

export interface Refusal {
  readonly message: string;
  /** What is wrong with a field, by its name. */
  readonly problems: Readonly<Record<string, string | undefined>>;
  readonly form: Form;
  readonly status: ContentfulStatusCode;
}

/**
 * @param fieldOf  the field of the form for a path of the request
 * @throws the error, if the API did not refuse the request
 */
export function refusalOf(error: unknown, form: Form, fieldOf: (path: string) => string = (path) => path): Refusal {
  if (!(error instanceof EverpostError) || error.status === 401) throw error;
  const problems = Object.fromEntries(
    error.errors.map(({ path, message }) => [fieldOf(path), message.replace(/\.$/, '')]),
  );
  const isForNow = [429, 503, 504].includes(error.status ?? 503);
  const message =
    error.errors.length > 0
      ? 'Nothing was done yet. Correct the marked fields, then send the form again.'
      : `${error.message}${isForNow ? ' Nothing that you typed is lost: send the form again.' : ''}`;
  return { message, problems, form, status: (error.status ?? 503) as ContentfulStatusCode };
}
