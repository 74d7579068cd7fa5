import { Readable } from 'node:stream';
import { CAMPAIGN_END_STATES } from '../../contract/index.js';
import { waitForMessage, waitForTemplate } from '../../client/index.js';
import { untilCampaign, type Scene, type Stage } from './scene.js';

const PATIENCE_MS = 20_000;
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
      const { simulator, tell } = stage;
      await submit(
        stage,
        'table_ready',
        'Welcome back, {{1}}! Your table is ready.',
        'Welcome back, Ada! Your table is ready.',
      );
      await startGuests(stage);
      await untilCampaign(stage, 'guests', ({ waiting }) => waiting?.code === 'TEMPLATE_NOT_APPROVED');
      const early = await shownTo(stage, GUESTS);
      await simulator.decideTemplate('table_ready', { status: 'APPROVED' });
      tell('approved');
      const ended = await untilCampaign(stage, 'guests', ({ state }) => CAMPAIGN_END_STATES.includes(state));
      const greetings = GUESTS.map(({ name }) => `Welcome back, ${name}! Your table is ready.`);
      return {
        expected: `no recipient before the review's decision; completed: ${greetings.join(' ')}`,
        saw: `${early.length === 0 ? 'no recipient' : early.length} before the review's decision; ${ended.state}: ${(await shownTo(stage, GUESTS)).join(' ')}`,
      };
    },
  },
  {
    title: 'A template is rejected, and the message that names it ends with the reason',
    async play(stage) {
      const { api, simulator, tell } = stage;
      await submit(stage, 'buy_now', 'Buy {{1}} now!', 'Buy tea now!');
      const sent = await send(stage, '15550000008', 'buy_now');
      await simulator.decideTemplate('buy_now', { status: 'REJECTED', reason: 'too pushy' });
      tell('rejected');
      const { state, reason, reasonText } = await waitForMessage(api, sent, 'delivered', PATIENCE_MS);
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

async function startGuests({ api, tell }: Stage): Promise<void> {
  const content = { kind: 'template', elementName: 'table_ready', params: ['{{name}}'] };
  await api.defineCampaign({ id: 'guests', body: { instance: 'main', content } });
  const lines = ['phone,name', ...GUESTS.map(({ phone, name }) => `${phone},${name}`)];
  await api.importRecipients({ id: 'guests', file: { type: 'text/csv', body: Readable.from([lines.join('\n')]) } });
  await api.startCampaign({ id: 'guests' });
  tell(`campaign of ${GUESTS.length} started`);
}

async function shownTo({ simulator }: Stage, recipients: typeof GUESTS): Promise<string[]> {
  const shown = await Promise.all(recipients.map(({ phone }) => simulator.delivered(`${phone}@c.us`)));
  return shown.flat().map(({ text }) => text ?? '');
}

async function send({ api, tell }: Stage, to: string, elementName: string): Promise<string> {
  const content = { kind: 'template', elementName, params: ['42'] };
  const { id, state } = await api.sendMessage({ body: { instance: 'main', to, content } });
  tell(`message ${state}, waiting for the review`);
  return id;
}
