export * from './plan-rows.js';
export * from './planned-posts.js';
