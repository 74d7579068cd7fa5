export type { IncomingMessage } from './read-notification.js';
export { createOptOuts } from './opt-outs.js';
export { createReceiver, type Receiver, type ReceiverOptions } from './receiver.js';
