import { Teardown, type ServiceContext } from '../../../compose/index.js';
import type { Log } from '../../../contract/index.js';
import { ExitCode } from '../../command-context.js';

/** SIGHUP stops the service only if it has a terminal, so that `nohup` works. */
const STOP_SIGNALS: readonly NodeJS.Signals[] = process.stdin.isTTY
  ? ['SIGINT', 'SIGTERM', 'SIGHUP']
  : ['SIGINT', 'SIGTERM'];

/** By then what the process printed has been written. */
const EXITS_WITHIN_MS = 1_000;

export interface ServiceOptions {
  readonly log: Log;
  /** A stop that takes longer is aborted. @default 9_500: `everpost dev` stops within ten seconds */
  readonly stopWithinMs?: number;
  /** Starts all parts. `ended` settles with an exit code or an error when the service ends without a stop request. */
  readonly start: (context: ServiceContext) => Promise<{ readonly ended: Promise<ExitCode | Error> }>;
}

/**
 * Runs until a signal arrives or the service ends, then stops all parts in order. A second signal, or a stop that
 * exceeds its limit, exits immediately with code 1. An uncaught error stops all parts before it ends the process.
 * @returns 0 after a requested stop, else the exit code of the service; 1 if a part did not stop
 * @throws the error of the service, after all parts have stopped
 */
export async function runService({ log, stopWithinMs = 9_500, start }: ServiceOptions): Promise<ExitCode> {
  const teardown = new Teardown(log);
  const stopRequest = new AbortController();
  const stopRequested = new Promise<ExitCode>((resolve) => {
    stopRequest.signal.addEventListener('abort', () => resolve(ExitCode.done), { once: true });
  });

  const exitNow = (why: string) => {
    log({ level: 'error', message: `${why}; exiting immediately` });
    teardown.abandon();
    process.exit(ExitCode.failed);
  };
  const requestStop = () => {
    stopRequest.abort();
    setTimeout(() => exitNow(`Stopping took longer than ${stopWithinMs} ms`), stopWithinMs).unref();
  };
  const onSignal = () => {
    if (stopRequest.signal.aborted) exitNow('Received a second stop signal');
    requestStop();
  };
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown) => {
    uncaught.push(error);
    log({ level: 'error', message: 'Uncaught error; stopping all parts', error });
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
  // Node reports unhandled rejections here too.
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

/** The end of a service that runs until it is stopped. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
