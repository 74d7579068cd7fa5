/**
 * Nothing private enters Temporal, a log, an error or the metrics: the test plants numbers, names, texts and tokens and
 * searches for them.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { dispatchTaskQueue, temporalScheduleId, type ScheduleId } from '../../src/contract/index.js';
import { createEverpost } from '../../src/index.js';
import { defineSearchAttributeKey } from '@temporalio/common';
import { requestHash } from '../../src/starter/ids.js';
import { jobRuns, temporalSchedules } from '../../src/starter/index.js';
import { parseEncryptionKeys } from '../../src/contract/index.js';
import { everpost } from '../cli/fake-terminal.js';
import { eventually } from '../support/eventually.js';
import { PrivateScan } from '../support/private-scan.js';
import { test } from '../support/temporal/temporal.js';
import { aLiveApi, type LiveApi } from './live-api.js';

const PLANTED = {
  number: '15550104477',
  otherNumber: '15550104488',
  group: '120363043968066561',
  name: 'Quillamina',
  text: 'velvet otter',
  edit: 'copper heron',
  amendment: 'amber walrus',
  param: 'parameter-8841',
  story: 'story of a lynx',
  note: 'note on a badger',
  token: 'simulator-token',
  webhookToken: 'planted-webhook-token',
} as const;
const campaignAttribute = defineSearchAttributeKey('EverpostCampaign', 'KEYWORD');
const GROUP = `${PLANTED.group}@g.us`;
/** The chat id of the simulator's account. */
const OWN = '11101000001@c.us';

async function responding(live: LiveApi, method: string, path: string, body?: unknown, key: string = randomUUID()) {
  const response = await live.call(method, path, body, { 'Idempotency-Key': key, 'content-type': 'application/json' });
  expect(response, `${method} ${path} ${JSON.stringify(response.body)}`).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 300),
  });
  return response.body;
}

async function messagesOf(live: LiveApi, scan: PrivateScan): Promise<void> {
  const contents = [
    { kind: 'text', text: `Hello ${PLANTED.name}, ${PLANTED.text}` },
    { kind: 'contact', contact: { phoneContact: Number(PLANTED.otherNumber), firstName: PLANTED.name } },
    { kind: 'template', elementName: 'planted_template', params: [PLANTED.param] },
    { kind: 'poll', message: PLANTED.text, options: [{ optionName: PLANTED.name }, { optionName: PLANTED.param }] },
  ];
  for (const content of contents) {
    const { id } = await responding(live, 'POST', '/v1/messages', toPlanted(content));
    // With the text a reader could confirm a guessed number.
    const hash = requestHash({ instance: 'main', chatId: `${PLANTED.number}@c.us`, content });
    expect(await live.ledger.messages.isRequestOf(id, hash)).toBe(true);
    scan.plant(`hash of ${content.kind}`, hash);
    const sent = await responding(live, 'GET', `/v1/messages/${id}?wait=sent&timeoutMs=60000`);
    expect(sent.state).toMatch(/sent|delivered|read/);
    if (content.kind === 'text') {
      const edited = await responding(live, 'POST', `/v1/messages/${id}/edits?timeoutMs=60000`, { text: PLANTED.edit });
      expect(edited).toMatchObject({ outcome: 'edited' });
    }
  }
  const status = { instance: 'main', content: { kind: 'status', text: PLANTED.story } };
  await responding(live, 'POST', '/v1/messages', status);
}

/** The gateway repeats the request in its response. */
async function refusedMessages(live: LiveApi): Promise<void> {
  const echo = { message: `'${PLANTED.text}' for ${PLANTED.number}@c.us (+${PLANTED.number}) is refused` };
  for (const [status, state] of [
    [400, 'rejected'],
    [503, 'delivered'],
  ] as const) {
    const fault = { method: 'sendMessage', kind: 'status', status, body: echo, accepted: false, times: 1 };
    await live.control('POST', 'faults', fault);
    const message = toPlanted({ kind: 'text', text: `${PLANTED.text} ${status}` });
    const { id } = await responding(live, 'POST', '/v1/messages', message);
    await eventually(async () => expect(await responding(live, 'GET', `/v1/messages/${id}`)).toMatchObject({ state }));
  }
}

async function aTemplate(live: LiveApi): Promise<void> {
  const template = {
    elementName: 'planted_template',
    languageCode: 'en',
    category: 'UTILITY',
    templateType: 'TEXT',
    vertical: PLANTED.note,
    content: `${PLANTED.text} {{1}} for you`,
    example: `${PLANTED.text} [17] for you`,
  };
  await responding(live, 'POST', '/v1/templates', { instance: 'main', template });
  await eventually(() => live.control('POST', 'templates/planted_template/decision', { status: 'APPROVED' }));
}

async function aCampaign(live: LiveApi): Promise<void> {
  const id = `planted-${randomUUID().slice(0, 8)}`;
  const content = { kind: 'text', text: `{{name}}: ${PLANTED.text}` };
  await responding(live, 'POST', '/v1/campaigns', { id, instance: 'main', content });
  const imported = await fetch(`${live.url}/v1/campaigns/${id}/recipients`, {
    method: 'PUT',
    body: `phone,name\n+${PLANTED.number},${PLANTED.name}\n${PLANTED.otherNumber}9999999,${PLANTED.name}\n`,
    headers: { 'content-type': 'text/csv' },
  });
  expect(await imported.json()).toMatchObject({ verdicts: { accepted: 1 } });
  await responding(live, 'POST', `/v1/campaigns/${id}/start`, { acceptRejected: true });
  await eventually(async () => {
    expect(await responding(live, 'GET', `/v1/campaigns/${id}`)).toMatchObject({ state: 'completed' });
  });
  const amended = { text: `{{name}}: ${PLANTED.amendment}` };
  await responding(live, 'POST', `/v1/campaigns/${id}/amend`, amended);
  await eventually(() => expect(JSON.stringify(live.phoneOf(PLANTED.number))).toContain(PLANTED.amendment));
}

/** Without a note, which is Temporal's (docs/decisions/0036-schedules.md). */
async function aSchedule(live: LiveApi, id: ScheduleId): Promise<void> {
  writeFileSync(
    join(live.sourcesDir, 'list.csv'),
    `phone,name\n+${PLANTED.number},${PLANTED.name}\nbad ${PLANTED.otherNumber},x\n`,
  );
  const content = { kind: 'text', text: `Scheduled {{name}}: ${PLANTED.text}` };
  const schedule = {
    id,
    campaign: { instance: 'main', content, acceptRejected: true },
    recipients: { file: 'list.csv' },
    cron: ['0 0 1 1 *'],
  };
  await responding(live, 'POST', '/v1/schedules', schedule);
  await responding(live, 'POST', `/v1/schedules/${id}/trigger`);
  await eventually(async () => {
    expect((await responding(live, 'GET', `/v1/schedules/${id}`)).runs).toMatchObject([{ state: 'started' }]);
  });
}

async function operations(live: LiveApi): Promise<void> {
  const chatId = `${PLANTED.number}@c.us`;
  const run = (method: string, request: object) =>
    responding(live, 'POST', `/v1/operations/${method}?timeoutMs=60000`, { instance: 'main', request });
  await live.control('POST', 'instances/1101000001/groups', {
    groupId: GROUP,
    subject: PLANTED.name,
    participants: [
      { id: chatId, isAdmin: true, isSuperAdmin: false },
      { id: OWN, isAdmin: true, isSuperAdmin: true },
    ],
  });
  await run('readChat', { chatId });
  await run('lastOutgoingMessages', { minutes: 60 });
  await run('getGroupData', { groupId: GROUP });
  await run('sendTyping', { chatId });
  await run('getMessage', { chatId, idMessage: 'no-such-message' });
  await responding(live, 'POST', '/v1/suppressions', { to: PLANTED.otherNumber, note: PLANTED.note });
  const story = { textMessage: PLANTED.story, senderName: PLANTED.name, chatId };
  await live.control('POST', 'instances/1101000001/stories', story);
  for (const job of [{ kind: 'group', groupId: GROUP }, { kind: 'stories' }] as const) {
    const { id } = await responding(live, 'POST', '/v1/jobs', { instance: 'main', everyMinutes: 60, ...job });
    const due = { id, instance: 'main', everyMs: 1, createdAt: '', nextAt: '', ...job };
    await jobRuns(live).start(due);
    await eventually(async () => {
      const { items } = await responding(live, 'GET', '/v1/jobs');
      expect(items.find((one: { id: string }) => one.id === id)).toMatchObject({ lastAt: expect.any(String) });
    });
  }
  // Last: it restarts the account.
  await run('setSettings', { webhookUrlToken: PLANTED.webhookToken });
}

const toPlanted = (content: object, to: string = PLANTED.number) => ({ instance: 'main', to, content });

/** Requests that are refused, each with a private value. */
const REFUSED: readonly (readonly [string, string, unknown])[] = [
  ...[
    toPlanted({ kind: 'text', text: PLANTED.text }, `${PLANTED.number}-${PLANTED.name}`),
    toPlanted({ kind: 'text', text: PLANTED.text.repeat(2_000) }),
    toPlanted({ kind: 'poll', message: PLANTED.text, options: [{ optionName: PLANTED.name }] }),
    toPlanted({ kind: PLANTED.text, text: PLANTED.name }),
  ].map((message) => ['POST', '/v1/messages', message] as const),
  ['POST', '/v1/suppressions', { to: `${PLANTED.number}x`, note: PLANTED.note }],
  ['POST', '/v1/operations/readChat', { instance: 'main', request: { chatId: `${PLANTED.number}@x`, idMessage: 7 } }],
  ['POST', '/v1/operations/setSettings', { instance: 'main', request: { webhookUrlToken: [PLANTED.webhookToken] } }],
  ['POST', '/v1/messages/msg_0000000000000000/edits', { text: PLANTED.edit, more: PLANTED.text }],
];

/** Commands that fail, and commands that show the work of others or a failure. */
async function commands(live: LiveApi, scan: PrivateScan, temporalAddress: string): Promise<void> {
  const text = ['--text', PLANTED.text];
  const failing = [
    ['send', '--instance', 'main', '--to', `${PLANTED.number}x`, ...text],
    ['send', '--instance', 'main', '--to', PLANTED.number, '--text', PLANTED.text.repeat(2_000)],
    ['message', 'edit', 'msg_0000000000000000', ...text],
    ['suppression', 'add', `${PLANTED.number}x`, '--note', PLANTED.note],
    ['recipient', 'erase', `${PLANTED.number}x`, '--yes'],
  ];
  const env = { EVERPOST_API_URL: live.url, TEMPORAL_ADDRESS: temporalAddress };
  for (const args of failing) {
    const { exitCode, out, err } = await everpost(args, { env });
    expect(exitCode, args.join(' ')).toBeGreaterThan(0);
    scan.look(`everpost ${args[0]} ${args[1]}`, [...out, ...err]);
  }
  const { out, err } = await everpost(['doctor'], { env });
  expect(out.length).toBeGreaterThan(3);
  scan.look('doctor', [...out, ...err]);
  const audit = await responding(live, 'GET', '/v1/audit');
  expect(audit.items.length).toBeGreaterThan(10);
  scan.look('audit', audit);
}

/** The listing contains the memo and the search attributes; events of our own contain only ids. */
async function listings(live: LiveApi, scan: PrivateScan): Promise<void> {
  let schedules = 0;
  for await (const schedule of live.client.schedule.list()) {
    schedules += 1;
    scan.look(`listing of schedule ${schedule.scheduleId}`, schedule);
  }
  expect(schedules).toBeGreaterThan(0);
  for (const type of ['message.state_changed', 'edit.ended', 'campaign.state_changed', 'template.reviewed']) {
    // On a server the list ends before the oldest open transaction of any database.
    const items = await eventually(async () => {
      const listed = (await responding(live, 'GET', `/v1/events?type=${type}`)).items;
      expect(listed.length, type).toBeGreaterThan(0);
      return listed;
    });
    scan.look(`events ${type}`, items);
  }
}

/** METRICS-3: with counts from all requests above. */
async function readMetrics(live: LiveApi, scan: PrivateScan): Promise<void> {
  const text = await (await fetch(`${live.url}/metrics`)).text();
  for (const counted of [
    /everpost_gateway_requests_total\{.*operation="sendMessage",outcome="GATEWAY_REJECTED"\} [1-9]/,
    /everpost_api_requests_total\{.*route="\/v1\/campaigns\/\{id\}\/recipients".*\} [1-9]/,
    /everpost_notifications_received_total\{everpost_instance="main"\} [1-9]/,
    /everpost_messages_entered_total\{everpost_instance="main",state="rejected"\} [1-9]/,
  ]) {
    expect(text).toMatch(counted);
  }
  scan.look('metrics', text);
}

describe('Temporal, the log, errors and metrics', () => {
  test('contain no number, name, text or token of an HTTP request', async ({ temporal, taskQueue }) => {
    const scan = new PrivateScan(PLANTED);
    const live = await aLiveApi(temporal, taskQueue, { log: (entry) => scan.look('log', entry) });
    const scheduleId = `s-${randomUUID().slice(0, 8)}` as ScheduleId;
    const schedules = temporalSchedules({ client: live.client });
    try {
      await responding(live, 'POST', '/v1/event-endpoints', { instance: 'main', events: ['*'] });
      await aTemplate(live);
      await messagesOf(live, scan);
      await refusedMessages(live);
      await aCampaign(live);
      await aSchedule(live, scheduleId);
      await operations(live);
      for (const [method, path, body] of REFUSED) {
        const { status, body: problem } = await live.call(method, path, body);
        expect(status, `${method} ${path} ${JSON.stringify(body)}`).toBeGreaterThanOrEqual(400);
        scan.look(`response to ${method} ${path}`, problem);
      }
      await commands(live, scan, temporal.address);
      await listings(live, scan);
      await readMetrics(live, scan);
      scan.look('schedule', (await live.client.schedule.getHandle(temporalScheduleId(scheduleId)).describe()).raw);
      const taskQueues = [taskQueue, dispatchTaskQueue(taskQueue)];
      const seen = await scan.readTemporal({ client: live.client, taskQueues });
      expect(new Set(seen)).toEqual(
        new Set([
          'message',
          'instance',
          'campaign',
          'template',
          'scheduleRun',
          'amendCampaign',
          'runRecurringJob',
          'readChat',
          'lastOutgoingMessages',
          'getGroupData',
          'sendTyping',
          'getMessage',
          'setSettings',
        ]),
      );
      expect(scan.found).toEqual([]);
      expect(scan.read).toBeGreaterThan(50_000);
    } finally {
      await schedules.remove(scheduleId);
      await live.close();
    }
  });

  test('contain none of what another client starts, edits and is refused, with encryption keys', async ({
    temporal,
    taskQueue,
  }) => {
    const scan = new PrivateScan(PLANTED);
    const encryption = parseEncryptionKeys(`one:${Buffer.alloc(32, 1).toString('base64')}`);
    const live = await aLiveApi(temporal, taskQueue, { log: (entry) => scan.look('log', entry), encryption });
    try {
      const backend = createEverpost({ client: live.client, taskQueue });
      const content = { kind: 'text', text: `Hello ${PLANTED.name}, ${PLANTED.text}` } as const;
      const message = await backend.send({ instance: 'main', to: PLANTED.number, content, reference: PLANTED.note });
      await message.waitFor('sent');
      expect(await message.edit(PLANTED.edit)).toMatchObject({ outcome: 'edited' });
      expect(live.phoneOf(PLANTED.number)).toMatchObject([{ text: PLANTED.edit }]);
      const refused = await live.client.workflow.start('message', {
        taskQueue,
        workflowId: `order-${randomUUID()}`,
        args: [{ instance: 'main', to: `${PLANTED.number} ${PLANTED.name}`, content, [PLANTED.name]: 1 }],
        staticSummary: PLANTED.text,
        memo: { note: PLANTED.note },
      });
      await expect(refused.result()).rejects.toMatchObject({ cause: { type: 'INPUT_INVALID' } });
      expect(
        await scan.readTemporal({ client: live.client, taskQueues: [taskQueue, dispatchTaskQueue(taskQueue)] }),
      ).toHaveLength(3);
      expect(scan.found).toEqual([]);
      const { failure } = (await refused.fetchHistory()).events?.at(-1)?.workflowExecutionFailedEventAttributes ?? {};
      expect(failure?.message).toBe('Encoded failure');
    } finally {
      await live.close();
    }
  });

  test('are read whole: a word is found wherever another client may put it', async ({ temporal, taskQueue }) => {
    const words = {
      input: 'teal mongoose',
      memo: 'ochre lemur',
      summary: 'mauve gecko',
      details: 'beige tapir',
      attribute: 'puce-newt',
      failure: 'rust ibex',
    };
    const scan = new PrivateScan(words);
    const live = await aLiveApi(temporal, taskQueue);
    try {
      const handle = await live.client.workflow.start('message', {
        taskQueue,
        workflowId: `order-${randomUUID()}`,
        args: [{ instance: 'main', to: words.input, [words.failure]: 1 }],
        memo: { note: words.memo },
        staticSummary: words.summary,
        staticDetails: words.details,
        typedSearchAttributes: [{ key: campaignAttribute, value: words.attribute }],
      });
      await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'INPUT_INVALID' } });
      await scan.readTemporal({ client: live.client, taskQueues: [taskQueue] });
      expect(new Set(scan.found.map(({ what }) => what))).toEqual(new Set(Object.keys(words)));
    } finally {
      await live.close();
    }
  });
});
