export { createReceiver, type Receiver, type ReceiverOptions } from './receiver.js';
