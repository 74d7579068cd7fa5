// Each of these files registers its assertions when it is loaded.
import './responses.js';
import './errors.js';
import './fields.js';
import './kinds.js';
import './paths.js';
import './polling.js';
import './send-file.js';
import './settings.js';
import './status-and-typing.js';
import './template-use.js';
import './templates.js';
import './texts-and-sizes.js';

export { CLIENT_ASSERTIONS } from './assertions.js';
