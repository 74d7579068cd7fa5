import { expect, onTestFinished } from 'vitest';
import { toJSONSchema } from 'zod';
import { fixedInstances } from '../../src/config/index.js';
import {
  AppError,
  OPERATIONS,
  OPERATION_NAMES,
  Secret,
  type InstanceConfig,
  type OperationFacts,
  type OperationName,
} from '../../src/contract/index.js';
import { createGateway, operationContracts, type Gateway } from '../../src/gateway/index.js';
import { startRecorder, type RecordedRequest, type Recorder, type ScriptedResponse } from './recorder.js';
import { INSTANCE, TOKEN, type Json } from './scene.js';

/** The unusual fields of the instance. */
export interface InstanceChange extends Partial<InstanceConfig> {
  readonly token?: string;
}

/** Our client in front of a recorder. Requests are plain JSON, as they come from outside. */
export class ClientDriver {
  readonly recorder: Recorder;

  private constructor(recorder: Recorder) {
    this.recorder = recorder;
  }

  /** Ends with the test. */
  static async start(): Promise<ClientDriver> {
    const driver = new ClientDriver(await startRecorder());
    driver.responses({ idMessage: 'BAE5000000000001' });
    return driver;
  }

  /** From now on the gateway answers 200 with this body. */
  responses(json: unknown): void {
    this.recorder.respondWith(json === '' ? { raw: '' } : { json });
  }

  respondsWith(response: ScriptedResponse): void {
    this.recorder.respondWith(response);
  }

  /** @returns the client's result for the response */
  async call(operation: string, request: Json, change: InstanceChange = {}): Promise<unknown> {
    const gateway = this.#gateway(change);
    const { response } = await gateway.call('main', operation as OperationName, request);
    return response;
  }

  /** @returns the error with which the call has to end */
  async failure(operation: string, request: Json, change: InstanceChange = {}): Promise<AppError> {
    const outcome: unknown = await this.call(operation, request, change).catch((error: unknown) => error);
    expect(outcome, `${operation} was expected to fail`).toBeInstanceOf(AppError);
    return outcome as AppError;
  }

  warnings(operation: string, request: Json): string[] {
    return this.#gateway({}).check(operation as OperationName, request).warnings;
  }

  lastRequest(): RecordedRequest {
    const last = this.recorder.requests.at(-1);
    expect(last, 'nothing was sent').toBeDefined();
    return last as RecordedRequest;
  }

  lastBody(): Json {
    return this.lastRequest().json as Json;
  }

  isBeta(operation: string): boolean {
    const facts: OperationFacts = OPERATIONS[operation as OperationName];
    const described = operationContracts[operation as OperationName].description.startsWith('Beta');
    expect(described).toBe(facts.beta === true);
    return facts.beta === true;
  }

  requestSchema(operation: string): unknown {
    return toJSONSchema(operationContracts[operation as OperationName].request, { io: 'input' });
  }

  responseSchema(operation: string): unknown {
    return toJSONSchema(operationContracts[operation as OperationName].response, { io: 'output' });
  }

  #gateway({ token = TOKEN, ...change }: InstanceChange): Gateway {
    const instance: InstanceConfig = {
      name: 'main',
      baseUrl: this.recorder.url,
      mediaUrl: this.recorder.url,
      idInstance: INSTANCE,
      apiTokenInstance: new Secret(token),
      // Tests of the client cover rates; here they would only make it slow.
      rateLimits: Object.fromEntries(OPERATION_NAMES.map((name) => [name, 0])),
      ...change,
    };
    const gateway = createGateway({ instances: fixedInstances([instance]), clock: { nowMs: () => Date.now() } });
    onTestFinished(() => gateway.close());
    return gateway;
  }
}
