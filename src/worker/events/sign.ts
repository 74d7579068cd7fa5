import { createHmac } from 'node:crypto';
import type { Secret } from '../../contract/index.js';

const PREFIX = 'whsec_';

/** The headers of Standard Webhooks: one signature for each secret, so that receivers may change theirs at leisure. */
export function signedHeaders(
  secrets: readonly Secret[],
  { id, body, nowMs }: { readonly id: string; readonly body: Uint8Array; readonly nowMs: number },
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.reveal().slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
