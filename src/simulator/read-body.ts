import type { IncomingMessage } from 'node:http';

/** More than any operation accepts; the rest is read and discarded. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** The whole body as text, and how many bytes it had. */
export async function readBody(request: IncomingMessage): Promise<{ readonly text: string; readonly bytes: number }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= KEPT_BYTES) chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString('utf8'), bytes };
}
