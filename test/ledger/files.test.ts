import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { FileContent, ScheduleId } from '../../src/contract/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { CampaignCast } from './campaigns/campaign-life-cast.js';
import { Cast, NOW } from './cast.js';
import { DispatchCast } from './dispatch/cast.js';

const DAY = 24 * 60 * 60_000;

const ledger = useLedger();

const bytesOf = (text: string): Uint8Array[] => [Buffer.from(text)];
const store = (text: string = randomUUID(), nowMs = NOW) => ledger.files.store(bytesOf(text), 'image/png', nowMs);
const removeOld = (nowMs: number) => ledger.retention.removeOld({ nowMs, keptSinceMs: nowMs });

describe('FILE-1: storing a file', () => {
  test('keeps its bytes, in parts, whatever the size of the pieces', async () => {
    const bytes = Buffer.from(Array.from({ length: 2_500_000 }, (_, at) => at % 251));
    const pieces = [bytes.subarray(0, 10), bytes.subarray(10, 2_400_000), bytes.subarray(2_400_000)];
    const { fileId, ...facts } = await ledger.files.store(pieces, 'image/png', NOW);
    expect(facts).toEqual({
      sha256: createHash('sha256').update(bytes).digest('hex'),
      contentType: 'image/png',
      sizeBytes: bytes.length,
      expiresAt: new Date(NOW + 30 * DAY).toISOString(),
    });
    const read = await ledger.files.read(fileId);
    expect(read?.contentType).toBe('image/png');
    expect(bytes.equals(read?.bytes ?? Buffer.of())).toBe(true);
  });

  test('keeps the same bytes and type once, also when two callers store them at once; a repetition extends its life', async () => {
    const [one, other] = await Promise.all([store('the same'), store('the same')]);
    expect(other).toEqual(one);
    const again = await store('the same', NOW + DAY);
    expect(again).toEqual({ ...one, expiresAt: new Date(NOW + 31 * DAY).toISOString() });
    expect((await ledger.files.store(bytesOf('the same'), 'image/gif', NOW)).fileId).not.toBe(one.fileId);
  });

  test('keeps nothing of a file that is empty or breaks off', async () => {
    async function* cut() {
      yield Buffer.alloc(1_500_000);
      throw new Error('The caller left.');
    }
    await expect(ledger.files.store([], 'image/png', NOW)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(ledger.files.store(cut(), 'image/png', NOW)).rejects.toThrow('The caller left.');
    expect(await removeOld(NOW + 2 * 60 * 60_000)).toMatchObject({ files: 0 });
  });
});

describe('FILE-4: a file is not deleted while something needs it', () => {
  const content = (fileId: string): FileContent => ({ kind: 'file', fileId, fileName: 'a.png' });
  const isStored = async (fileId: string, nowMs = NOW + 400 * DAY) => {
    await removeOld(nowMs);
    return (await ledger.files.read(fileId)) !== undefined;
  };

  test('a schedule, until it is deleted', async () => {
    const files = [await store(), await store()] as const;
    const [ofMessage, ofCampaign] = files.map(({ fileId }) => content(fileId));
    const definitions = [
      { message: { instance: 'main', to: '15550001111@c.us', content: ofMessage! } },
      { campaign: { instance: 'main', content: ofCampaign! }, recipients: { file: 'list.csv' } },
    ] as const;
    const ids = files.map(() => `s-${randomUUID().slice(0, 8)}` as ScheduleId);
    for (const [at, id] of ids.entries()) {
      const definition = { cron: ['0 0 1 1 *'], ...definitions[at] };
      const created = { id, commandId: id, requestHash: 'h', definition, isPaused: true };
      await ledger.schedules.create({ ...created, namespace: id, nowMs: NOW });
    }
    for (const { fileId } of files) expect(await isStored(fileId)).toBe(true);
    for (const id of ids) await ledger.schedules.remove(id);
    for (const { fileId } of files) expect(await isStored(fileId)).toBe(false);
  });

  test('a campaign that starts late, and one that a retry can continue', async () => {
    const { fileId } = await store();
    const campaign = new CampaignCast(ledger);
    const late = NOW + 200 * DAY;
    await campaign.draft({ content: content(fileId) });
    await campaign.imported(1);
    expect(await isStored(fileId, late)).toBe(true);
    await campaign.start(late);
    await campaign.dispatched(1, { kind: 'rejected', code: 'GATEWAY_REJECTED', httpStatus: 400 }, late);
    expect(await campaign.endIfDone(late)).toMatchObject({ state: 'completed_with_failures' });
    expect(await isStored(fileId)).toBe(true);
    await ledger.campaigns.retry(
      campaign.id,
      { scopes: ['rejected'], deadline: new Date(late + 300 * DAY).toISOString() },
      late,
    );
    const claimed = await campaign.dispatched(1, 'accepted', late);
    expect(claimed).toMatchObject([{ content: { fileId } }]);
    await campaign.receive(claimed, 'delivered', late, late);
    expect(await campaign.endIfDone(late)).toMatchObject({ state: 'completed' });
    expect(await isStored(fileId)).toBe(false);
  });

  test('a draft that names another file since needs only that one', async () => {
    const [before, after] = [await store(), await store()];
    const campaign = await new CampaignCast(ledger).draft({ content: content(before.fileId) });
    const definition = { instance: campaign.instance, content: content(after.fileId) };
    await ledger.audiences.define({ id: campaign.id, requestHash: 'other', definition, nowMs: NOW });
    expect(await isStored(before.fileId)).toBe(false);
    expect(await isStored(after.fileId)).toBe(true);
  });

  test('a pending message', async () => {
    const { fileId } = await store();
    const cast = new Cast(ledger);
    const id = await cast.pending({ content: content(fileId), expiresAtMs: NOW + 500 * DAY });
    expect(await isStored(fileId)).toBe(true);
    await ledger.messages.cancel(id, 'test', NOW);
    expect(await isStored(fileId)).toBe(false);
  });
});

test('a file is deleted after its time, unless a message that names it needs it longer', async () => {
  const { fileId } = await store();
  expect(await ledger.files.keep(fileId, NOW + 40 * DAY)).toBe(true);
  await ledger.files.storeLink('main', fileId, 'https://files.example/1', NOW);
  await removeOld(NOW + 69 * DAY);
  expect(await ledger.files.read(fileId)).toBeDefined();
  await removeOld(NOW + 71 * DAY);
  expect(await ledger.files.read(fileId)).toBeUndefined();
  expect(await ledger.files.keep(fileId, NOW)).toBe(false);
});

describe('FILE-2: an attempt', () => {
  async function aClaimed() {
    const { fileId } = await store();
    const cast = new DispatchCast(ledger);
    await cast.begin();
    const content: FileContent = { kind: 'file', fileId, fileName: 'a.png' };
    const id = await cast.take({ content });
    const [attempt] = await cast.claim();
    if (attempt?.messageId !== id) throw new Error('The message was not claimed.');
    const link = (nowMs = NOW) => ledger.files.giveLink(attempt.token, cast.instance, fileId, nowMs);
    const uploaded = () => ledger.files.storeLink(cast.instance, fileId, 'https://files.example/1', NOW);
    return { cast, id, attempt, link, uploaded };
  }

  test('gets a link of its own instance, until the link is old (FILE-3)', async () => {
    const { link, uploaded } = await aClaimed();
    expect(await link()).toBeUndefined();
    await uploaded();
    expect(await link()).toBe('https://files.example/1');
    expect(await link(NOW + 13 * DAY + 1)).toBeUndefined();
  });

  test('was never posted without a link: a takeover makes its message pending', async () => {
    const { cast, id, link, uploaded } = await aClaimed();
    await uploaded();
    expect(await cast.begin()).toEqual([]);
    expect(await cast.state(id)).toBe('pending');
    // The previous worker continues, and gets nothing to post.
    expect(await link()).toBeUndefined();
    expect((await cast.claimIds())[0]).toBe(id);
  });

  test('may have been posted with a link: a takeover makes its message unknown', async () => {
    const { cast, id, link, uploaded } = await aClaimed();
    await uploaded();
    await link();
    expect(await cast.begin()).toEqual([id]);
    expect(await cast.state(id)).toBe('unknown');
  });
});
