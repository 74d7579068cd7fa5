/** What callers do with schedules, and when Temporal starts their runs. */
import fc from 'fast-check';
import { AppError } from '../../../../src/contract/index.js';
import { changed, current, textOf } from '../campaigns/reference.js';
import { listOf, MINUTE_MS } from '../campaigns/definition.js';
import { chatOf, command, commandsOn, instance, isIn } from '../command.js';
import type { Reference } from '../reference.js';
import type { ModelSchedule } from './reference.js';

const CHATS = [0, 1, 4];

interface NewSchedule {
  readonly instance: string;
  readonly sends: ModelSchedule['sends'];
  readonly catchupMs: number;
}

const which = fc.nat(1);

function put(reference: Reference, schedule: ModelSchedule): void {
  reference.schedules = new Map([...reference.schedules, [schedule.name, schedule]]);
}

function definitionOf({ instance: name, sends, catchupMs }: NewSchedule, schedule: string, version: number) {
  const text = textOf(schedule, version);
  const times = { cron: ['* * * * *'], catchupWindow: `${catchupMs / 1_000}s` };
  if (sends === 'campaign') {
    return {
      ...times,
      campaign: { instance: name, content: { kind: 'text', text } },
      recipients: { file: 'list.csv' },
    };
  }
  const content = { kind: 'text', text: text.replace('{{name}}', 'all') };
  return { ...times, message: { instance: name, to: chatOf(CHATS[0]!), content } };
}

/** @param codes  refusals that are no defect */
async function unlessRefused<Result>(work: Promise<Result>, ...codes: readonly string[]): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && codes.includes(error.code)) return undefined;
    throw error;
  }
}

type Change = (schedule: ModelSchedule, nowMs: number) => ModelSchedule;

const { on: onSchedule } = commandsOn<ModelSchedule>(({ schedules }) => schedules.values(), put);

const sendsNow =
  (version: number | undefined): Change =>
  (schedule, nowMs) => ({ ...schedule, texts: changed(schedule.texts, version, nowMs) });

const newest = ({ texts }: ModelSchedule): number => Math.max(...texts.map(({ value }) => value ?? 0));

export const SCHEDULE_COMMANDS = {
  schedule: command<NewSchedule>({
    weight: 6,
    args: fc.record({
      instance,
      sends: fc.constantFrom('campaign', 'campaign', 'message'),
      catchupMs: fc.constantFrom(MINUTE_MS, 60 * MINUTE_MS),
    }),
    isPossible: (reference, args, world) => isIn(reference, args, world) && reference.schedules.size < 2,
    async run(world, args, reference): Promise<ModelSchedule | undefined> {
      const name = `s${(reference.number += 1)}`;
      world.hasCampaigns = true;
      world.list = listOf(CHATS);
      const body = { id: name, ...definitionOf(args, name, 1) };
      const created = await world.request(({ schedules }) => schedules.create(body, name));
      if (created === undefined) return undefined;
      const fromMs = world.clock.nowMs();
      return { ...args, id: created.schedule.id, name, texts: [{ fromMs, value: 1 }] };
    },
    learn(reference, _, schedule: ModelSchedule | undefined) {
      if (schedule !== undefined) put(reference, schedule);
    },
  }),
  /** Temporal starts the run of a minute: now, late, or again. */
  occur: onSchedule(
    10,
    fc.record({ which, minutesAgo: fc.constantFrom(0, 0, 0, 1, 5), times: fc.constantFrom(1, 1, 2) }),
    async (world, { id, texts }, { minutesAgo, times }) => {
      const minute = Math.floor(world.nowMs / MINUTE_MS) - minutesAgo;
      const at = new Date(minute * MINUTE_MS).toISOString();
      if (current(texts) === undefined) return undefined;
      // While Temporal is away, its schedules start nothing.
      for (let one = 0; one < times && !world.temporal.isAway; one += 1) await world.temporal.occur(id, at);
      return undefined;
    },
  ),
  schedule_text: onSchedule(4, fc.record({ which }), async (world, schedule) => {
    if (current(schedule.texts) === undefined) return undefined;
    const version = newest(schedule) + 1;
    const { cron: _, catchupWindow: __, ...change } = definitionOf(schedule, schedule.name, version);
    const updated = await world.request(({ schedules }) => schedules.update(schedule.id, change));
    return updated && sendsNow(version);
  }),
  schedule_delete: onSchedule(3, fc.record({ which }), async (world, schedule) => {
    if (current(schedule.texts) === undefined) return undefined;
    await world.request(({ schedules }) => schedules.remove(schedule.id));
    return sendsNow(undefined);
  }),
  /** A deleted schedule is created again, with another text. */
  schedule_again: onSchedule(4, fc.record({ which }), async (world, schedule, _, reference) => {
    if (current(schedule.texts) !== undefined) return undefined;
    const version = newest(schedule) + 1;
    const isOpen = (await world.copies.scheduleRuns()).some(
      ({ id, ended_ms }) => id === schedule.id && ended_ms === null,
    );
    const body = { id: schedule.id, ...definitionOf(schedule, schedule.name, version) };
    const key = `k${(reference.number += 1)}`;
    const again = world.request(({ schedules }) => schedules.create(body, key));
    const created = await unlessRefused(again, 'SCHEDULE_RUNS_OPEN');
    if (world.process !== undefined && (created !== undefined) === isOpen) {
      throw new Error(
        `Always 25: ${schedule.id} was ${isOpen ? '' : 'not '}created again, and its runs are ${isOpen ? 'open' : 'ended'}`,
      );
    }
    return created && sendsNow(version);
  }),
  schedule_trigger: onSchedule(2, fc.record({ which }), async (world, { id }, _, reference) => {
    const key = `k${(reference.number += 1)}`;
    const triggered = world.request(({ schedules }) => schedules.trigger(id, key));
    await unlessRefused(triggered, 'SCHEDULE_NOT_FOUND');
    return undefined;
  }),
  schedule_backfill: onSchedule(2, fc.record({ which }), async (world, { id }) => {
    const at = (ms: number): string => new Date(world.nowMs + ms).toISOString();
    const range = { from: at(-2 * MINUTE_MS), to: at(0) };
    const filled = world.request(({ schedules }) => schedules.backfill(id, range));
    await unlessRefused(filled, 'SCHEDULE_NOT_FOUND');
    return undefined;
  }),
  /** The recipients of schedules cannot be read, or can again. */
  source: command<{ readonly isBroken: boolean }>({
    weight: 3,
    args: fc.record({ isBroken: fc.boolean() }),
    run(world, { isBroken }) {
      world.list = isBroken ? undefined : listOf(CHATS);
    },
  }),
};
