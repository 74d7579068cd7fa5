import { present } from '../contract/index.js';
import type { Clock, LastRun, MessageId } from '../contract/index.js';
import type { Ledger, UnfinishedMessage } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

/** The runs of messages, as far as sweeping needs them. */
export interface MessageDrivers {
  lastRun(message: UnfinishedMessage): Promise<LastRun>;
  /** Starts a run, also after one that has ended; does nothing while one is open. */
  start(message: UnfinishedMessage): Promise<void>;
}

export interface SweeperDependencies {
  readonly messages: Pick<Ledger['messages'], 'unfinished' | 'cancel'>;
  readonly drivers: MessageDrivers;
  /** Only messages whose runs live here are swept. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 60_000;
/** Each message costs a request to Temporal. The next round continues where this one stopped. */
const MOST_IN_A_ROUND = 1_000;
const AT_ONCE = 8;

/**
 * Ensures that every unfinished message has a run: Temporal may have been restored from a backup or lost, or the run
 * failed for another reason than the message. A run that an operator terminated or cancelled cancels its message if it was not
 * posted yet; a posted one still has a run, since its outcome is not known yet.
 */
export function sweeper({ messages, drivers, namespace, clock, log }: SweeperDependencies): BackgroundJob {
  let afterId: MessageId | undefined;

  async function sweep(message: UnfinishedMessage): Promise<void> {
    const { id } = message;
    const last = await drivers.lastRun(message);
    if (last === 'running') return;
    if (last === 'terminated' || last === 'cancelled') {
      const row = await messages.cancel(id, `workflow ${last}`, clock.nowMs());
      if (row.state === 'cancelled') {
        return log({ level: 'info', message: 'a message was cancelled with its run', id, run: last });
      }
    }
    await drivers.start(message);
    log({ level: 'warn', message: 'a message without a run has one again', id, run: last });
  }

  return {
    name: 'sweep messages',
    everyMs: EVERY_MS,
    async round() {
      const nowMs = clock.nowMs();
      const limit = MOST_IN_A_ROUND;
      const page = await messages.unfinished({
        namespace,
        nowMs,
        limit,
        ...present({ afterId }),
      });
      const queue = page.values();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const message of queue) await sweep(message);
        }),
      );
      afterId = page.length < limit ? undefined : page.at(-1)?.id;
    },
  };
}
