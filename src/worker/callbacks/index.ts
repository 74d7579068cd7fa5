export { deliverCallbacks } from './deliver-callbacks.js';
export { createCallbackPoster } from './post-callback.js';
