/**
 * What is always so of schedules.
 *
 * Always 24 An occurrence becomes one campaign or message, begins at most its catch-up window late, and sends what its
 *    schedule sends when it begins.
 * Always 25 A deleted schedule is created again exactly when its runs have ended. Every run ends, and says why if it is
 *    repeated.
 */
import type { ScheduleId } from '../../../../src/contract/index.js';
import { ENDS_WITHIN_MS, WAITS_MS } from '../campaigns/invariants.js';
import { campaignOf, held } from '../campaigns/reference.js';
import { BACKOFF_MS } from '../command.js';
import type { Finding, Reference } from '../reference.js';
import type { World } from '../world.js';

/** @returns what is not so now */
export async function scheduleFindings(world: World, reference: Reference): Promise<Finding[]> {
  if (reference.schedules.size === 0) return [];
  const rows = await world.copies.scheduleRuns();
  const wallMs = world.nowMs - world.clock.nowMs();
  const { skewMs } = reference;
  const found: Finding[] = [];
  const say = (rule: string, text: string): void => void found.push({ rule, text });
  for (const row of rows) {
    const schedule = [...reference.schedules.values()].find(({ id }) => id === row.id);
    if (schedule === undefined) continue;
    const facts = JSON.stringify(row);
    if (row.state === 'pending' && row.tries > 0 && row.reason === null)
      say('Always 25', `fails without a reason: ${facts}`);
    const begunMs = row.began_ms;
    if (begunMs === null) continue;
    const { catchupMs, texts, id } = schedule;
    const key = `${id} ${row.at_ms}`;
    const before = reference.began.get(key);
    // A run that Temporal has is not repeated after the ledger was restored.
    if (before !== undefined && before !== begunMs && schedule.sends === 'campaign' && !reference.wasTemporalAway) {
      say('Always 24', `began again, after it began at ${before}: ${facts}`);
    }
    reference.began.set(key, begunMs);
    if (row.kind === 'schedule' && begunMs > row.at_ms + catchupMs + skewMs) say('Always 24', `began late: ${facts}`);
    const version = campaignOf(row.text)?.version;
    const atMs = begunMs - wallMs;
    const isCurrent = held(texts, { fromMs: atMs - skewMs, untilMs: atMs + skewMs }, (value) => value === version);
    if (!isCurrent && reference.lost.length === 0) say('Always 24', `sends another text than its schedule: ${facts}`);
  }
  return [...found, ...repeated(world, reference, rows)];
}

type Rows = Awaited<ReturnType<World['copies']['scheduleRuns']>>;

function* repeated({ gateway }: World, reference: Reference, rows: Rows): Generator<Finding> {
  if (reference.lost.length > 0) return;
  for (const { id, name, instance } of reference.schedules.values()) {
    const began = rows.filter((row) => row.id === id && row.began_ms !== null).length;
    const items = gateway.account(instance).items.filter(({ text }) => campaignOf(text)?.name === name);
    const chats = new Map<string, number>();
    for (const { chatId, clearedAtMs } of items) {
      if (clearedAtMs === undefined) chats.set(chatId, (chats.get(chatId) ?? 0) + 1);
    }
    for (const [chatId, count] of chats) {
      if (count > began) yield { rule: 'Always 24', text: `${chatId} got ${count} messages of ${began} runs of ${id}` };
    }
  }
}

const SLICE_MS = 10_000;

/** Always 25, at the end of a sequence. */
export async function restOfSchedules(
  world: World,
  reference: Reference,
  pass: (ms: number) => Promise<void>,
): Promise<void> {
  const known = new Set([...reference.schedules.values()].map(({ id }) => id as string));
  const readOpen = async () =>
    (await world.copies.scheduleRuns()).filter((row) => known.has(row.id) && row.ended_ms === null);
  for (const waitMs of [0, ...WAITS_MS]) {
    if ((await readOpen()).length === 0) return;
    world.clock.jump(waitMs);
    reference.disturbed(world.clock.nowMs(), BACKOFF_MS);
    for (let ms = 0; ms < ENDS_WITHIN_MS; ms += SLICE_MS) {
      // As the sweeper of schedules does.
      for (const { id, at_ms: atMs } of await readOpen()) {
        await world.temporal.occur(id as ScheduleId, new Date(atMs).toISOString());
      }
      await pass(SLICE_MS);
    }
  }
  const open = await readOpen();
  if (open.length > 0) throw new Error(`Always 25: has not ended: ${JSON.stringify(open)}`);
}
