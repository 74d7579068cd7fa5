import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { handleControl, type ControlledDependencies } from './control-routes.js';
import { FaultScript } from './fault-script.js';
import { GatewayRoutes } from './gateway-routes.js';
import { HttpDoor, jsonResponse, mayBeWebPage, readBody, writeResponse } from './http-door.js';
import type { DeliveredMessage } from '../account/phones.js';
import { RequestLog, type RecordedRequest } from './request-log.js';
import type { Settings } from '../account/settings.js';
import { Simulation } from '../simulation.js';
import type { TimeSource } from '../simulator-clock.js';

export interface SimulatorOptions {
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** @default 0, any free port */
  readonly port?: number;
  /** The source of time, to which advance and speed apply. @default the machine's clock */
  readonly clock?: TimeSource;
  /**
   * The file that stores all commands, and from which a start continues. HTTP faults and the list of requests are not
   * stored.
   * @default nothing is stored
   */
  readonly dataFile?: string;
  /** The instance that exists from the start. @default '1101000001' */
  readonly idInstance?: string;
  /** The token of every instance, until it is patched. @default 'simulator-token' */
  readonly apiTokenInstance?: string;
  /**
   * Settings of that instance at the start, also after a reset. @default 500 ms of delay, every flag off, no webhookUrl
   */
  readonly settings?: Partial<Settings>;
  /** Whether requests over an operation's rate per second get a 429. @default true */
  readonly rateLimits?: boolean;
  /** Milliseconds between a failed push of a notification and its retry. @default 60_000 */
  readonly webhookRetryMs?: number;
  /** Milliseconds of real time that a notification waits for its response. @default 10_000 */
  readonly webhookTimeoutMs?: number;
  /** Receives errors outside any request. @default the error is thrown and ends the process */
  readonly onError?: (error: unknown) => void;
}

/** A running simulator, for tests and commands in the same process. `/_sim/…` offers the same over HTTP. */
export interface Simulator {
  /** Base URL, e.g. `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly port: number;
  /** Milliseconds since the Unix epoch by the simulator's clock. */
  nowMs(): number;
  /** Advances the clock: runs all due events in order, and waits until every due notification has a response. */
  advance(ms: number): Promise<void>;
  /** When the next event or notification is due. */
  nextDueAtMs(): number | undefined;
  /** Waits until every due notification has a response. */
  idle(): Promise<void>;
  /** The messages that the phones received, oldest first. */
  delivered(): readonly DeliveredMessage[];
  /** The requests that arrived, oldest first, without tokens. */
  requests(): readonly RecordedRequest[];
  /** Refuses connections until `resumeListening`. The clock does not stop. */
  pauseListening(): Promise<void>;
  resumeListening(): Promise<void>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the gateway as a real HTTP server, control endpoints included.
 * @throws Error if the port is taken (code EADDRINUSE), or the data file is damaged (code DATA_FILE_DAMAGED)
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const onError =
    options.onError ??
    ((error) =>
      process.nextTick(() => {
        throw error;
      }));
  const stopped = new AbortController();
  const faults = new FaultScript();
  const requests = new RequestLog();
  const simulation = new Simulation({
    clock: options.clock ?? { nowMs: () => Date.now() },
    start: {
      idInstance: options.idInstance ?? '1101000001',
      apiTokenInstance: options.apiTokenInstance ?? 'simulator-token',
      rateLimits: options.rateLimits ?? true,
      webhookRetryMs: options.webhookRetryMs ?? 60_000,
      settings: options.settings ?? {},
    },
    dataFile: options.dataFile,
    webhookTimeoutMs: options.webhookTimeoutMs ?? 10_000,
    onError,
  });
  const gateway = new GatewayRoutes(simulation, faults, requests, stopped.signal);
  const reset = async (): Promise<void> => {
    faults.clear();
    requests.clear();
    await simulation.reset();
  };

  const dependencies: Omit<ControlledDependencies, 'outage'> = { simulation, faults, requests, reset };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      if (mayBeWebPage(request)) {
        await readBody(request);
        const refusal = jsonResponse(403, { message: 'the simulator is not for web pages' });
        return writeResponse(response, refusal, simulation.clock.nowMs());
      }
      if (!(request.url ?? '/').startsWith('/_sim/')) return await gateway.handle(request, response);
      const outage = (ms: number): void => {
        response.once('close', () => void shutFor(ms));
      };
      await handleControl({ ...dependencies, outage }, request, response);
    } catch (error) {
      response.destroy();
      // An incomplete request means that the caller disconnected. Neither that nor an error while closing is reported.
      if (request.complete && !stopped.signal.aborted) onError(error);
    }
  };
  const door = new HttpDoor(options.host ?? '127.0.0.1', options.port ?? 0, (request, response) => {
    void serve(request, response);
  });
  const shutFor = async (ms: number): Promise<void> => {
    try {
      await door.shut();
      await wait(ms, undefined, { signal: stopped.signal });
      await door.open();
    } catch (error) {
      if (!stopped.signal.aborted) onError(error);
    }
  };
  try {
    await door.open();
  } catch (error) {
    await simulation.close();
    throw error;
  }

  return {
    url: door.url,
    port: door.port,
    nowMs: () => simulation.clock.nowMs(),
    advance: (ms) => simulation.advance(ms),
    nextDueAtMs: () => simulation.nextDueAtMs(),
    idle: () => simulation.idle(),
    delivered: () => simulation.model().phones.received,
    requests: () => requests.requests,
    pauseListening: () => door.shut(),
    resumeListening: () => door.open(),
    reset,
    close: async () => {
      stopped.abort();
      await door.shut();
      await simulation.close();
    },
  };
}
