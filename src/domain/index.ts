export * from './limits/index.js';
export * from './local-time.js';
export * from './opt-out.js';
export * from './public-address.js';
export * from './reconcile/index.js';
export * from './render-content.js';
export * from './sending-hours/index.js';
export * from './template-rules.js';
