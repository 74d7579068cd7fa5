import { Teardown, type ServiceContext } from '../compose/index.js';
import type { Log } from '../worker/index.js';
import { ExitCode } from './exit-code.js';

/** A closed terminal ends us too; `nohup`, which takes the terminal away first, keeps its meaning. */
const STOP_SIGNALS: readonly NodeJS.Signals[] = process.stdin.isTTY
  ? ['SIGINT', 'SIGTERM', 'SIGHUP']
  : ['SIGINT', 'SIGTERM'];

/** By then what the process printed has been written. */
const EXITS_WITHIN_MS = 1_000;

export interface ServiceOptions {
  readonly log: Log;
  /** After this long a stop is cut short. */
  readonly stopWithinMs: number;
  /** Starts everything; `ended` settles when it ends without a request to: with an exit code, or an error. */
  readonly start: (context: ServiceContext) => Promise<{ readonly ended: Promise<ExitCode | Error> }>;
}

/**
 * Runs until a signal or until the service ends; then ends all parts in order. A second signal, or a stop that takes
 * too long, cuts it short: the exit code is then 1. An uncaught error ends them as well, before it ends the process.
 * @returns 0 when it was asked to stop and did, else the code it ended with; 1 when not all could be ended
 * @throws what it failed with, after all parts have ended
 */
export async function runService({ log, stopWithinMs, start }: ServiceOptions): Promise<ExitCode> {
  const teardown = new Teardown(log);
  const stopRequest = new AbortController();
  const stopRequested = new Promise<ExitCode>((resolve) => {
    stopRequest.signal.addEventListener('abort', () => resolve(ExitCode.done), { once: true });
  });

  const cutShort = (why: string) => {
    log({ level: 'error', message: `${why}; ending at once` });
    teardown.abandon();
    process.exit(ExitCode.failed);
  };
  const requestStop = () => {
    stopRequest.abort();
    setTimeout(() => cutShort(`Stopping took longer than ${stopWithinMs} ms`), stopWithinMs).unref();
  };
  const onSignal = () => {
    if (stopRequest.signal.aborted) cutShort('Asked to stop twice');
    requestStop();
  };
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown) => {
    uncaught.push(error);
    log({ level: 'error', message: 'Uncaught error; everything is ended', error });
    if (!stopRequest.signal.aborted) requestStop();
  };
  const endAll = async () => {
    const allEnded = await teardown.run();
    // A part that did not end, such as a failed Temporal worker, may hold what keeps the process alive.
    if (!allEnded) setTimeout(() => process.exit(), EXITS_WITHIN_MS).unref();
    return allEnded;
  };
  const throwUncaught = () => {
    if (uncaught.length > 0) throw uncaught[0];
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  // Unhandled rejections come here too.
  process.on('uncaughtException', onUncaught);

  try {
    const service = await start({ teardown, stopping: stopRequest.signal });
    const end = await Promise.race([stopRequested, service.ended]);
    if (end instanceof Error) throw end;
    const allEnded = await endAll();
    throwUncaught();
    return allEnded ? end : ExitCode.failed;
  } catch (error) {
    const stoppedWhileStarting = stopRequest.signal.aborted;
    const allEnded = await endAll();
    throwUncaught();
    if (stoppedWhileStarting && allEnded) return ExitCode.done;
    throw error;
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
    process.off('uncaughtException', onUncaught);
  }
}
