import type { IncomingMessage } from 'node:http';

/** More than any operation accepts; the rest is read and discarded. */
const KEPT_BYTES = 16 * 1024 * 1024;

export interface Body {
  readonly text: string;
  readonly bytes: number;
  /** The first bytes, as hex digits. */
  readonly bytesHex: string;
}

/** The whole body as text, and how many bytes it had. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= KEPT_BYTES) chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  return { text: whole.toString('utf8'), bytes, bytesHex: whole.subarray(0, 16).toString('hex') };
}
