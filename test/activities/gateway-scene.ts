/** A simulator, and a gateway client of one instance, by a clock that the test moves. Each test has its own. */
import { afterEach, beforeEach } from 'vitest';
import type { Times } from '../../src/activities/dependencies.js';
import { Secret, type Clock, type InstanceDirectory } from '../../src/contract/index.js';
import { createGateway, type Gateway, type RateGate } from '../../src/gateway/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { startSimulator, type Simulator } from '../../src/simulator/index.js';
import { createWorkflowInputs } from '../../src/starter/index.js';
import { NOW } from '../ledger/cast.js';
import { OPEN_GATE } from '../support/stack.js';

export interface GatewayScene {
  nowMs: number;
  readonly clock: Clock;
  readonly instances: InstanceDirectory;
  simulator: Simulator;
  gateway: Gateway;
  /** Another client of the instance. */
  connect(gate: RateGate): Gateway;
  /** Posts to the simulator's control endpoints. */
  control(what: string, body: object): Promise<void>;
  /** How the next editMessage, or another method, goes wrong. */
  fault(more: object): Promise<void>;
  /** How many requests of this method came. */
  posts(method: string): number;
}

/** @param instance  its name in the test that runs */
export function useGatewayScene(instance: () => string, gatewayTimeoutMs = 15_000): GatewayScene {
  const clock: Clock = { nowMs: () => scene.nowMs };
  const connect = (gate: RateGate) => createGateway({ instances, clock, gate, gatewayTimeoutMs });
  const instances: InstanceDirectory = {
    names: () => [instance()],
    get: (name) => ({
      name,
      baseUrl: scene.simulator.url,
      idInstance: '1101000001',
      apiTokenInstance: new Secret('simulator-token'),
    }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- filled before each test
  const scene = { clock, instances, connect, control, fault, posts } as GatewayScene;

  async function control(what: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const url = `${scene.simulator.url}/_sim/${what}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`The simulator refused ${what}: ${await response.text()}`);
  }
  function fault(more: object): Promise<void> {
    return control('faults', { method: 'editMessage', times: 1, ...more });
  }
  function posts(asked: string): number {
    return scene.simulator.requests().filter(({ method }) => method === asked).length;
  }

  beforeEach(async () => {
    scene.nowMs = NOW;
    scene.simulator = await startSimulator({ clock, rateLimits: false });
    scene.gateway = connect(OPEN_GATE);
  });
  afterEach(async () => {
    await scene.gateway.close();
    await scene.simulator.close();
  });
  return scene;
}

/** The dependencies of activities about edits. */
export function editDependencies({ instances, gateway, clock }: GatewayScene, ledger: Ledger, times: Times) {
  return {
    inputs: createWorkflowInputs({ ledger, instances, checkOperation: gateway.check.bind(gateway) }),
    ledger,
    gateway,
    instances,
    clock,
    times,
    timesOf: () => times,
    worker: 'worker-under-test',
    processId: 'process-under-test',
    wake: () => undefined,
    runSchedule: () => Promise.reject(new Error('no schedule runs here')),
    log: () => undefined,
  };
}
