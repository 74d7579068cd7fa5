import { setTimeout as delay } from 'node:timers/promises';
import type { Milestone } from '../../contract/index.js';
import { type ApiResponse, waitForMessage, type MessageResponse } from '../../client/index.js';
import { CAMPAIGN_SCENE, TEMPLATE_SCENES } from './campaign-scenes.js';
import { PATIENCE_MS, type Scene, type Stage } from './scene.js';

/** How long the gateway is down: two attempts fail, the third one succeeds. */
const OUTAGE_MS = 2_500;
const WINDOW_MS = 15 * 60_000;

/** The main features, one scene each. The last scene moves the simulator's clock, which would affect the others. */
export const SCENES: readonly Scene[] = [
  {
    title: 'A text is sent and delivered',
    async play(stage) {
      const sent = await send(stage, '15550000001', 'Your order is ready.');
      const message = await waitFor(stage, sent, 'delivered');
      return {
        expected: 'delivered, on the phone once: "Your order is ready."',
        saw: `${message.state}, ${await onThePhone(stage, '15550000001')}`,
      };
    },
  },
  {
    title: 'Edited within 15 minutes of sending',
    async play(stage) {
      const sent = await send(stage, '15550000002', 'Table for two at 7.');
      await waitFor(stage, sent, 'delivered');
      const edit = await change(stage, sent, 'Table for two at 8.');
      return {
        expected: 'edited, on the phone once: "Table for two at 8."',
        saw: `${outcomeOf(edit)}, ${await onThePhone(stage, '15550000002')}`,
      };
    },
  },
  {
    title: 'Edited before it was posted',
    async play(stage) {
      await outage(stage);
      const sent = await send(stage, '15550000003', 'Meet me at platform 3.');
      await untilTried(stage, sent);
      const edit = await change(stage, sent, 'Meet me at platform 5.');
      await waitFor(stage, sent, 'delivered');
      const shown = await stage.simulator.delivered(chatOf('15550000003'));
      const edits = shown.some((message) => message.edits.length > 0) ? 'edited there' : 'never edited there';
      return {
        expected: 'edited before_send, on the phone once: "Meet me at platform 5.", never edited there',
        saw: `${outcomeOf(edit)}, ${await onThePhone(stage, '15550000003')}, ${edits}`,
      };
    },
  },
  {
    title: 'The gateway is down, and comes back',
    async play(stage) {
      await outage(stage);
      const sent = await send(stage, '15550000004', 'Your parcel arrives today.');
      await untilTried(stage, sent);
      const message = await waitFor(stage, sent, 'delivered');
      const { attempts } = await stage.api.getMessage({ id: sent.id });
      const accepted = attempts.filter(({ outcome }) => outcome === 'accepted').length;
      stage.tell(`${attempts.length - accepted} attempts refused, ${accepted} accepted`);
      return {
        expected: 'delivered, accepted once, on the phone once: "Your parcel arrives today."',
        saw: `${message.state}, accepted ${times(accepted)}, ${await onThePhone(stage, '15550000004')}`,
      };
    },
  },
  ...TEMPLATE_SCENES,
  CAMPAIGN_SCENE,
  {
    title: 'Edited when 15 minutes have passed',
    async play(stage) {
      const sent = await send(stage, '15550000005', 'The sale ends on Friday.');
      await waitFor(stage, sent, 'delivered');
      stage.tell("the gateway's clock advances by 15 minutes");
      await stage.simulator.advanceMs(WINDOW_MS + 1_000);
      // The worker does not know the new time yet. It posts the edit, and the gateway rejects it by a notification.
      const late = await change(stage, sent, 'The sale ends on Monday.');
      // The Date header of that response gives the new time, so the worker does not post the next edit.
      const later = await change(stage, sent, 'The sale ends on Tuesday.');
      return {
        expected: 'refused, then too_late, on the phone once: "The sale ends on Friday."',
        saw: `${outcomeOf(late)}, then ${outcomeOf(later)}, ${await onThePhone(stage, '15550000005')}`,
      };
    },
  },
];

type EditResponse = ApiResponse<'editMessage'>;

function chatOf(phone: string): string {
  return `${phone}@c.us`;
}

async function send({ api, tell }: Stage, to: string, text: string): Promise<MessageResponse> {
  const sent = await api.sendMessage({ body: { instance: 'main', to, content: { kind: 'text', text } } });
  tell(`sent: "${text}"`);
  tell(sent.state);
  return sent;
}

async function waitFor({ api, tell }: Stage, { id }: MessageResponse, state: Milestone): Promise<MessageResponse> {
  const message = await waitForMessage(api, id, state, PATIENCE_MS);
  tell(message.state);
  return message;
}

async function change({ api, tell }: Stage, { id }: MessageResponse, text: string): Promise<EditResponse> {
  tell(`edit: "${text}"`);
  const edit = await api.editMessage({ id, body: { text }, waitMs: PATIENCE_MS });
  tell(outcomeOf(edit));
  return edit;
}

async function outage({ simulator, tell }: Stage): Promise<void> {
  await simulator.outageMs(OUTAGE_MS);
  tell('the gateway refuses connections');
}

/** Waits until an attempt has failed and the message is pending again. */
async function untilTried({ api, stopping, tell }: Stage, { id }: MessageResponse): Promise<void> {
  for (;;) {
    const { state, attempts } = await api.getMessage({ id });
    if (state === 'pending' && attempts.some(({ outcome }) => outcome === 'not_accepted')) break;
    await delay(25, undefined, { signal: stopping });
  }
  tell('attempt failed, waiting');
}

function outcomeOf(edit: EditResponse): string {
  if (!('outcome' in edit)) return edit.state;
  return edit.via === 'before_send' ? `${edit.outcome} ${edit.via}` : edit.outcome;
}

async function onThePhone({ simulator }: Stage, phone: string): Promise<string> {
  const shown = await simulator.delivered(chatOf(phone));
  return `on the phone ${times(shown.length)}: ${shown.map(({ text }) => `"${text}"`).join(', ')}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
