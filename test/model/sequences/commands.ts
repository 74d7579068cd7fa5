/**
 * The commands of a sequence, one table: what a caller, an operator, the gateway and the machines may do. A new one is
 * a line here.
 */
import fc from 'fast-check';
import { CALLER_COMMANDS } from './caller-commands.js';
import { CAMPAIGN_COMMANDS } from './campaigns/commands.js';
import { MACHINE_COMMANDS } from './machine-commands.js';
import { BACKOFF_MS, POSTING_MS, chatOf, command, instance, isIn, plain, sendMany, type Command } from './command.js';
import { configOf } from './instances.js';
import { CLEAR_FAULTS, EDIT_FAULTS, NOTIFICATION_FAULTS, POST_FAULTS, READ_FAULTS, type ClearFault } from './faults.js';
import type { Asked } from './reference.js';
import { SCHEDULE_COMMANDS } from './schedules/commands.js';
import { TEMPLATE_COMMANDS } from './template-commands.js';

/** How long the try of an instance that is not configured waits. */
const REMOVED_RETRY_MS = 60_000;
/** How soon the ledger knows a changed file, and a shift what it allows. */
const CONFIGURED_MS = 15_000;
/** What waited behind a slow chat is posted in this time. */
const SLOW_FOR_MS = 30_000;
/** The high water mark of a normal message is twelve. */
const MORE_THAN_ROOM = 14;
const BACKLOG = 45;
/** Until the request that clears a queue is on its way. */
const CLEARING_MS = 45;
/** Some of them are still queued after a second. */
const FULL = 8;
export const COMMANDS = {
  ...CALLER_COMMANDS,
  ...MACHINE_COMMANDS,
  ...TEMPLATE_COMMANDS,
  fail_posts: command<{ readonly fault: (typeof POST_FAULTS)[number]; readonly times: number }>({
    weight: 6,
    args: fc.record({ fault: fc.constantFrom(...POST_FAULTS), times: fc.integer({ min: 1, max: 4 }) }),
    run(world, { fault, times }) {
      for (let one = 0; one < times; one += 1) world.gateway.postFaults.push(fault);
    },
  }),
  fail_edits: command<{ readonly fault: (typeof EDIT_FAULTS)[number]; readonly times: number }>({
    weight: 4,
    args: fc.record({ fault: fc.constantFrom(...EDIT_FAULTS), times: fc.integer({ min: 1, max: 2 }) }),
    run(world, { fault, times }) {
      for (let one = 0; one < times; one += 1) world.gateway.editFaults.push(fault);
    },
  }),
  fail_reads: command<{ readonly status: (typeof READ_FAULTS)[number] }>({
    args: fc.record({ status: fc.constantFrom(...READ_FAULTS) }),
    run(world, { status }) {
      world.gateway.readFaults.push(status, status);
    },
  }),
  fail_notifications: command<{ readonly fault: (typeof NOTIFICATION_FAULTS)[number]; readonly times: number }>({
    weight: 2,
    args: fc.record({ fault: fc.constantFrom(...NOTIFICATION_FAULTS), times: fc.integer({ min: 1, max: 6 }) }),
    run(world, { fault, times }) {
      for (let one = 0; one < times; one += 1) world.gateway.notificationFaults.push(fault);
    },
  }),
  /** An operator clears a queue, with items in it or not. */
  clear: command<{ readonly instance: string; readonly isFull: boolean; readonly fault: ClearFault | undefined }>({
    weight: 5,
    args: fc.record({ instance, isFull: fc.boolean(), fault: fc.constantFrom(undefined, undefined, ...CLEAR_FAULTS) }),
    isPossible: isIn,
    async run(world, { instance: name, isFull, fault }, reference) {
      const added = await sendMany(world, reference, plain(name), isFull ? FULL : 1);
      if (isFull) await world.pass(1_500);
      if (fault !== undefined) world.gateway.clearFaults.push(fault);
      await world.order(name, 'clearMessagesQueue', `clear${(reference.number += 1)}`);
      await world.pass(CLEARING_MS);
      if (isIn(reference, { instance: name }, world)) added.push(...(await sendMany(world, reference, plain(name), 2)));
      return added;
    },
    learn(reference, _, added: readonly Asked[], nowMs) {
      reference.asked = [...reference.asked, ...added];
      reference.disturbed(nowMs, BACKOFF_MS);
    },
  }),
  reboot: command<{ readonly instance: string }>({
    weight: 2,
    args: fc.record({ instance }),
    isPossible: isIn,
    run: (world, { instance: name }, reference) => world.order(name, 'reboot', `reboot${(reference.number += 1)}`),
    learn(reference, _, __, nowMs) {
      reference.disturbed(nowMs, BACKOFF_MS);
    },
  }),
  account: command<{ readonly instance: string; readonly state: string }>({
    args: fc.record({ instance, state: fc.constantFrom('authorized', 'authorized', 'notAuthorized', 'yellowCard') }),
    run(world, args) {
      world.gateway.setState(args.instance, args.state);
    },
    learn(reference, args, _, nowMs) {
      // Its notification may be lost. Then the account is polled within a minute.
      if (args.state === 'yellowCard') reference.paused.add(args.instance);
      reference.disturbed(nowMs, BACKOFF_MS);
    },
  }),
  /** An instance is removed from the instances file. */
  remove_instance: command<{ readonly instance: string }>({
    args: fc.record({ instance }),
    isPossible: (_, { instance: name }, world) => world.file.has(name),
    run(world, { instance: name }) {
      world.file.delete(name);
    },
  }),
  /** It is removed while a POST of it is under way, whose worker dies. */
  remove_posting_instance: command<{ readonly instance: string }>({
    weight: 2,
    args: fc.record({ instance }),
    isPossible: isIn,
    async run(world, { instance: name }, reference) {
      const added = await sendMany(world, reference, plain(name), 1);
      await world.pass(POSTING_MS);
      world.file.delete(name);
      await world.start();
      return added;
    },
    learn(reference, _, added: readonly Asked[], nowMs) {
      reference.asked = [...reference.asked, ...added];
      reference.disturbed(nowMs, BACKOFF_MS);
    },
  }),
  /** More messages than the gateway's queue has room for, while the phone is away for a minute. */
  wait_for_phone: command<{ readonly instance: string }>({
    args: fc.record({ instance }),
    isPossible: isIn,
    async run(world, { instance: name }, reference) {
      world.gateway.setState(name, 'notAuthorized');
      const added = await sendMany(world, reference, plain(name), MORE_THAN_ROOM);
      await world.pass(40_000);
      added.push(...(await sendMany(world, reference, plain(name), 1)));
      await world.pass(12_000);
      added.push(...(await sendMany(world, reference, plain(name), 1)));
      return added;
    },
    learn(reference, _, added: readonly Asked[], nowMs) {
      reference.asked = [...reference.asked, ...added];
      reference.disturbed(nowMs, BACKOFF_MS);
    },
  }),
  add_instance: command<{ readonly instance: string }>({
    weight: 2,
    args: fc.record({ instance }),
    isPossible: (_, { instance: name }, world) => !world.file.has(name),
    run(world, { instance: name }) {
      world.file.set(name, configOf(name));
    },
    learn(reference, { instance: name }, _, nowMs) {
      reference.closed.delete(name);
      reference.disturbed(nowMs, REMOVED_RETRY_MS);
    },
  }),
  /** The gateway answers every POST in one way, until it recovers. */
  always: command<{ readonly fault: (typeof POST_FAULTS)[number] | undefined }>({
    weight: 2,
    args: fc.record({ fault: fc.constantFrom(undefined, undefined, 'busy_0', 'refused', 'hangs') }),
    async run(world, { fault }, reference) {
      world.gateway.always = fault;
      return isIn(reference, { instance: 'main' }, world) ? sendMany(world, reference, plain('main'), 1) : [];
    },
    learn(reference, _, added: readonly Asked[]) {
      reference.asked = [...reference.asked, ...added];
    },
  }),
  /** The gateway takes three seconds for each POST to one chat. */
  slow_chat: command<{ readonly chat: number | undefined }>({
    weight: 2,
    args: fc.record({ chat: fc.constantFrom(undefined, 0, 1) }),
    async run(world, { chat: number }, reference) {
      world.gateway.slowChat = number === undefined ? undefined : chatOf(number);
      if (number === undefined || !isIn(reference, { instance: 'main' }, world)) return [];
      const backlog = await sendMany(world, reference, { ...plain('main'), chat: number }, BACKLOG);
      return [...backlog, ...(await sendMany(world, reference, { ...plain('main'), chat: 7 }, 1))];
    },
    learn(reference, { chat: number }, added: readonly Asked[], nowMs) {
      reference.asked = [...reference.asked, ...added];
      if (number === undefined) reference.disturbed(nowMs, SLOW_FOR_MS);
    },
  }),
  /** The hours of an instance change in the file. A timezone that does not exist came past every check. */
  hours: command<{ readonly instance: string; readonly zone: 'UTC' | 'Mars/Olympus' | undefined }>({
    args: fc.record({ instance, zone: fc.constantFrom(undefined, undefined, 'UTC', 'Mars/Olympus') }),
    isPossible: (_, { instance: name }, world) => world.file.has(name),
    async run(world, { instance: name, zone }, reference) {
      // Open for the minute before the world began.
      const windows = [{ from: '09:58', until: '09:59' }];
      const hours = zone === undefined ? {} : { sendingWindows: { timezone: zone, windows } };
      world.file.set(name, { ...configOf(name), ...hours });
      return isIn(reference, { instance: name }, world)
        ? sendMany(world, reference, { ...plain(name), isUrgent: true }, 1)
        : [];
    },
    learn(reference, { instance: name, zone }, added: readonly Asked[], nowMs) {
      reference.asked = [...reference.asked, ...added];
      if (zone === undefined) reference.closed.delete(name);
      else reference.closed.add(name);
      reference.disturbed(nowMs, CONFIGURED_MS);
    },
  }),
} as const;

/** With those of campaigns and schedules, which have sequences of their own. */
export const ALL_COMMANDS = { ...COMMANDS, ...CAMPAIGN_COMMANDS, ...SCHEDULE_COMMANDS } as const;

export type CommandName = keyof typeof ALL_COMMANDS;

export interface Step {
  readonly command: CommandName;
  readonly args: never;
  /** How long the world goes on after it. */
  readonly afterMs: number;
}

export function step(name: CommandName, args: object, afterMs = 0): Step {
  return { command: name, args: args as never, afterMs };
}

const AFTER_MS = [0, 30, 700, 3_000, 15_000] as const;

function stepOf(name: CommandName): fc.Arbitrary<Step> {
  const { args } = ALL_COMMANDS[name] as unknown as Command<never>;
  return fc.record({ command: fc.constant(name), args, afterMs: fc.constantFrom(...AFTER_MS) });
}

function anyOf(names: readonly CommandName[], weightOf: (name: CommandName) => number): fc.Arbitrary<Step> {
  return fc.oneof(...names.map((name) => ({ weight: weightOf(name), arbitrary: stepOf(name) })));
}

function weight(name: CommandName): number {
  return (ALL_COMMANDS[name] as unknown as Command<never>).weight ?? 1;
}

/** @param without  commands of defects that are not repaired yet */
export function steps(without: readonly CommandName[], length: number): fc.Arbitrary<Step[]> {
  const names = (Object.keys(COMMANDS) as CommandName[]).filter((name) => !without.includes(name));
  return fc.array(anyOf(names, weight), { minLength: 3, maxLength: length });
}

const OWN_COMMANDS = { campaign: CAMPAIGN_COMMANDS, schedule: SCHEDULE_COMMANDS };

/** Begins with one of each kind. Their commands are chosen twice as often as all others together. */
export function stepsOf(kinds: readonly (keyof typeof OWN_COMMANDS)[], length: number): fc.Arbitrary<Step[]> {
  const own = kinds.flatMap((kind) => Object.keys(OWN_COMMANDS[kind]) as CommandName[]);
  const oneStep = fc.oneof(
    { weight: 2, arbitrary: anyOf(own, weight) },
    { weight: 1, arbitrary: anyOf(Object.keys(COMMANDS) as CommandName[], weight) },
  );
  return fc
    .tuple(fc.tuple(...kinds.map(stepOf)), fc.array(oneStep, { minLength: 3, maxLength: length - kinds.length }))
    .map(([first, rest]) => [...first, ...rest]);
}
