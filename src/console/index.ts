export { createConsole } from './pages/console.js';
