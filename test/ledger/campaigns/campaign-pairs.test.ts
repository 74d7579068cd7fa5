/** Each command in each state, in the ledger without Temporal, against the table of the domain (CAMPLIFE-1). */
import { describe, expect, it } from 'vitest';
import { CAMPAIGN_END_STATES, CAMPAIGN_STATES, type CampaignState, RETRY_SCOPES } from '../../../src/contract/index.js';
import { CAMPAIGN_LIFE, type CampaignCommand, campaignEntry } from '../../../src/domain/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { chatOf } from '../../support/campaign.js';
import { CampaignCast, DAY } from './campaign-life-cast.js';
import { MINUTE, NOW, SECOND } from '../cast.js';

const ledger = useLedger();

const LATER = NOW + MINUTE;
const LOST = { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' } as const;
const REFUSED = { kind: 'rejected', code: 'GATEWAY_REJECTED', httpStatus: 400 } as const;
const iso = (ms: number): string => new Date(ms).toISOString();

const definition = { autoPause: { failureRate: 0.1, sampleSize: 9, minSamples: 1 } } as const;
const content = { kind: 'text', text: 'Hello {{name}}' } as const;

type Posted = Awaited<ReturnType<CampaignCast['dispatched']>>;

/** A campaign, and its messages whose receipts are missing. */
interface Scene {
  readonly campaign: CampaignCast;
  readonly awaited: Posted;
}

/** One recipient was refused, the other one was sent to. */
async function posted(): Promise<Scene> {
  const campaign = await new CampaignCast(ledger).running(2, definition);
  await campaign.dispatchedOne(REFUSED);
  return { campaign, awaited: await campaign.dispatched(1) };
}

async function ended({ campaign, awaited }: Scene): Promise<Scene> {
  await campaign.receive(awaited, 'delivered');
  await campaign.endIfDone(LATER);
  return { campaign, awaited: [] };
}

const alone = (campaign: CampaignCast): Scene => ({ campaign, awaited: [] });

/** A campaign in each state. */
const SCENES: Readonly<Record<CampaignState, () => Promise<Scene>>> = {
  draft: async () => alone(await (await new CampaignCast(ledger).draft(definition)).imported(2)),
  scheduled: async () => alone(await new CampaignCast(ledger).running(2, { ...definition, startAt: iso(LATER) })),
  running: posted,
  async paused() {
    const scene = await posted();
    await ledger.campaigns.pause(scene.campaign.id, NOW);
    return scene;
  },
  async cancelling() {
    const scene = await posted();
    await ledger.campaigns.cancel(scene.campaign.id, 'request', NOW);
    return scene;
  },
  async completed() {
    const campaign = await (await new CampaignCast(ledger).draft(definition)).imported(2);
    const { instance } = campaign;
    await ledger.suppressions.add({ chatId: chatOf(0), instance, scope: 'all', nowMs: NOW });
    await campaign.start();
    return ended({ campaign, awaited: await campaign.dispatched(2) });
  },
  completed_with_failures: async () => ended(await posted()),
  cancelled: async () => ended(await SCENES.cancelling()),
  async expired() {
    const campaign = await new CampaignCast(ledger).running(2, { ...definition, deadline: iso(NOW + SECOND) });
    return ended({ campaign, awaited: await campaign.dispatched(1) });
  },
};

const amend = (stop: boolean, { campaign: { id } }: Scene) =>
  ledger.amendments.begin(id, { text: 'Dear {{name}}', stop }, { nowMs: LATER, spacingMs: () => SECOND });

const PLAYED: Readonly<Record<CampaignCommand, (scene: Scene) => Promise<unknown>>> = {
  define: ({ campaign: { id, instance } }) =>
    ledger.audiences.define({
      id,
      requestHash: 'other',
      definition: { instance, content, name: 'Other' },
      nowMs: LATER,
    }),
  delete: ({ campaign: { id } }) => ledger.audiences.removePlan(id),
  start: ({ campaign }) => campaign.start(LATER),
  pause: ({ campaign: { id } }) => ledger.campaigns.pause(id, LATER),
  resume: ({ campaign: { id } }) => ledger.campaigns.resume(id, LATER),
  cancel: ({ campaign: { id } }) => ledger.campaigns.cancel(id, 'request', LATER),
  update: ({ campaign: { id } }) => ledger.campaigns.update(id, { highWater: 3 }, LATER),
  reschedule: ({ campaign: { id } }) => ledger.campaigns.update(id, { startAt: iso(NOW + DAY) }, LATER),
  retry: ({ campaign: { id } }) =>
    ledger.campaigns.retry(id, { scopes: RETRY_SCOPES, deadline: iso(NOW + 9 * DAY) }, LATER + 1),
  amend: (scene) => amend(false, scene),
  amendAndStop: (scene) => amend(true, scene),
  startTimeCame: ({ campaign: { id } }) => ledger.campaigns.beginScheduled(id, LATER),
  tooManyFailures: ({ campaign: { id } }) => ledger.campaigns.pauseIfFailing(id, LATER),
  async lastEnded({ campaign, awaited }) {
    await campaign.receive(awaited, 'delivered');
    await campaign.endIfDone(LATER);
  },
  pendingAgain: ({ campaign }) => campaign.endIfDone(LATER),
};

/** The states that may follow. */
function following(command: CampaignCommand, state: CampaignState): readonly (CampaignState | undefined)[] {
  const entry = campaignEntry(command, state);
  const { to } = typeof entry === 'object' && !('refused' in entry) ? entry : {};
  if (to === 'ends') return CAMPAIGN_END_STATES;
  if (to === 'begins') return ['running'];
  return [to === 'removed' ? undefined : (to ?? state)];
}

const COMMANDS = Object.keys(CAMPAIGN_LIFE) as CampaignCommand[];
/** A paused campaign can be rescheduled only before it has begun; the others have scenes of their own. */
const ELSEWHERE = new Set(['reschedule paused', 'delete draft', 'delete cancelled']);

const isElsewhere = (command: CampaignCommand, state: CampaignState): boolean =>
  ELSEWHERE.has(`${command} ${state}`) || (command === 'pendingAgain' && moves(command, state));

const moves = (command: CampaignCommand, state: CampaignState): boolean => following(command, state)[0] !== state;

const moving = CAMPAIGN_STATES.flatMap((state) =>
  COMMANDS.filter((command) => moves(command, state) && !isElsewhere(command, state)).map(
    (command) => [command, state] as const,
  ),
);

describe('a command on a campaign', () => {
  it.each(moving)('CAMPLIFE-1 moves it as the table says: %s while it is %s', async (command, state) => {
    const scene = await SCENES[state]();
    const { id } = scene.campaign;
    expect(await ledger.campaigns.state(id)).toBe(state);
    await PLAYED[command](scene);
    expect(following(command, state)).toContain(await ledger.campaigns.state(id));
  });

  it.each(CAMPAIGN_STATES)(
    'CAMPLIFE-1 stays %s by every other command, or refuses it as the table says',
    async (state) => {
      const scene = await SCENES[state]();
      const { id } = scene.campaign;
      for (const command of COMMANDS.filter((one) => !moves(one, state) && !isElsewhere(one, state))) {
        const entry = campaignEntry(command, state);
        const code = await PLAYED[command](scene).then(
          () => undefined,
          (error: { readonly code: string }) => error.code,
        );
        const refused = typeof entry === 'object' && 'refused' in entry ? entry.refused : undefined;
        expect([command, code, await ledger.campaigns.state(id)]).toEqual([command, refused, state]);
      }
    },
  );

  it.each(['draft', 'cancelled'] as const)(
    'CAMPLIFE-1 deletes a campaign that is only for a plan while it is %s',
    async (state) => {
      const { id, instance } = new CampaignCast(ledger);
      const plan = { id, requestHash: 'h', definition: { instance, content }, nowMs: NOW, planUntilMs: NOW + DAY };
      await ledger.audiences.define(plan);
      if (state === 'cancelled') await ledger.campaigns.cancel(id, 'request', NOW);
      await ledger.audiences.removePlan(id);
      expect(await ledger.campaigns.state(id)).toBeUndefined();
    },
  );

  it('CAMPLIFE-1 runs again after its end when a recipient is pending again, but not after a cancel', async () => {
    const states = [];
    for (const isCancelled of [false, true]) {
      const campaign = await new CampaignCast(ledger).running(1);
      const { messageId } = await campaign.dispatchedOne(LOST);
      await campaign.markUnresolved(messageId);
      if (isCancelled) await ledger.campaigns.cancel(campaign.id, 'request', NOW);
      const end = await campaign.endIfDone(NOW + 8 * DAY);
      if (!isCancelled) await ledger.campaigns.update(campaign.id, { deadline: iso(NOW + 9 * DAY) }, NOW + 8 * DAY);
      const resolution = { outcome: 'not_accepted', witness: 'operator' } as const;
      await ledger.reconciling.resolve(messageId, resolution, NOW + 8 * DAY);
      states.push([end.state, await ledger.campaigns.state(campaign.id)]);
    }
    expect(states).toEqual([
      ['completed_with_failures', 'running'],
      ['cancelled', 'cancelled'],
    ]);
  });
});
