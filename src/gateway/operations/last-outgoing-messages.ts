import { z } from 'zod';
import { journalEntries } from '../response-fields.js';
import { operation } from '../operation-contract.js';

export const lastOutgoingMessages = operation({
  description: 'List recently sent messages, newest first. What is missing from it was not necessarily unsent.',
  perSecond: 1,
  request: z.strictObject({
    minutes: z.int().min(1).optional().describe('How far back, minutes; the gateway assumes 1440'),
  }),
  response: journalEntries,
});
