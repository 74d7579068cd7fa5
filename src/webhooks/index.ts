export type { IncomingMessage } from './incoming-message.js';
export { createReceiver, type Receiver, type ReceiverOptions } from './receiver.js';
