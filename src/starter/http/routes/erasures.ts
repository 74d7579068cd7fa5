import { z } from 'zod';
import { AppError } from '../../../contract/index.js';
import { removeSuppressionSchema } from '../../../contract/schemas.js';
import { chatIdOf } from '../read-request.js';
import { time, waitMs } from '../fields.js';
import { reply, route } from '../route.js';

const counts = z.record(z.string(), z.number().int());

const receiptSchema = z
  .object({
    id: z.string(),
    state: z.enum(['pending', 'done']),
    requestedBy: z.string(),
    requestedAt: time,
    endedAt: time.optional(),
    chatHashes: z
      .array(z.string())
      .describe('Keyed hashes of the chat: this ledger knows by them that it was erased. The number is not kept'),
    rows: counts.describe('How many rows of each table were erased'),
    waiting: counts.describe('What has to end before: how many messages, edits and notifications'),
  })
  .meta({ id: 'Erasure' });

const newErasureSchema = removeSuppressionSchema.pick({ to: true, defaultCountry: true }).meta({ id: 'NewErasure' });

export const ERASURE_ROUTES = {
  eraseRecipient: route({
    method: 'post',
    path: '/v1/recipients/erasures',
    access: ['admin', 'everything'],
    summary: 'Erase a recipient: number, names and texts',
    description:
      'Pending messages to them are cancelled; what is in flight ends first. Rows stay with their states and times, so that totals add up. An opt-out is kept as a hash. Asked for again while it is pending, it is the same erasure.',
    body: newErasureSchema,
    bodyName: 'The erasure',
    responses: {
      200: { description: 'It was begun before, and is pending', schema: receiptSchema },
      202: { description: 'Recorded; a worker carries it out', schema: receiptSchema },
    },
    problems: ['INPUT_INVALID', 'INPUT_TOO_LARGE'],
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
  getErasure: route({
    method: 'get',
    path: '/v1/recipients/erasures/{id}',
    access: ['admin', 'everything'],
    summary: 'The receipt of an erasure',
    query: z.strictObject({ timeoutMs: waitMs(0) }),
    responses: { 200: { description: 'As it stands', schema: receiptSchema } },
    problems: ['ERASURE_NOT_FOUND', 'INPUT_INVALID'],
    async handle({ params: { id }, query: { timeoutMs }, c }, { ledger, waiting }) {
      const receipt = await waiting.until(c, {
        id,
        reads: `erasure ${id}`,
        read: async () => {
          const found = await ledger.erasures.find(id);
          if (found !== undefined) return found;
          throw new AppError(
            'ERASURE_NOT_FOUND',
            `There is no erasure ${id}. Its id is in the response to its request.`,
          );
        },
        isDone: ({ state }) => state === 'done',
        timeoutMs,
      });
      return reply(200, receipt);
    },
  }),
} as const;
