import { z } from 'zod';
import { AppError } from '../../../contract/index.js';
import { removeSuppressionSchema, time } from '../../../contract/schemas.js';
import { chatIdOf } from '../read-request.js';
import { reply, route, waitMs } from '../route.js';

const counts = z.record(z.string(), z.number().int());

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
  })
  .meta({ id: 'Erasure' });

const newErasureSchema = removeSuppressionSchema.pick({ to: true, defaultCountry: true }).meta({ id: 'NewErasure' });

export const ERASURE_ROUTES = {
  eraseRecipient: route('POST /v1/recipients/erasures', {
    access: ['admin', 'everything'],
    summary: 'Erase a recipient',
    description:
      'Erases phone number, names and texts. Pending messages to the recipient are cancelled, and work in flight ends first. Rows stay with their states and times, so that totals add up; an opt-out stays as a hash. A repeated request while the erasure is pending gives the same erasure.',
    body: newErasureSchema,
    bodyName: 'The erasure',
    responses: {
      200: { description: 'The erasure had begun before, and is pending', schema: receiptSchema },
      202: { description: 'The erasure is recorded. A worker runs it', schema: receiptSchema },
    },
    async handle({ body, caller }, { ledger, clock }) {
      const chatId = chatIdOf('The erasure', body);
      const { receipt, isNew } = await ledger.erasures.begin({
        chatId,
        requestedBy: caller.witness,
        nowMs: clock.nowMs(),
      });
      return reply(isNew ? 202 : 200, receipt, { location: `/v1/recipients/erasures/${receipt.id}` });
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
        read: async () => (await ledger.erasures.find(id)) ?? erasureUnknown(id),
        isDone: ({ state }) => state === 'done',
        timeoutMs,
      });
      return reply(200, receipt);
    },
  }),
} as const;

function erasureUnknown(id: string): never {
  throw new AppError(
    'ERASURE_NOT_FOUND',
    `There is no erasure ${id}. Check the id: the response to its request contains it.`,
  );
}
