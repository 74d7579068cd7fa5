// Each of these files registers its assertions when it is loaded.
import './bodies.js';
import './responses.js';
import './errors.js';
import './fields.js';
import './kinds.js';
import './paths.js';
import './polling.js';
import './request-fields.js';
import './template-use.js';
import './templates.js';

export { CLIENT_ASSERTIONS } from './assertions.js';
