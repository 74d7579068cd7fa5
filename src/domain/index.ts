export * from './calendar.js';
export * from './opt-out.js';
export * from './public-address.js';
export * from './reconcile/index.js';
export * from './render-content.js';
export * from './template-rules.js';
export * from './read-input.js';
