import { Hono, type Handler } from 'hono';
import { Secret } from '../../src/contract/index.js';

export interface Parser {
  readonly reads: string;
  /** The files whose patterns and parsers it uses. */
  readonly files: readonly string[];
  /** May refuse with an AppError only. */
  readonly read: (text: string) => unknown;
}

export function parser(reads: string, files: readonly string[], read: Parser['read']): Parser {
  return { reads, files, read };
}

export const TOKEN = new Secret('d75b3a66374942c5b3c019c698abc2067e151558acbd412345');

/** A request that reaches a handler, through a real router. */
export async function request(
  handle: Handler,
  init: { readonly path?: string; readonly headers?: Record<string, string>; readonly body?: string },
): Promise<void> {
  const app = new Hono();
  app.onError((error) => {
    throw error;
  });
  app.all('*', handle);
  const response = await app.fetch(
    new Request(`http://127.0.0.1/${init.path ?? ''}`, {
      method: 'POST',
      headers: init.headers ?? {},
      ...(init.body === undefined ? {} : { body: init.body }),
    }),
  );
  await response.text();
}

/** An HTTP header contains bytes; other characters are omitted. */
export function headerOf(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, 'x');
}

/**
 * A parser whose refusal is a plain error, which its caller gives a code. Errors that it must not throw have other
 * names.
 */
export function orRefused(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'Error') throw error;
  }
}

export const TEMPLATE = (whole: string, text = whole.slice(0, whole.length / 8)) => ({
  elementName: text,
  languageCode: text,
  category: text,
  templateType: text,
  vertical: text,
  content: whole.slice(0, whole.length / 3),
  example: `${whole.slice(0, whole.length / 3)}x`,
  header: text,
  exampleHeader: text,
  footer: text,
  mediaUrl: text,
  buttons: [{ type: 'URL', text, url: text, example: [text] }],
});
