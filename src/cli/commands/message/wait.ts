/** The wait for a message that a command has begun. */
import { InvalidArgumentError } from 'commander';
import { waitForMessage, type ApiClient, type MessageResponse } from '../../../client/index.js';
import { MILESTONES, hasReached, type Milestone } from '../../../contract/index.js';
import { ExitCode } from '../../command-context.js';
import { parsed, timeoutOption, type Given, type Specs } from '../../options.js';

export const WAIT = {
  '--wait [state]': parsed<Milestone | true>(
    (text) => {
      const state = MILESTONES.find((known) => known === text);
      if (state === undefined) throw new InvalidArgumentError(`must be one of ${MILESTONES.join(', ')}`);
      return state;
    },
    `wait for ${MILESTONES.join(', ')} (default: sent)`,
  ),
  ...timeoutOption('how long to wait'),
} as const;

type Wait = Given<Specs, typeof WAIT>;

export async function waitIfAsked(
  api: ApiClient,
  begun: MessageResponse,
  { wait, timeout }: Wait,
): Promise<MessageResponse> {
  return wait === undefined ? begun : waitForMessage(api, begun.id, awaited(wait), timeout);
}

export function waitedExitCode({ state }: MessageResponse, { wait }: Pick<Wait, 'wait'>): ExitCode {
  if (wait === undefined) return ExitCode.done;
  const hasEndedOtherwise = hasReached(state, 'read') && state !== 'read';
  if (hasEndedOtherwise) return ExitCode.failed;
  return hasReached(state, awaited(wait)) ? ExitCode.done : ExitCode.notReached;
}

function awaited(wait: Milestone | true): Milestone {
  return wait === true ? 'sent' : wait;
}
