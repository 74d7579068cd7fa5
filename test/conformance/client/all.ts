// Each of these files registers its assertions when it is loaded.
import './answers.js';
import './errors.js';
import './fields.js';
import './requests.js';
import './templates.js';

export { CLIENT_ASSERTIONS } from './assertions.js';
