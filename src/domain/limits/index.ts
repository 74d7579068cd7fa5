export * from './daily-cap.js';
export * from './jitter.js';
