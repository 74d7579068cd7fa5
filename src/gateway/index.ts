export { createGateway } from './client.js';
export type { CallOptions, Gateway, GatewayResponse, GatewayLogEntry, GatewayOptions, LateResponse } from './client.js';
export { NEEDED_FLAGS } from './operations/needed-flags.js';
export type { OperationContract } from './operations/operation-contract.js';
export { operationContracts, type OperationResponse, type OperationRequest } from './operations/index.js';
export { createRateGate, type RateGate } from './rate-gate.js';
export { redact } from './redact.js';
export { retryAfterMs } from './read-outcome.js';
