/** Checks of the API: whether it is ready, and what in its ledger needs an operator. */
import { createApiClient } from '../../client/index.js';
import type { Config } from '../../config/index.js';
import { AppError, present, type Finding } from '../../contract/index.js';
import { checkLedger, unknownFinding } from '../../doctor/index.js';
import type { Stack } from './stack.js';

export async function checkApi(
  { api: { apiKey } }: Config,
  { api }: Stack,
): Promise<{ readonly findings: readonly Finding[]; readonly isReady: boolean; readonly ledgerId?: string }> {
  const subject = 'api';
  if (!api.isKnown) return { findings: [unknownFinding(subject, api)], isReady: false };
  const { url, origin } = api.at;
  const client = createApiClient({ url, origin, ...present({ apiKey }) });
  try {
    const { ledger: ledgerId } = await client.readyz();
    const found = `${url} (${origin}) is ready: its ledger responds`;
    const ready: Finding = { subject, verdict: 'ok', found };
    return { findings: [ready, ...(await checkLedger(client, Date.now()))], isReady: true, ledgerId };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const broken: Finding = { subject, verdict: 'broken', found: `${error.message} [${error.code}]` };
    if (!error.code.startsWith('TEMPORAL_')) return { findings: [broken], isReady: false };
    // The ledger responds, and does not depend on Temporal.
    return { findings: [broken, ...(await checkLedger(client, Date.now()))], isReady: true };
  } finally {
    await client.close();
  }
}
