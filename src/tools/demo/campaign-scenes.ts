/** The scenes of campaigns, and of messages that wait for the review of their template. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { AppError, CAMPAIGN_END_STATES, RECIPIENT_VERDICTS } from '../../contract/index.js';
import type { CampaignView } from '../../ledger/index.js';
import { readDefinitionFile, waitForMessage, waitForTemplate, type DefinitionFile } from '../../client/index.js';
import { CAMPAIGN_PATIENCE_MS, PATIENCE_MS, totals, untilCampaign, type Scene, type Stage } from './scene.js';

const FILE = fileURLToPath(new URL('../../../examples/campaign.yaml', import.meta.url));
/** One of the example's recipients; in the simulator it has no account. */
const WITHOUT_ACCOUNT = '15550002099@c.us';
const URGENT_PHONE = '15550000006';

/**
 * The campaign of `examples/` with recipients of every verdict, and an urgent message that must not wait for all of
 * them.
 */
export const CAMPAIGN_SCENE: Scene = {
  title: 'A campaign, and an urgent message while it runs',
  async play(stage) {
    const { api, simulator, tell } = stage;
    const file = await readDefinitionFile(FILE, '.');
    const { id, definition } = file;
    await simulator.setAccounts({ noAccount: [WITHOUT_ACCOUNT] });
    await api.defineCampaign({ id, body: definition });
    const body = createReadStream(file.recipients.file ?? '');
    const { lines, verdicts } = await api.importRecipients({ id, file: { type: 'text/csv', body } });
    const imported = RECIPIENT_VERDICTS.filter((verdict) => verdicts[verdict] > 0);
    tell(`${lines} lines: ${imported.map((verdict) => `${verdicts[verdict]} ${verdict}`).join(', ')}`);
    const early = await startWithoutFallbacks(stage, file);
    await api.defineCampaign({ id, body: definition });
    const { forecast } = await api.planCampaign({ id });
    const { audience } = await api.startCampaign({ id, body: {} });
    tell('started');
    const running = await untilCampaign(stage, id, ({ counts }) => counts.pending < audience / 2);
    const urgent = await sendUrgent(stage, running, forecast.releaseIntervalMs);
    // The campaign ends when every message is sent. The last delivery receipts come shortly after.
    const ended = await untilCampaign(
      stage,
      id,
      ({ state, counts }) => CAMPAIGN_END_STATES.includes(state) && counts.sent === 0,
    );
    const reached = audience - 1;
    // Every recipient of the report is compared with the phones.
    const { items } = await api.listRecipients({ id });
    const shown = (await simulator.delivered()).map(({ chatId }) => chatId);
    const times = items.map(({ chatId }) => shown.filter((one) => one === chatId).length).filter((count) => count > 0);
    const once = times.every((count) => count === 1) ? 'once' : 'more than once';
    return {
      expected: `start ${REFUSED}, urgent message in time, completed_with_failures: ${reached} delivered + 1 no_account = ${audience}, once on each of ${reached} phones`,
      saw: `start ${early}, urgent message ${urgent}, ${ended.state}: ${totals(ended)}, ${once} on each of ${times.length} phones`,
    };
  },
};

const REFUSED = 'refused while values are missing';

/** Removes the fallback from the text, so that a recipient lacks a value. */
async function startWithoutFallbacks({ api, tell }: Stage, { id, definition }: DefinitionFile): Promise<string> {
  const content = JSON.stringify(definition['content']).replaceAll(/\{\{(\w+)\|[^}]*\}\}/g, '{{$1}}');
  await api.defineCampaign({ id, body: { ...definition, content: JSON.parse(content) as unknown } });
  const { missing } = await api.planCampaign({ id });
  tell(
    `without fallbacks ${missing.map(({ variable, recipients }) => `${recipients} lack {{${variable}}}`).join(', ')}`,
  );
  try {
    return (await api.startCampaign({ id, body: {} })).state;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CAMPAIGN_INCOMPLETE') throw error;
    tell(`start refused: ${error.code}`);
    return REFUSED;
  }
}

/** Sends the urgent message, and compares its wait in the gateway's queue with the limit: a full high water mark. */
async function sendUrgent(
  { api, simulator, tell }: Stage,
  { highWater, counts }: CampaignView,
  releaseIntervalMs: number,
): Promise<string> {
  const content = { kind: 'text', text: 'Your code is 3141.' };
  const { id } = await api.sendMessage({ body: { instance: 'main', to: URGENT_PHONE, content, priority: 'urgent' } });
  const { acceptedAt = '' } = await waitForMessage(api, id, 'delivered', CAMPAIGN_PATIENCE_MS);
  const [shown] = await simulator.delivered(`${URGENT_PHONE}@c.us`);
  const waitedMs = Date.parse(shown?.at ?? '') - Date.parse(acceptedAt);
  // The queue before it may hold the high water mark, and POSTs that were in flight during the reading.
  const { window = 1 } = (await api.getInstance({ name: 'main' })).dispatcher;
  const releases = highWater + window + 2;
  const boundMs = releases * releaseIntervalMs;
  tell(
    `urgent message with ${counts.pending} recipients pending: waited ${seconds(waitedMs)}, limit ${releases} × ${seconds(releaseIntervalMs)} = ${seconds(boundMs)}`,
  );
  return waitedMs <= boundMs ? 'in time' : `after ${seconds(waitedMs)} instead of ${seconds(boundMs)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

const GUESTS = [
  { phone: '15550000011', name: 'Ada' },
  { phone: '15550000012', name: 'Ben' },
  { phone: '15550000013', name: 'Chloe' },
];

/** Templates, and messages that wait for the review. */
export const TEMPLATE_SCENES: readonly Scene[] = [
  {
    title: 'A campaign waits for the review of its template, and starts when it is approved',
    async play(stage) {
      const { api, simulator, tell } = stage;
      await submit(
        stage,
        'table_ready',
        'Welcome back, {{1}}! Your table is ready.',
        'Welcome back, Ada! Your table is ready.',
      );
      const content = { kind: 'template', elementName: 'table_ready', params: ['{{name}}'] };
      await api.defineCampaign({ id: 'guests', body: { instance: 'main', content } });
      const lines = ['phone,name', ...GUESTS.map(({ phone, name }) => `${phone},${name}`)];
      await api.importRecipients({ id: 'guests', file: { type: 'text/csv', body: Readable.from([lines.join('\n')]) } });
      await api.startCampaign({ id: 'guests', body: {} });
      tell(`campaign of ${GUESTS.length} started`);
      await untilCampaign(stage, 'guests', ({ waiting }) => waiting?.code === 'TEMPLATE_NOT_APPROVED');
      const early = await shownToGuests(stage);
      await simulator.decideTemplate('table_ready', { status: 'APPROVED' });
      tell('approved');
      const ended = await untilCampaign(stage, 'guests', ({ state }) => CAMPAIGN_END_STATES.includes(state));
      const greetings = GUESTS.map(({ name }) => `Welcome back, ${name}! Your table is ready.`);
      return {
        expected: `no recipient before the review's decision; completed: ${greetings.join(' ')}`,
        saw: `${early.length === 0 ? 'no recipient' : early.length} before the review's decision; ${ended.state}: ${(await shownToGuests(stage)).join(' ')}`,
      };
    },
  },
  {
    title: 'A template is rejected, and the message that names it ends with the reason',
    async play(stage) {
      const { api, simulator, tell } = stage;
      await submit(stage, 'buy_now', 'Buy {{1}} now!', 'Buy tea now!');
      const content = { kind: 'template', elementName: 'buy_now', params: ['42'] };
      const sent = await api.sendMessage({ body: { instance: 'main', to: '15550000008', content } });
      tell(`message ${sent.state}, waiting for the review`);
      await simulator.decideTemplate('buy_now', { status: 'REJECTED', reason: 'too pushy' });
      tell('rejected');
      const { state, reason, reasonText } = await waitForMessage(api, sent.id, 'delivered', PATIENCE_MS);
      const shown = await simulator.delivered('15550000008@c.us');
      return {
        expected: 'rejected, template_rejected: too pushy; on the phone: nothing',
        saw: `${state}, ${reason}: ${reasonText}; on the phone: ${shown.length === 0 ? 'nothing' : shown.length}`,
      };
    },
  },
];

async function submit({ api, tell }: Stage, elementName: string, content: string, example: string): Promise<void> {
  const template = {
    elementName,
    languageCode: 'en',
    category: 'UTILITY',
    templateType: 'TEXT',
    vertical: 'Notices',
    content,
    example,
  };
  await api.submitTemplate({ body: { instance: 'main', template } });
  tell(`template submitted: "${content}"`);
  const { status = 'not submitted' } = await waitForTemplate(
    api,
    { instance: 'main', elementName },
    'submitted',
    PATIENCE_MS,
  );
  tell(status);
}

async function shownToGuests({ simulator }: Stage): Promise<string[]> {
  const shown = await Promise.all(GUESTS.map(({ phone }) => simulator.delivered(`${phone}@c.us`)));
  return shown.flat().map(({ text }) => text ?? '');
}
