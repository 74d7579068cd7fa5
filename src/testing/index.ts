export {
  controlGateway,
  startGateway,
  type ClockReading,
  type FaultRequest,
  type GatewayControl,
  type GatewayOptions,
  type IncomingMessage,
  type InstancePatch,
  type TestGateway,
} from './gateway.js';
export type { DeliveredMessage, RecordedRequest, Settings } from '../simulator/index.js';
