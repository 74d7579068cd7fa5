export type { IncomingMessage } from './incoming-message.js';
export { createOptOuts, type OptOutDependencies } from './opt-outs.js';
export { createReceiver, type Receiver, type ReceiverOptions } from './receiver.js';
