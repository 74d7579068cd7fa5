import { startSimulator, type SimulatorOptions } from '../simulator/index.js';
import { controlGateway, type GatewayControl } from './gateway-control.js';

export interface GatewayOptions extends Pick<
  SimulatorOptions,
  'port' | 'idInstance' | 'apiTokenInstance' | 'settings' | 'rateLimits' | 'webhookRetryMs' | 'onError'
> {
  /** Multiplies the pace of its clock: the queue is released, and notifications retried, that much faster. @default 1 */
  readonly speed?: number;
}

export interface TestGateway {
  /** E.g. `http://127.0.0.1:41234`. */
  readonly url: string;
  /** An instance of everpost's instances file, and what any client of the gateway needs. */
  readonly instance: { readonly baseUrl: string; readonly idInstance: string; readonly apiTokenInstance: string };
  readonly control: GatewayControl;
  close(): Promise<void>;
}

/**
 * Starts everpost's simulator of the gateway in this process, on any free port unless one is given: a test double for
 * code that talks to the gateway, or for an everpost that runs beside the test.
 */
export async function startGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const { speed, ...rest } = options;
  const { idInstance = '1101000001', apiTokenInstance = 'simulator-token' } = options;
  const { url, close } = await startSimulator(rest);
  const control = controlGateway(url, idInstance);
  if (speed !== undefined) await control.setSpeed(speed);
  return { url, instance: { baseUrl: url, idInstance, apiTokenInstance }, control, close };
}
