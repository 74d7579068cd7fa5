import { z } from 'zod';
import { operation } from '../operation-contract.js';
import { templatesResponse } from './template-response.js';

export const getTemplates = operation({
  description: 'List all templates of the account with the status of their reviews.',
  // No rate is published for reading templates.
  perSecond: 1,
  request: z.strictObject({}),
  response: templatesResponse,
});
