export * from './country-timezone.js';
export * from './open-hours.js';
