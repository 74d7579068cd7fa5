export type { IncomingMessage } from './read-notification.js';
export { createIncoming } from './incoming.js';
export type { ReceiverOptions } from './options.js';
export { createReceiver, type Receiver } from './receiver.js';
