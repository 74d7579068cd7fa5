export type { IncomingMessage } from './read-notification.js';
export { createOptOuts } from './opt-outs.js';
export type { ReceiverOptions } from './options.js';
export { createReceiver, type Receiver } from './receiver.js';
