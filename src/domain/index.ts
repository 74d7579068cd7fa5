export * from './reconcile/index.js';
