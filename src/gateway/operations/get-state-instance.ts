import { z } from 'zod';
import { operation } from '../operation-contract.js';

export const getStateInstance = operation({
  description:
    'Read the state of the account: authorized, notAuthorized, blocked, sleepMode, starting, yellowCard, or a newer word.',
  perSecond: 1,
  request: z.strictObject({}),
  // The body is null while the instance is being created: that is no state, and no error either.
  response: z.preprocess(
    (raw) => raw ?? { stateInstance: null },
    z.looseObject({ stateInstance: z.string().nullable() }),
  ),
});
