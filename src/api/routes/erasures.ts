import { z } from 'zod';
import { AppError } from '../../contract/index.js';
import { removeSuppressionSchema, time } from '../../contract/schemas.js';
import { inputInvalid } from '../../domain/index.js';
import type { ErasureReceipt } from '../../ledger/index.js';
import { chatIdOf } from '../read-request.js';
import { reply, route, waitMs } from '../route.js';

const counts = z.record(z.string(), z.number().int());

/** What the ledger cannot erase, in every receipt. */
const NOT_REACHED = [
  'rows that are kept, because they are still to be sent or found by (kept)',
  'a number with spaces or other characters between its digits in a text, and a name or text without the number',
  'the id of a group that begins with the number of its owner',
  'histories in Temporal of runs that another SDK client started',
  'ids that were derived from an Idempotency-Key which contains the number',
  'backups of the ledger, exports, reports and what event endpoints received',
  'what the gateway and the phones keep',
] as const;

const receiptSchema = z
  .object({
    id: z.string().describe('Id of the erasure'),
    state: z.enum(['pending', 'done']).describe('`pending`: work in flight has to end first, or rows remain'),
    requestedBy: z.string().describe('The requester: key:<name> or loopback'),
    requestedAt: time.describe('When the erasure was requested'),
    endedAt: time.optional().describe('When the erasure ended'),
    chatHashes: z
      .array(z.string())
      .describe('Keyed hashes of the chat, by which this ledger recognizes an erased chat. The number is not stored'),
    rows: counts.describe('How many rows of each table were erased'),
    waiting: counts.describe('What has to end first: how many messages, edits and notifications'),
    kept: z
      .record(z.string(), z.object({ count: z.number().int(), ids: z.array(z.string()) }))
      .describe(
        'Rows that still contain the number, by table: texts of others that are still to be sent or that a retry may send, URLs and names. At most 20 ids each. Request the erasure again once they have ended',
      ),
    notReached: z.array(z.string()).describe('What no erasure reaches'),
  })
  .meta({ id: 'Erasure' });

const newErasureSchema = removeSuppressionSchema.pick({ to: true, defaultCountry: true }).meta({ id: 'NewErasure' });

export const ERASURE_ROUTES = {
  eraseRecipient: route('POST /v1/recipients/erasures', {
    access: ['admin', 'everything'],
    summary: 'Erase a recipient',
    description:
      'Erases phone number, names and texts. Pending messages to the recipient are cancelled, schedules that send to them end, and work in flight ends first. Texts to others that are still to be sent are not changed but listed. Rows stay with their states and times, so that totals add up; an opt-out stays as a hash. A repeated request while the erasure is pending gives the same erasure.',
    body: newErasureSchema,
    bodyName: 'The erasure',
    responses: {
      200: { description: 'The erasure had begun before, and is pending', schema: receiptSchema },
      202: { description: 'The erasure is recorded. A worker runs it', schema: receiptSchema },
    },
    async handle({ body, caller }, { ledger, clock }) {
      const chatId = chatIdOf('The erasure', body);
      if (chatId.endsWith('@g.us')) {
        const message = 'is a group, which has several members: erase each of them by number';
        throw inputInvalid('The erasure', [{ path: 'to', message }]);
      }
      const { receipt, isNew } = await ledger.erasures.begin({
        chatId,
        requestedBy: caller.witness,
        nowMs: clock.nowMs(),
      });
      return reply(isNew ? 202 : 200, shown(receipt), { location: `/v1/recipients/erasures/${receipt.id}` });
    },
  }),
  getErasure: route('GET /v1/recipients/erasures/{id}', {
    access: ['admin', 'everything'],
    summary: 'Retrieve an erasure',
    query: z.strictObject({ timeoutMs: waitMs(0) }),
    responses: { 200: { description: 'The erasure and what it erased so far', schema: receiptSchema } },
    problems: ['ERASURE_NOT_FOUND'],
    async handle({ params: { id }, query: { timeoutMs }, c }, { ledger, waiting }) {
      const receipt = await waiting.until(c, {
        id,
        reads: `erasure ${id}`,
        async read() {
          const found = await ledger.erasures.find(id);
          if (found !== undefined) return found;
          throw new AppError(
            'ERASURE_NOT_FOUND',
            `There is no erasure ${id}. Check the id: the response to its request contains it.`,
          );
        },
        isDone: ({ state }) => state === 'done',
        timeoutMs,
      });
      return reply(200, shown(receipt));
    },
  }),
} as const;

function shown(receipt: ErasureReceipt) {
  return { ...receipt, notReached: NOT_REACHED };
}
