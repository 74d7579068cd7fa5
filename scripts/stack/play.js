// What an operator does in a day, with kills, and the account of every message.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { createClient } from '../../dist/http-client/index.js';
import { controlGateway } from '../../dist/testing/index.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RECIPIENTS = 300;
const PATIENCE_MS = 120_000;
const CAMPAIGN_PATIENCE_MS = 600_000;

/**
 * @param {import('./processes.js').Stack} stack
 * @param {(line: string) => void} say
 * @returns {Promise<string[]>} what is not as it has to be
 */
export async function play(stack, say) {
  const keys = await stack.exec('api', ['sh', '-c', 'cat "$EVERPOST_API_KEYS_FILE"']);
  const api = createClient({ baseUrl: `http://${stack.addressOf('api')}:8080`, apiKey: keys.stdout.trim() });
  const simulator = controlGateway(`http://${stack.addressOf('simulator')}:8090`);
  const stage = { stack, say, api, simulator, ...checks(say) };
  stage.check('doctor --fix', 0, await doctor(stack, '--fix', '--yes'));
  // The gateway restarts the account after its settings were changed.
  await simulator.setSpeed(20);
  await messages(stage);
  await templates(stage);
  await campaign(stage);
  await schedule(stage);
  await lists(stage);
  stage.check('doctor', 0, await doctor(stack));
  return stage.failures;
}

/** @param {(line: string) => void} say */
function checks(say) {
  /** @type {string[]} */
  const failures = [];
  return {
    failures,
    /** @param {string} what  @param {unknown} expected  @param {unknown} saw */
    check(what, expected, saw) {
      const [wanted, shown] = [JSON.stringify(expected), JSON.stringify(saw)];
      if (wanted !== shown) failures.push(what);
      say(wanted === shown ? `ok    ${what}: ${shown}` : `FAIL  ${what}: ${shown}, expected ${wanted}`);
    },
    /** @param {string} what  @param {() => Promise<boolean>} isSo */
    async until(what, isSo, patienceMs = PATIENCE_MS) {
      const end = Date.now() + patienceMs;
      while (!(await isSo().catch(() => false))) {
        if (Date.now() > end) throw new Error(`${what}: not within ${patienceMs / 1_000} s`);
        await delay(500);
      }
    },
  };
}

/**
 * @typedef {{
 *   stack: import('./processes.js').Stack,
 *   say: (line: string) => void,
 *   api: ReturnType<typeof createClient>,
 *   simulator: ReturnType<typeof controlGateway>,
 * } & ReturnType<typeof checks>} Stage
 */

/** @param {import('./processes.js').Stack} stack  @param {readonly string[]} options */
async function doctor(stack, ...options) {
  const own = { EVERPOST_API_URL: `http://${stack.addressOf('api')}:8080` };
  const keys = await stack.exec('api', ['sh', '-c', 'echo "$EVERPOST_API_KEYS_FILE"']);
  const env = { ...own, EVERPOST_API_KEY_FILE: keys.stdout.trim() };
  const args = [process.execPath, 'bin/everpost.js', 'doctor', ...options];
  return stack.exec('api', args, env).then(
    () => 0,
    (error) => `${error.code}: ${error.stdout}${error.stderr}`,
  );
}

/** @param {string} to  @param {string} text */
const aText = (to, text) => ({ instance: 'main', to, content: { kind: /** @type {const} */ ('text'), text } });

/** @param {Stage} stage */
async function messages({ api, simulator, check }) {
  const { id } = await api.sendMessage({ key: 'first', body: aText('15550100001', 'Your order is ready') });
  const message = await api.waitForMessage(id, 'delivered', { waitMs: PATIENCE_MS });
  check('a message', 'delivered', message.state === 'read' ? 'delivered' : message.state);
  const again = await api.sendMessage({ key: 'first', body: aText('15550100001', 'Your order is ready') });
  check('its key again', id, again.id);
  const edit = await api.editMessage({ id, body: { text: 'Your order waits at counter 4' }, waitMs: PATIENCE_MS });
  check('its edit', 'edited', 'outcome' in edit ? edit.outcome : edit.state);
  const shown = await simulator.delivered('15550100001@c.us');
  check(
    'on the phone',
    ['Your order waits at counter 4'],
    shown.map(({ text }) => text),
  );

  const later = { ...aText('15550100002', 'See you at ten'), sendAt: '2099-01-01T00:00:00Z' };
  const planned = await api.sendMessage({ key: 'later', body: later });
  const cancelled = await api.cancelMessage({ id: planned.id, waitMs: PATIENCE_MS });
  check('a message that was cancelled', 'cancelled', cancelled.state);
  check('on its phone', [], await simulator.delivered('15550100002@c.us'));
}

/** @param {Stage} stage */
async function templates({ api, simulator, check, until }) {
  const template = parse(await readFile(join(ROOT, 'examples/template.yaml'), 'utf8'));
  await api.submitTemplate({ key: 'template', body: { instance: 'main', template } });
  const of = { instance: 'main', elementName: template.elementName };
  await until('the template is submitted', async () => (await api.getTemplate(of)).status !== undefined);
  await simulator.decideTemplate(template.elementName, { status: 'APPROVED' });
  await until('the template is approved', async () => (await api.getTemplate(of)).status === 'APPROVED');
  check('a template', 'APPROVED', (await api.getTemplate(of)).status);
}

/** @param {Stage} stage */
async function campaign({ stack, api, simulator, check, until, say }) {
  const id = 'spring';
  const numbers = Array.from({ length: RECIPIENTS }, (_, at) => `1555020${String(at).padStart(4, '0')}`);
  await api.defineCampaign({ id, body: { instance: 'main', content: { kind: 'text', text: 'Hello {{name}}' } } });
  const csv = ['phone,name', ...numbers.map((number) => `${number},N${number}`)].join('\n');
  await api.importRecipients({ id, file: { type: 'text/csv', body: csv } });
  await api.startCampaign({ id, body: {} });
  const done = async () => (await api.getCampaign({ id })).counts;
  for (const [at, name] of ['worker', 'temporal', 'postgres', 'worker'].entries()) {
    const share = ((at + 1) * RECIPIENTS) / 6;
    await until(
      `${share} recipients are served`,
      async () => RECIPIENTS - (await done()).pending >= share,
      CAMPAIGN_PATIENCE_MS,
    );
    await stack.kill(name);
  }
  await until(
    'the campaign ends',
    async () => !['running', 'cancelling'].includes((await api.getCampaign({ id })).state),
    CAMPAIGN_PATIENCE_MS,
  );
  await until(
    'all receipts are there',
    async () => {
      const { sent, accepted, unknown } = await done();
      return sent + accepted + unknown === 0;
    },
    CAMPAIGN_PATIENCE_MS,
  );
  const { state, counts } = await api.getCampaign({ id });
  say(`the campaign is ${state}: ${JSON.stringify(counts)}`);
  const times = await Promise.all(numbers.map(async (number) => (await simulator.delivered(`${number}@c.us`)).length));
  check('recipients without a message', counts.unresolved, times.filter((count) => count === 0).length);
  check('recipients with two messages', 0, times.filter((count) => count > 1).length);
}

/** @param {Stage} stage */
async function schedule({ api, simulator, check, until }) {
  const id = 'weekly';
  const message = aText('15550300001', 'It is Monday');
  await api.createSchedule({
    key: 'schedule',
    body: { id, cron: ['0 9 * * 1'], timezone: 'Europe/Lisbon', message },
  });
  await api.triggerSchedule({ id, key: 'now' });
  await until('the scheduled message arrives', async () => (await simulator.delivered('15550300001@c.us')).length > 0);
  check('a schedule', 1, (await simulator.delivered('15550300001@c.us')).length);
  await api.deleteSchedule({ id });
}

/** By our search attributes; the server needs some seconds. @param {Stage} stage */
async function lists({ stack, check, until }) {
  const count = async (/** @type {string} */ query) => {
    const args = ['temporal', 'workflow', 'count', '--query', query, '--output', 'json'];
    const { stdout } = await stack.exec('temporal-namespace', args);
    return Number(JSON.parse(stdout).count ?? 0);
  };
  await until('Temporal lists the campaign', async () => (await count(`EverpostCampaign = 'spring'`)) > 0);
  check('runs of the campaign', true, (await count(`EverpostCampaign = 'spring'`)) > 0);
  check('runs of the instance', true, (await count(`EverpostInstance = 'main'`)) > 0);
}
