import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../../config/index.js';
import type { Teardown } from '../../../compose/index.js';
import { temporalServerIn } from '../../local-temporal/index.js';

export type TemporalUnderTest = Awaited<ReturnType<typeof startTemporalUnderTest>>;

/** With this limit a campaign's run continues as new at about every third poll, not after thousands of events. */
const LONG_HISTORY_EVENTS = 20;

/**
 * Starts a Temporal server for this run, which keeps its data on disk.
 * @throws AppError TEMPORAL_BINARY_MISSING | TEMPORAL_UNAVAILABLE
 */
export async function startTemporalUnderTest(options: {
  readonly dir: string;
  readonly binary: Config['temporal']['binary'];
  readonly notice: (text: string) => void;
  readonly teardown: Teardown;
}) {
  const { dir, binary, notice, teardown } = options;
  const startServer = await temporalServerIn(dir, binary, notice);
  const start = (port: number) =>
    startServer({
      port,
      namespace: 'default',
      dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': LONG_HISTORY_EVENTS },
    });
  let server = await start(0);
  let restarting: Promise<unknown> = Promise.resolve();
  teardown.add(
    "Temporal's server",
    async () => {
      await Promise.allSettled([restarting]);
      await server.stop();
    },
    () => process.kill(server.pid, 'SIGKILL'),
  );
  const { address } = server;
  const port = Number(address.slice(address.lastIndexOf(':') + 1));
  return {
    address,
    /** Kills the server and starts it again at the same address after `downMs`. */
    async killAndRestart(downMs: number, stop: AbortSignal): Promise<void> {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      await delay(downMs, undefined, { signal: stop });
      restarting = start(port).then((started) => (server = started));
      await restarting;
    },
  };
}
