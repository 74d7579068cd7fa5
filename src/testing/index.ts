export {
  controlGateway,
  type ClockReading,
  type FaultRequest,
  type GatewayControl,
  type IncomingMessage,
  type InstancePatch,
} from './gateway-control.js';
export { startGateway, type GatewayOptions, type TestGateway } from './start-gateway.js';
export type { DeliveredMessage, RecordedRequest, Settings } from '../simulator/index.js';
