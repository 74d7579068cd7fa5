// Each of these files registers its assertions when it is loaded.
import './editing.js';
import './fields.js';
import './groups.js';
import './kinds.js';
import './notification-kinds.js';
import './polling.js';
import './queue.js';
import './queue-items.js';
import './quoting.js';
import './read-chat.js';
import './send-file.js';
import './service.js';
import './status-and-typing.js';
import './stories.js';
import './template-use.js';
import './templates.js';
import './validation.js';
import './webhooks.js';

export { SIMULATOR_ASSERTIONS, type SimulatorAssertion } from './assertions.js';
