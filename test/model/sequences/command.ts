/**
 * What a command of a sequence is: what it needs, what it does to the world, and what the reference knows afterwards.
 */
import fc from 'fast-check';
import { AppError, type MessageContent, type MessageRequest } from '../../../src/contract/index.js';
import { messageId } from '../../../src/starter/index.js';
import type { Asked, Reference } from './reference.js';
import type { Process } from './process.js';
import type { World } from './world.js';

export interface Command<Args> {
  /** How often it is chosen. @default 1 */
  readonly weight?: number;
  readonly args: fc.Arbitrary<Args>;
  /** @default always */
  isPossible?(reference: Reference, args: Args, world: World): boolean;
  run(world: World, args: Args, reference: Reference): Promise<unknown> | void;
  /** @default the reference knows nothing new */
  learn?(reference: Reference, args: Args, result: never, nowMs: number): void;
}

export const chat = fc.nat(2);
export const instance = fc.constantFrom('main', 'main', 'main', 'other');
export const which = fc.nat(7);
export const none = fc.constant({});

export function chatOf(number: number): string {
  return `1555000000${number}@c.us`;
}

export const HOUR_MS = 60 * 60_000;
/** The longest pause of CAUTION-5, and of a message's own tries. */
export const BACKOFF_MS = 60_000;
/** Until a POST has left, and before its response. */
export const POSTING_MS = 30;

export const serves = ({ isRunning, isReadOnly, isClockWrong }: Reference): boolean =>
  isRunning && !isReadOnly && !isClockWrong;

export function processOf({ process }: World): Process {
  if (process === undefined) throw new Error('No process runs.');
  return process;
}

export function pick({ asked }: Reference, number: number): Asked | undefined {
  return asked.toReversed()[number];
}

export async function sendMany(world: World, reference: Reference, args: Sent, count: number): Promise<Asked[]> {
  const sent: Asked[] = [];
  for (let one = 0; one < count; one += 1) {
    const stem = args.isSame ? 'same' : `m${reference.number + 1}`;
    sent.push(...(await sendOne(world, reference, args, stem, { kind: 'text', text: `${stem} first` })));
  }
  return sent;
}

/** @returns nothing if the request failed */
export async function sendOne(
  world: World,
  reference: Reference,
  { instance: name, chat: to, isUrgent, isLater: waits = false }: Sent,
  stem: string,
  content: MessageContent,
): Promise<Asked[]> {
  const key = `k${(reference.number += 1)}`;
  const chatId = chatOf(to);
  const request = {
    instance: name,
    chatId,
    content,
    ...(isUrgent ? { priority: 'urgent' } : {}),
    ...(waits ? { sendAt: new Date(world.nowMs + HOUR_MS).toISOString() } : {}),
  } as MessageRequest;
  // A caller without a response asks again with the same key: the row is there, or it is not.
  const id = await world.send(key, request).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'LEDGER_UNAVAILABLE') throw error;
    return messageId(name, key);
  });
  if ((await world.ledger.messages.snapshot(id)) === undefined) return [];
  const given = { id, key, instance: name, chatId, stem, isUrgent, atMs: world.clock.nowMs(), isLater: waits };
  return [{ ...given, isCancelled: false, isResolved: false, isErased: false }];
}

export interface Sent {
  readonly instance: string;
  readonly chat: number;
  readonly isSame: boolean;
  readonly isUrgent: boolean;
  /** To be sent in an hour. */
  readonly isLater?: boolean;
}

const isLater = fc.constantFrom(false, false, false, true);
export const sent = fc.record({ instance, chat, isSame: fc.boolean(), isUrgent: fc.boolean(), isLater });
export const plain = (name: string): Sent => ({ instance: name, chat: 0, isSame: false, isUrgent: false });
export const isIn = (reference: Reference, { instance: name }: { readonly instance: string }, world: World): boolean =>
  serves(reference) && world.file.has(name);

export function command<Args>(one: Command<Args>): Command<Args> {
  return one;
}

/** Commands on one of the things of a kind that callers have created, the newest first. */
export function commandsOn<Thing extends { readonly instance: string }>(
  thingsOf: (reference: Reference) => Iterable<Thing>,
  put: (reference: Reference, thing: Thing) => void,
) {
  type Change = (thing: Thing, nowMs: number) => Thing;
  const pickOne = (reference: Reference, number: number): Thing | undefined =>
    [...thingsOf(reference)].toReversed()[number];

  /** A command on one that exists. `run` says how it changes if the command took effect. */
  function on<Args extends { readonly which: number }>(
    weight: number,
    args: fc.Arbitrary<Args>,
    run: (world: World, thing: Thing, args: Args, reference: Reference) => Promise<Change | undefined>,
  ): Command<Args> {
    return command<Args>({
      weight,
      args,
      isPossible(reference, given, world) {
        const thing = pickOne(reference, given.which);
        return thing !== undefined && isIn(reference, thing, world);
      },
      run: (world, given, reference) => run(world, pickOne(reference, given.which)!, given, reference),
      learn(reference, given, change: Change | undefined, nowMs) {
        const before = pickOne(reference, given.which)!;
        if (change !== undefined) put(reference, change(before, nowMs));
        reference.disturbed(nowMs, BACKOFF_MS);
      },
    });
  }

  return { pick: pickOne, on };
}
