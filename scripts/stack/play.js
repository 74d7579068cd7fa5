// An operator's first day, with kills, and the account of every message.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { account } from './account.js';
import { campaignUnderKills } from './kills.js';
import { commandsOf } from './operate-page.js';
import { aText, chatOf, openStage } from './stage.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @typedef {import('./stage.js').Stage} Stage */

/**
 * @param {import('./stack.js').Stack} stack
 * @param {(line: string) => void} say
 * @returns {Promise<readonly string[]>} what is not as it has to be
 */
export async function play(stack, say) {
  const stage = await openStage(stack, say);
  await firstDay(stage);
  await messages(stage);
  await template(stage);
  await schedule(stage);
  await outages(stage);
  await campaignUnderKills(stage);
  await doctor(stage, 'the kills are over', 0, /./);
  await lists(stage);
  await account(stage);
  return stage.failures;
}

/** The commands of the page, as printed. @param {Stage} stage */
async function firstDay({ stack, check, say }) {
  for (const { service, args } of commandsOf(await readFile(join(ROOT, 'docs/operate.md'), 'utf8'))) {
    say(`docker compose exec ${service} ${args.join(' ')}`);
    const { code, output } = await stack.exec(service, args);
    if (code !== 0) say(output);
    check(args.slice(2).join(' '), 0, code);
  }
}

/** @param {Stage} stage */
async function messages({ api, phones, check, requested }) {
  const { id } = await api.sendMessage({ key: 'first', body: aText('15550100001', 'Your order is ready') });
  requested.push({ id, chatId: chatOf('15550100001') });
  const again = await api.sendMessage({ key: 'first', body: aText('15550100001', 'Your order is ready') });
  check('a key that is repeated', id, again.id);
  const message = await api.waitForMessage(id, 'delivered');
  check('a message has arrived', true, 'deliveredAt' in message);
  const edit = await api.editMessage({ id, body: { text: 'Your order waits at counter 4' }, waitMs: 60_000 });
  check('its edit', 'edited', edit.state);
  const shown = await phones.delivered(chatOf('15550100001'));
  check(
    'the phone shows',
    ['Your order waits at counter 4'],
    shown.map(({ text }) => text),
  );

  const later = {
    ...aText('15550100002', 'See you at ten'),
    sendAt: '2099-01-01T00:00:00Z',
    expiresAt: '2099-01-02T00:00:00Z',
  };
  const planned = await api.sendMessage({ key: 'later', body: later });
  requested.push({ id: planned.id, chatId: chatOf('15550100002'), isCancelled: true });
  check('a cancel', 'cancelled', (await api.cancelMessage({ id: planned.id })).state);
}

/** @param {Stage} stage */
async function template({ api, phones, check, until, requested }) {
  const definition = parse(await readFile(join(ROOT, 'examples/template.yaml'), 'utf8'));
  const { elementName } = definition;
  await api.submitTemplate({ body: { instance: 'main', template: definition } });
  const content = { kind: /** @type {const} */ ('template'), elementName, params: ['17', 'counter 4'] };
  const { id } = await api.sendMessage({ key: 'template', body: { instance: 'main', to: '15550100003', content } });
  requested.push({ id, chatId: chatOf('15550100003') });
  const read = () => api.getTemplate({ instance: 'main', elementName });
  await until('the template is submitted', read, ({ submittedAt }) => submittedAt !== undefined);
  await phones.decideTemplate(elementName, { status: 'APPROVED' });
  const { status } = await until('the template is approved', read, (now) => now.status === 'APPROVED');
  check('a template', 'APPROVED', status);
  check('its message has arrived', true, 'deliveredAt' in (await api.waitForMessage(id, 'delivered')));
}

/** @param {Stage} stage */
async function schedule({ api, check, until, requested }) {
  const id = 'weekly';
  const message = aText('15550100004', 'It is Monday');
  await api.createSchedule({ body: { id, cron: ['0 9 * * 1'], timezone: 'Europe/Lisbon', message } });
  for (const _ of [1, 2]) await api.triggerSchedule({ id, key: 'now' });
  const { runs } = await until(
    'the run has its message',
    () => api.getSchedule({ id }),
    (now) => now.runs[0]?.messageId !== undefined,
  );
  check('runs of a trigger that is repeated', 1, runs.length);
  requested.push({ id: runs[0]?.messageId ?? '', chatId: chatOf('15550100004') });
}

/** What the doctor says before, while and after each of them is stopped. @param {Stage} stage */
async function outages(stage) {
  const { stack } = stage;
  await doctor(stage, 'everything runs', 0, /./);
  for (const [service, finding] of /** @type {const} */ ([
    ['worker', /no worker polls/],
    ['temporal', /no server responds/],
    ['postgres', /PostgreSQL cannot be used/],
  ])) {
    await stack.stopService(service);
    await doctor(stage, `${service} is stopped`, 1, finding);
    await stack.startService(service);
    await doctor(stage, `${service} is back`, 0, /./);
  }
}

/**
 * A worker that is away is noticed by its polls, after 90 seconds.
 * @param {Stage} stage
 * @param {string} when
 * @param {number} code
 * @param {RegExp} finding
 */
async function doctor({ stack, check, until, say }, when, code, finding) {
  const ask = () => stack.exec('api', ['node', 'bin/everpost.js', 'doctor']);
  const said = await until(`doctor: ${when}`, ask, (now) => now.code === code && finding.test(now.output));
  check(`doctor when ${when}`, code, said.code);
  if (code !== 0) say(`      ${said.output.split('\n').find((line) => finding.test(line))}`);
}

/** By our search attributes; a change takes seconds to reach the lists. @param {Stage} stage */
async function lists({ stack, check, until }) {
  /** @param {string} query */
  const count = async (query) => {
    const args = ['temporal', 'workflow', 'count', '--query', query, '--output', 'json'];
    const { code, output } = await stack.exec('temporal-namespace', args);
    if (code !== 0) throw new Error(output);
    return Number(JSON.parse(output).count ?? 0);
  };
  for (const [query, expected] of /** @type {const} */ ([
    [`EverpostInstance = 'main' AND WorkflowType = 'instance'`, 1],
    [`EverpostCampaign = 'spring'`, 1],
    [`EverpostKind = 'template' AND EverpostState = 'APPROVED'`, 1],
    [`EverpostState = 'cancelled'`, 1],
  ])) {
    check(
      `runs with ${query}`,
      expected,
      await until(
        query,
        () => count(query),
        (found) => found >= expected,
      ),
    );
  }
}
