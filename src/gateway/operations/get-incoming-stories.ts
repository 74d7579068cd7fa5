import { z } from 'zod';
import { journalEntries } from '../response-fields.js';
import { operation } from '../operation-contract.js';

export const getIncomingStories = operation({
  description: 'List incoming story messages.',
  // No rate is published for it; the journals it resembles allow one a second.
  perSecond: 1,
  request: z.strictObject({
    minutes: z.int().min(1).optional().describe('How far back, minutes; the gateway assumes 1440'),
  }),
  response: journalEntries,
});
