import { SIMULATOR_INSTANCE } from '../../config/index.js';
import { AppError, type Secret, present, type Log, portInUse } from '../../contract/index.js';
import { startSimulator, type Settings, type Simulator } from '../../simulator/index.js';
import { NEEDED_FLAGS } from '../../gateway/index.js';

export interface LocalSimulatorOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The file that keeps the simulator's state over restarts. */
  readonly dataFile?: string;
  /** The receiver of notifications. Without it, they wait to be fetched. */
  readonly receiver?: { readonly apiUrl: string; readonly token: Secret };
  /** Milliseconds from a failed push to the retry. @default 60_000, as at the gateway */
  readonly webhookRetryMs?: number;
  readonly log: Log;
}

/**
 * Starts the simulator with the recommended settings of an account: a short release interval, and all notifications
 * that everpost reads.
 * @throws AppError PORT_IN_USE | CONFIG_INVALID if the address or the file cannot be used
 */
export async function startLocalSimulator(options: LocalSimulatorOptions): Promise<Simulator> {
  const { host, port, dataFile, receiver, webhookRetryMs, log } = options;
  const settings: Partial<Settings> = {
    delaySendMessagesMilliseconds: 500,
    ...Object.fromEntries(NEEDED_FLAGS.map(({ name }) => [name, 'yes'])),
    ...(receiver === undefined
      ? {}
      : {
          webhookUrl: `${receiver.apiUrl}/webhooks/${SIMULATOR_INSTANCE.name}`,
          webhookUrlToken: receiver.token.reveal(),
        }),
  };
  try {
    return await startSimulator({
      host,
      port,
      settings,
      ...present({ dataFile, webhookRetryMs }),
      onError: (error) => log({ level: 'error', message: 'simulator failed', error }),
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw portInUse('The simulator', `${host}:${port}`, '--port', error);
    let message = `The simulator cannot write its data to ${dataFile ?? ''} (${code}). Choose a writable file: --data-file.`;
    if (syscall === 'listen' || syscall === 'getaddrinfo')
      message = `The simulator cannot listen on ${host}:${port} (${code}). Correct --host and --port.`;
    // The simulator's message names the file, the line and the remedy.
    else if (code === 'DATA_FILE_DAMAGED') message = error.message;
    throw new AppError('CONFIG_INVALID', message, { cause: error });
  }
}
