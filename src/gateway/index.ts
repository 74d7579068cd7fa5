export { createGateway } from './client.js';
export type { CallOptions, Gateway, GatewayAnswer, GatewayLogEntry, GatewayOptions, LateAnswer } from './gateway.js';
export type { OperationContract } from './operation-contract.js';
export { operationContracts, type OperationAnswer, type OperationRequest } from './operations/index.js';
export { createRateGate, type RateGate } from './rate-gate.js';
export { createSharedRateGate, type RateLanes } from './shared-rate-gate.js';
export { redact } from './redact.js';
