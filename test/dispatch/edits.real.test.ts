/** Edits that the dispatcher posts and confirms: ledger, gateway client, receiver and simulator are real. */
import { describe, expect, it } from 'vitest';
import type { EditId, MessageId } from '../../src/contract/index.js';
import { amendCampaignActivity } from '../../src/activities/campaign-activities.js';
import { useLedger } from '../support/ledger/ledger.js';
import { aRealWorld, HOUR, MINUTE, SECOND, type RealWorld, type RealWorldOptions } from './real-world.js';

const ledger = useLedger();
let world: RealWorld;
let id: MessageId;

/** A message on the phone, and a shift that serves its instance. */
async function aSentMessage(options: RealWorldOptions = {}): Promise<void> {
  world = await aRealWorld({ ledger, ...options });
  id = await world.single(HOUR, 'Nine');
  await world.pass(5 * SECOND);
  expect(await world.state(id)).toBe('delivered');
}

const onPhone = () => world.simulator.delivered()[0];
const editOf = (edit: EditId) => ledger.edits.view(edit);
const lose = (more: object) => world.fault({ method: 'editMessage', times: 1, ...more });
/** Its notification is lost: only the journal shows it. */
const deaf = () => world.patch({ settings: { outgoingAPIMessageWebhook: 'no', outgoingMessageWebhook: 'no' } });

describe('an edit of a sent message', () => {
  it('EDITPOST-1 is posted once by the dispatcher, and confirmed by its notification', async () => {
    await aSentMessage();
    const edit = await world.edit(id, 'Ten');
    await world.pass(3 * SECOND);

    expect(await editOf(edit)).toMatchObject({ state: 'edited', via: 'gateway' });
    expect(onPhone()).toMatchObject({ text: 'Ten' });
    expect([world.requests('editMessage'), world.requests('getMessage')]).toEqual([1, 0]);
  });

  it('is posted by a shift that begins for it', async () => {
    await aSentMessage();
    await world.pass(5 * MINUTE);
    const edit = await world.edit(id, 'Ten');
    await world.pass(3 * SECOND);

    expect(await editOf(edit)).toMatchObject({ state: 'edited' });
  });

  it('EDITTURN-3 waits until the message is sent, and is made then', async () => {
    world = await aRealWorld({ ledger });
    await world.patch({ state: 'notAuthorized' });
    id = await world.single(HOUR, 'Nine');
    await world.pass(3 * SECOND);
    const edit = await world.edit(id, 'Ten');
    await world.pass(MINUTE);
    expect(world.requests('editMessage')).toBe(0);

    await world.patch({ state: 'authorized' });
    await world.pass(10 * SECOND);
    expect(await editOf(edit)).toMatchObject({ state: 'edited' });
    expect(onPhone()).toMatchObject({ text: 'Ten' });
  });

  it('EDITTURN-2 that met a 429 is made later', async () => {
    await aSentMessage();
    await lose({ kind: 'status', status: 429, times: 3 });
    const edit = await world.edit(id, 'Ten');
    await world.pass(20 * SECOND);

    expect(await editOf(edit)).toMatchObject({ state: 'edited' });
    expect(world.requests('editMessage')).toBe(4);
  });

  it('EDITTURN-2 is tried more and more rarely while the gateway accepts none, and is too late then', async () => {
    await aSentMessage();
    await lose({ kind: 'status', status: 429, times: 10_000 });
    const edit = await world.edit(id, 'Ten');
    await world.pass(16 * MINUTE);

    expect(await editOf(edit)).toMatchObject({ state: 'too_late' });
    expect(world.requests('editMessage')).toBeLessThan(25);
  });

  it('is refused with the reason of the gateway', async () => {
    await aSentMessage();
    await lose({ kind: 'status', status: 400, body: { message: 'Validation failed' } });
    const edit = await world.edit(id, 'Ten');
    await world.pass(3 * SECOND);

    expect(await editOf(edit)).toMatchObject({ state: 'refused', reason: 'GATEWAY_REJECTED' });
  });

  it('is held back by an operator’s pause, and goes on with it', async () => {
    await aSentMessage();
    await ledger.instances.pauseByOperator(world.instance, 'p', 'operator', world.nowMs());
    const edit = await world.edit(id, 'Ten');
    await world.pass(MINUTE);
    expect(world.requests('editMessage')).toBe(0);

    await ledger.instances.resume(world.instance, 'operator', world.nowMs());
    world.wake();
    await world.pass(3 * SECOND);
    expect(await editOf(edit)).toMatchObject({ state: 'edited' });
  });
});

describe('an edit whose response was lost', () => {
  it('is posted again when neither a notification nor the journal shows it', async () => {
    await aSentMessage();
    await lose({ kind: 'lose-answer', accepted: false });
    const edit = await world.edit(id, 'Ten');
    await world.pass(10 * SECOND);

    expect(await editOf(edit)).toMatchObject({ state: 'edited' });
    expect(world.requests('editMessage')).toBe(2);
  });

  it('is not posted again when the phone shows it', async () => {
    await aSentMessage();
    await deaf();
    await lose({ kind: 'lose-answer', accepted: true });
    const edit = await world.edit(id, 'Ten');
    await world.pass(10 * SECOND);

    expect(await editOf(edit)).toMatchObject({ state: 'edited' });
    expect(world.requests('editMessage')).toBe(1);
  });

  it.each(['claim.after', 'bytes.left', 'response.received'])(
    'is found or posted again after the worker died at %s',
    async (point) => {
      await aSentMessage();
      let dies = true;
      world.serve((reached) => {
        if (reached !== point || !dies) return;
        dies = false;
        world.serve();
      });
      const edit = await world.edit(id, 'Ten');
      await world.pass(MINUTE);

      expect(await editOf(edit)).toMatchObject({ state: 'edited' });
      expect(onPhone()).toMatchObject({ text: 'Ten' });
    },
  );
});

describe('the confirmation of an edit', () => {
  it('EDITPOST-2 is repeated while the journal answers with 5xx or 429', async () => {
    await aSentMessage();
    await deaf();
    await world.fault({ method: 'getMessage', kind: 'status', status: 502, times: 2 });
    const edit = await world.edit(id, 'Ten');
    await world.pass(4 * SECOND);
    expect(await editOf(edit)).toMatchObject({ state: 'posted' });
    await world.pass(MINUTE);

    expect(await editOf(edit)).toMatchObject({ state: 'edited' });
    expect(world.requests('getMessage')).toBe(3);
  });

  it('EDITROW-7 ends unconfirmed when the journal is away for an hour, and is not read without a pause', async () => {
    await aSentMessage();
    await deaf();
    await world.fault({ method: 'getMessage', kind: 'status', status: 502, times: 10_000 });
    const edit = await world.edit(id, 'Ten');
    await world.pass(HOUR);
    expect(await editOf(edit)).toMatchObject({ state: 'posted' });
    await world.pass(16 * MINUTE);

    expect(await editOf(edit)).toMatchObject({ state: 'unconfirmed', reason: 'no_sign' });
    expect(world.requests('getMessage')).toBeLessThan(40);
  });

  it('ends unconfirmed at once when the instance has no journal', async () => {
    await aSentMessage();
    await deaf();
    await world.fault({ method: 'getMessage', kind: 'status', status: 404, times: 10 });
    const edit = await world.edit(id, 'Ten');
    await world.pass(10 * SECOND);

    expect(await editOf(edit)).toMatchObject({ state: 'unconfirmed', reason: 'journal_unreadable' });
  });
});

describe('a newer edit', () => {
  it('EDITROW-2 does not overtake an older one that the gateway applies late', async () => {
    await aSentMessage();
    await lose({ kind: 'lose-answer', accepted: true });
    const older = await world.edit(id, 'Ten');
    await world.pass(SECOND);
    const newer = await world.edit(id, 'Eleven');
    await world.pass(MINUTE);

    expect(onPhone()).toMatchObject({ text: 'Eleven' });
    expect(await editOf(newer)).toMatchObject({ state: 'edited' });
    expect(['edited', 'superseded']).toContain((await editOf(older))?.state);
  });
});

describe('the edits of an amendment', () => {
  const amendment = (text = 'Dear {{name}}') => ({ text });

  async function amended(recipients: number) {
    world = await aRealWorld({ ledger });
    const campaign = await world.campaign(recipients);
    await world.untilEnded(campaign);
    await ledger.amendments.begin(campaign, amendment(), { nowMs: world.nowMs(), spacingMs: () => SECOND });
    await ledger.amendments.openEdits(campaign, world.nowMs());
    world.wake();
    const counts = async () => {
      await ledger.amendments.endIfDone(campaign, world.nowMs());
      const [newest] = await ledger.amendments.list(campaign, { nowMs: world.nowMs(), spacingMs: () => SECOND });
      return Object.fromEntries(Object.entries(newest?.counts ?? {}).filter(([, count]) => count > 0));
    };
    return { campaign, counts };
  }

  it('EDITTURN-1 are all posted once, 1.1 s apart, and confirmed', async () => {
    const { counts } = await amended(5);
    await world.pass(4 * SECOND);
    expect(world.requests('editMessage')).toBe(4);
    await world.pass(5 * SECOND);

    expect(await counts()).toEqual({ edited: 5 });
    expect(world.requests('editMessage')).toBe(5);
  });

  it('EDITCLAIM-1 let an edit of a single message pass', async () => {
    await amended(6);
    const single = await world.single(HOUR, 'Nine');
    await world.pass(3 * SECOND);
    const edit = await world.edit(single, 'Ten');
    const before = world.requests('editMessage');
    await world.pass(1_500);

    expect(world.requests('editMessage')).toBeLessThanOrEqual(before + 2);
    expect(world.delivered()).toContain('Ten');
    expect(await editOf(edit)).toMatchObject({ via: 'gateway' });
  });

  it('AMENDRUN-1 end the activity that waits for them', async () => {
    const { campaign, counts } = await amended(1);
    await world.pass(5 * SECOND);
    const clock = { nowMs: () => world.nowMs() };
    const amend = amendCampaignActivity({ ledger, clock, wake: () => world.wake(), pollMs: 1 });
    await amend({ campaignId: campaign }, new AbortController().signal);

    expect(await counts()).toEqual({ edited: 1 });
  });
});
