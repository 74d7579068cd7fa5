import { isReviewEnded, present, type TemplateKey } from '../../contract/index.js';
import { jsonText } from '../storage/statements.js';
import type { Tx } from '../storage/store.js';
import {
  addChange,
  changeTemplate,
  noteOfTemplate,
  readTemplate,
  type TemplateOutcome,
  type TemplateReading,
  type TemplateRow,
} from './template-row.js';

/** The gateway has the template, and shows it. */
export async function acceptTemplate(
  tx: Tx,
  key: TemplateKey,
  row: TemplateRow,
  { reading, witness, detail }: Extract<TemplateOutcome, { kind: 'accepted' }>,
  nowMs: number,
): Promise<void> {
  if (row.state !== 'submitted') {
    await changeTemplate(tx, key, {
      state: 'submitted',
      submitted_at: new Date(nowMs),
      reason: null,
      attempt_token: null,
      reconcile_after: null,
    });
    const { templateId } = reading;
    const facts = { ...present({ templateId }), ...detail };
    await addChange(tx, key, { witness, what: 'submitted', detail: facts, nowMs });
  }
  await takeReading(tx, key, (await readTemplate(tx, key)) ?? row, reading, witness, nowMs);
}

/** TEMPLATE-4. */
export async function takeReading(
  tx: Tx,
  key: TemplateKey,
  row: TemplateRow,
  { templateId, status, reason }: TemplateReading,
  witness: string,
  nowMs: number,
): Promise<void> {
  if (templateId !== undefined && templateId !== row.template_id) {
    await changeTemplate(tx, key, { template_id: templateId });
  }
  if (status === undefined) return;
  const words = jsonText([status, reason ?? null]);
  if (words === row.last_reading) return;
  await noteOfTemplate(tx, key, { last_reading: words });
  if (status === row.status && (reason ?? null) === row.reason) return;
  const wentBack = row.status === 'APPROVED' || isReviewEnded(row.status ?? undefined);
  await changeTemplate(tx, key, {
    status,
    reason: reason ?? null,
    unwatched_since: null,
    ...(status === row.status ? {} : { status_since: new Date(nowMs) }),
  });
  await addChange(tx, key, {
    witness,
    what: 'status',
    status,
    ...present({ reason }),
    ...(wentBack && status !== row.status ? { detail: { after: row.status } } : {}),
    nowMs,
  });
}
