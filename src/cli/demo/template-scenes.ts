import type { Scene, Stage } from './scene.js';

const PATIENCE_MS = 20_000;

/** Templates and the messages that wait for their reviews. */
export const TEMPLATE_SCENES: readonly Scene[] = [
  {
    title: 'A template is reviewed, and the message that names it leaves once it is approved',
    async play(stage) {
      const { simulator, tell } = stage;
      await submit(stage, 'order_ready', 'Your order {{1}} is ready.', 'Your order 17 is ready.');
      const sent = await send(stage, '15550000007', 'order_ready');
      await simulator.reviewTemplate('order_ready', 'APPROVED');
      tell('approved');
      const message = await stage.api.message(sent, { state: 'delivered', timeoutMs: PATIENCE_MS });
      const shown = await simulator.phone('15550000007@c.us');
      return {
        expected: 'delivered: "Your order 42 is ready."',
        saw: `${message.state}: ${shown.map(({ text }) => `"${text}"`).join(', ')}`,
      };
    },
  },
  {
    title: 'A template is rejected, and the message that names it ends with the reason',
    async play(stage) {
      const { api, simulator, tell } = stage;
      await submit(stage, 'buy_now', 'Buy {{1}} now!', 'Buy tea now!');
      const sent = await send(stage, '15550000008', 'buy_now');
      await simulator.reviewTemplate('buy_now', 'REJECTED', 'too pushy');
      tell('rejected');
      const { state, reason, reasonText } = await api.message(sent, { state: 'delivered', timeoutMs: PATIENCE_MS });
      const shown = await simulator.phone('15550000008@c.us');
      return {
        expected: 'rejected, template_rejected: too pushy; on the phone: nothing',
        saw: `${state}, ${reason}: ${reasonText}; on the phone: ${shown.length === 0 ? 'nothing' : shown.length}`,
      };
    },
  },
];

async function submit({ api, tell }: Stage, elementName: string, content: string, example: string): Promise<void> {
  await api.submitTemplate('main', {
    elementName,
    languageCode: 'en',
    category: 'UTILITY',
    templateType: 'TEXT',
    vertical: 'Notices',
    content,
    example,
  });
  tell(`template submitted: "${content}"`);
  const { status = 'not submitted' } = await api.template('main', elementName, {
    state: 'submitted',
    timeoutMs: PATIENCE_MS,
  });
  tell(status);
}

async function send({ api, tell }: Stage, to: string, elementName: string): Promise<string> {
  const content = { kind: 'template', elementName, params: ['42'] };
  const { id, state } = await api.send({ instance: 'main', to, content });
  tell(`message ${state}, waiting for the review`);
  return id;
}
