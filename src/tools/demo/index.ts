export { demoConfig, playDemo } from './play-demo.js';
