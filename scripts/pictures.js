// Takes the pictures of Temporal's Web UI, and of the summary of a campaign over several accounts:
//
//   npm run pictures            those that the documents show, into docs/images
//   npm run pictures -- DIR     each case, into DIR: the run as it opens (its timeline), and its details
//
// It starts `everpost dev` on a temporary folder, brings about each case through the API and the simulator, and needs
// Debian's package `chromium`. Nothing comes from the internet.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { request, startProgram } from '../bench/dev.js';
import { openBrowser } from './browser.js';
import { schedulePictures } from './pictures/schedules.js';

const SHOWN = fileURLToPath(new URL('../docs/images/', import.meta.url));
/** The pictures that the documents show, with their names there. @type {Readonly<Record<string, string>>} */
const KEPT = {
  list: 'web-ui-list',
  'message-edited-timeline': 'web-ui-message',
  'message-unresolved': 'web-ui-unresolved',
  'campaign-paused': 'web-ui-campaign',
  'instance-waiting': 'web-ui-instance',
  'console-overview': 'console-overview',
  'console-campaign': 'console-campaign',
  'console-unresolved': 'console-unresolved',
  'campaign-pool': 'campaign-pool',
};

const COLUMNS = ['Status', 'Workflow ID', 'EverpostState', 'EverpostKind', 'EverpostInstance', 'Start'];
const WIDTH = 1_440;
const TOO_LONG_MS = 10 * 60_000;
const EVERY_MS = 250;

const [dir] = process.argv.slice(2);
const dataDir = await mkdtemp(path.join(tmpdir(), 'everpost-pictures-'));
const dev = await startProgram(['dev', '--http-port', '0', '--data-dir', dataDir], {
  DATABASE_URL: '',
  EVERPOST_INSTANCES_FILE: '',
  EVERPOST_TEMPLATE_POLL_INTERVALS: '2s',
  EVERPOST_SOURCES_DIR: dataDir,
});
const { apiUrl = '', simulatorUrl = '', temporalUiUrl = '', temporalAddress = '' } = dev.facts;
const columns = COLUMNS.map((label, place) => ({ label, pinned: place < 2 }));
const browser = await openBrowser({
  'namespace-workflow-table-columns': JSON.stringify({ default: columns }),
  'time format': '"UTC"',
});
const connection = await Connection.connect({ address: temporalAddress });
const temporal = new Client({ connection });
try {
  await play();
} finally {
  await connection.close();
  await browser.close();
  await dev.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
}

async function play() {
  await simulate('instances/1101000001/accounts', {
    noAccount: ['15550000404@c.us'],
    fails: ['15550000500@c.us'],
    beta: false,
  });

  const unresolved = await lostMessage();
  await templates();
  await messages();
  await campaigns();
  await schedulePictures({ apiUrl, temporalUiUrl, temporal, dataDir, post, eventually, runsLike, show, take, text });
  await message(unresolved, 'unresolved');
  await showMessage('message-unresolved', unresolved);
  await consolePages(unresolved);
  await waitingForThePhone();
  await list('list', '');
  await pool();
  await list('list-bad-ends', `EverpostState IN ('rejected','failed','no_account','expired','unresolved')`);
}

async function messages() {
  const edited = await send('edited', { content: text('Your table is booked for 7.') });
  const delivered = await send('delivered', {});
  await message(delivered, 'delivered');
  await post(`/v1/messages/${edited}/edits?timeoutMs=30000`, 'edit', { text: 'Your table is booked for 8.' });
  const noAccount = await send('no-account', { to: '15550000404' });
  const failed = await send('failed', { to: '15550000500' });
  const rejected = await send('rejected', { to: undefined, content: { kind: 'status', text: 'Open until eight' } });
  const { workflowId: order } = await temporal.workflow.start('message', {
    taskQueue: 'everpost',
    workflowId: 'order-17',
    args: [{ instance: 'main', to: '15551234567', key: 'order-17', content: text('Your order is ready') }],
  });
  const refused = await temporal.workflow.start('message', {
    taskQueue: 'everpost',
    workflowId: 'order-18',
    args: [{ instance: 'main', to: '12', key: 'order-18', content: text('') }],
  });
  await message(noAccount, 'no_account');
  await message(failed, 'failed');
  await message(rejected, 'rejected');
  await refused.result().catch(() => undefined);
  await showMessage('message-delivered', delivered);
  await showMessage('message-edited', edited);
  await showMessage('message-no-account', noAccount);
  await showMessage('message-failed', failed);
  await showMessage('message-rejected', rejected);
  await show('message-by-caller', order);
  await show('message-refused', refused.workflowId);
}

/** Its response is lost, and no witness shows it. */
async function lostMessage() {
  await simulate('faults', { method: 'sendMessage', kind: 'reset', accepted: false, times: 1 });
  const id = await send('lost', { to: '15550000600' });
  await message(id, 'unknown', 'unresolved');
  await showMessage('message-unknown', id);
  return id;
}

async function templates() {
  const template = {
    elementName: 'order_ready',
    languageCode: 'en',
    category: 'UTILITY',
    templateType: 'TEXT',
    vertical: 'Orders',
    content: 'Your order {{1}} is ready',
    example: 'Your order 17 is ready',
  };
  for (const elementName of ['order_ready', 'order_late']) {
    await post('/v1/templates', elementName, { instance: 'main', template: { ...template, elementName } });
  }
  for (const name of ['order_ready', 'order_late']) {
    await eventually(async () => (await shownState(`template:main:${name}`)) === 'PENDING', `${name} in review`);
  }
  await show('template-in-review', 'template:main:order_ready');
  await simulate('templates/order_ready/decision', { status: 'APPROVED' });
  await simulate('templates/order_late/decision', { status: 'REJECTED', reason: 'The example has no value' });
  for (const [state, name] of [
    ['APPROVED', 'order_ready'],
    ['REJECTED', 'order_late'],
  ]) {
    await eventually(async () => (await shownState(`template:main:${name}`)) === state, `${name} ${state}`);
    await show(`template-${state?.toLowerCase()}`, `template:main:${name}`);
  }
}

async function campaigns() {
  await simulate('clock', { speed: 20 });
  await campaign('garden-plan', 6);
  await reaches('garden-plan', 'completed');
  await campaign('garden-failures', 6, '15550000404');
  await reaches('garden-failures', 'completed_with_failures');
  await simulate('clock', { speed: 1 });
  await campaign('garden-late', 60, undefined, { deadline: new Date(Date.now() + 8_000).toISOString() });
  await reaches('garden-late', 'expired');
  await campaign('garden-opening', 240);
  await delay(10_000);
  await show('campaign-running', 'campaign:garden-opening');
  await post('/v1/campaigns/garden-opening/pause', 'pause', {});
  await delay(3_000);
  await show('campaign-paused', 'campaign:garden-opening');
  await show('campaign-completed', 'campaign:garden-plan');
  await show('campaign-failures', 'campaign:garden-failures');
  await show('campaign-expired', 'campaign:garden-late');
}

/** @param {string} unresolved */
async function consolePages(unresolved) {
  const reply = { chatId: '15550000601@c.us', textMessage: 'please stopp', senderId: '15550000601@c.us' };
  await simulate('instances/1101000001/incoming', { ...reply, senderName: 'P', typeMessage: 'textMessage' });
  await eventually(async () => {
    const { items } = await request(`${apiUrl}/v1/suppressions/possible`);
    return items.length > 0;
  }, 'a possible opt-out');
  await take('console-overview', { url: `${apiUrl}/`, shows: 'Possible opt-out', height: 1_000 });
  await take('console-campaign', { url: `${apiUrl}/campaigns/garden-opening`, shows: 'History', height: 1_100 });
  const url = `${apiUrl}/messages/${unresolved}`;
  await take('console-unresolved', { url, shows: 'What does the phone show?', height: 1_100 });
}

/** A campaign over three accounts at the same simulator, one of which is paused meanwhile, in its summary. */
async function pool() {
  const names = ['north', 'south', 'west'];
  const file = path.join(dataDir, 'instances.json');
  const senders = names.map((name, at) => ({ name, idInstance: String(1_101_000_011 + at) }));
  const at = { baseUrl: simulatorUrl, apiTokenInstance: 'simulator-token', notifications: 'poll' };
  const entries = senders.map(({ name, idInstance }) => [name, { ...at, idInstance }]);
  await writeFile(file, JSON.stringify(Object.fromEntries(entries)));
  const other = await startProgram(['dev', '--http-port', '0', '--data-dir', path.join(dataDir, 'pool')], {
    DATABASE_URL: '',
    EVERPOST_INSTANCES_FILE: file,
  });
  const url = other.facts['apiUrl'] ?? '';
  try {
    for (const { idInstance } of senders) {
      const settings = { outgoingWebhook: 'yes', outgoingAPIMessageWebhook: 'yes', delaySendMessagesMilliseconds: 500 };
      await simulate(`instances/${idInstance}`, { settings }, 'PATCH');
    }
    const id = 'garden-opening';
    await campaign(id, 400, undefined, { instance: undefined, instances: names, moveAfter: '10s', at: url });
    const posted = async () => (await request(`${url}/v1/campaigns/${id}`)).counts.pending < 280;
    await eventually(posted, 'a third of the pool posted');
    await post('/v1/instances/west/pause', 'pause', {}, url);
    const moved = async () => {
      const { accounts, counts } = await request(`${url}/v1/campaigns/${id}`);
      return accounts[2].outWhy === 'cannot_send' && accounts[2].counts.pending === 0 && counts.pending < 120;
    };
    await eventually(moved, 'messages moved');
    const page = `${url}/v1/campaigns/${id}/report.html`;
    await take('campaign-pool', { url: page, shows: 'Recipients by account', width: 1_100, height: 1_400 });
  } finally {
    await other.end('SIGTERM');
  }
}

async function waitingForThePhone() {
  await simulate('instances/1101000001', { state: 'notAuthorized' }, 'PATCH');
  const short = await send('waits', { expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  const long = await send('accepted', { expiresAt: new Date(Date.now() + 3 * 86_400_000).toISOString() });
  await message(long, 'accepted');
  await delay(10_000);
  await showMessage('message-waits-for-phone', short);
  await showMessage('message-accepted', long);
  await show('instance-waiting', 'instance:main');
  await post('/v1/campaigns/garden-opening/resume', 'resume', {});
  await delay(10_000);
  await show('campaign-waits-for-phone', 'campaign:garden-opening');
  await send('cancelled', {}).then((id) => post(`/v1/messages/${id}/cancel`, 'cancel', {}));
}

/** @param {string} words */
function text(words) {
  return { kind: 'text', text: words };
}

/**
 * @param {string} key
 * @param {object} more
 * @returns {Promise<string>} its id
 */
async function send(key, more) {
  const body = { instance: 'main', to: '15551234567', content: text(`Hello ${key}`), ...more };
  return (await post('/v1/messages', key, body)).id;
}

/**
 * @param {string} id
 * @param {number} recipients
 * @param {string} [number]  of every third one
 * @param {{ at?: string, [field: string]: unknown }} [more]  `at`: the API's address
 */
async function campaign(id, recipients, number, { at = apiUrl, ...more } = {}) {
  const content = text('The garden opens on Sunday, {{name}}.');
  await post('/v1/campaigns', id, { id, name: 'Garden', instance: 'main', content, priority: 'low', ...more }, at);
  const lines = Array.from({ length: recipients }, (_, line) => {
    const phone = line % 3 === 0 && number !== undefined ? number : `1555${String(1_000_000 + line)}`;
    return JSON.stringify({
      phone: line === 0 || phone !== number ? phone : `1555${String(2_000_000 + line)}`,
      name: `P${line}`,
    });
  });
  const headers = { 'content-type': 'application/x-ndjson' };
  await request(`${at}/v1/campaigns/${id}/recipients`, { method: 'PUT', headers, body: lines.join('\n') });
  await post(`/v1/campaigns/${id}/start`, id, {}, at);
}

/** @param {string} id @param {string} state */
async function reaches(id, state) {
  await eventually(async () => {
    const found = await request(`${apiUrl}/v1/campaigns/${id}`);
    return found.state === state;
  }, `campaign ${id} ${state}`);
}

/** @param {string} id @param {...string} states */
async function message(id, ...states) {
  await eventually(
    async () => {
      const found = await request(`${apiUrl}/v1/messages/${id}`);
      return states.includes(found.state);
    },
    `message ${id} ${states.join(' or ')}`,
  );
}

/**
 * @param {string} route
 * @param {string} key
 * @param {object} body
 * @param {string} [at]  the API's address
 * @returns {Promise<any>}
 */
function post(route, key, body, at = apiUrl) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return request(at + route, { method: 'POST', headers, body: JSON.stringify(body) });
}

/**
 * @param {string} route
 * @param {object} body
 * @param {string} [method]
 */
async function simulate(route, body, method = 'POST') {
  const headers = { 'content-type': 'application/json' };
  await request(`${simulatorUrl}/_sim/${route}`, { method, headers, body: JSON.stringify(body) });
}

/** @param {string} prefix */
async function runsLike(prefix) {
  const ids = [];
  for await (const { workflowId } of temporal.workflow.list({ query: `WorkflowId STARTS_WITH "${prefix}"` })) {
    ids.push(workflowId);
  }
  return ids.length === 0 ? undefined : ids;
}

/**
 * @template Result
 * @param {() => Promise<Result | false | undefined>} read
 * @param {string} what
 * @returns {Promise<Result>}
 */
async function eventually(read, what) {
  const deadlineMs = Date.now() + TOO_LONG_MS;
  for (;;) {
    const found = await read();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadlineMs) throw new Error(`Too late: ${what}`);
    await delay(EVERY_MS);
  }
}

/** @param {string} workflowId */
async function shownState(workflowId) {
  const { searchAttributes } = await temporal.workflow.getHandle(workflowId).describe();
  return searchAttributes['EverpostState']?.[0];
}

/** @param {string} name @param {string} id */
async function showMessage(name, id) {
  await eventually(() => runsLike(`message:${id}`), `the run of ${id}`);
  await show(name, `message:${id}`);
}

/**
 * The run as it opens, and its details.
 * @param {string} name
 * @param {string} workflowId
 */
async function show(name, workflowId) {
  const { runId } = await temporal.workflow.getHandle(workflowId).describe();
  const url = `${temporalUiUrl}/namespaces/default/workflows/${encodeURIComponent(workflowId)}/${runId}`;
  await take(`${name}-timeline`, { url: `${url}/timeline`, shows: workflowId, height: 1_100 });
  await take(name, { url: `${url}/user-metadata`, shows: 'Current Details', height: 860 });
}

/** @param {string} name @param {string} query */
async function list(name, query) {
  const url = `${temporalUiUrl}/namespaces/default/workflows?query=${encodeURIComponent(query)}`;
  await take(name, { url, shows: 'EverpostState', height: 740 });
}

/**
 * @param {string} name
 * @param {{ url: string, shows: string, width?: number, height: number }} view
 */
async function take(name, view) {
  const file = dir === undefined ? KEPT[name] : name;
  if (file === undefined) return;
  await mkdir(dir ?? SHOWN, { recursive: true });
  await writeFile(path.join(dir ?? SHOWN, `${file}.png`), await browser.picture({ width: WIDTH, ...view }));
  console.log(file);
}
