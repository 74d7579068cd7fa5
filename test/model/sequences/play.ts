/** Plays a sequence of commands in a world, and says what was not so. */
import { Random } from '../../support/random.js';
import { listOf } from './campaigns/definition.js';
import { restOfCampaigns } from './campaigns/invariants.js';
import { current } from './campaigns/reference.js';
import { type Command } from './command.js';
import { INSTANCES, configOf } from './instances.js';
import { ALL_COMMANDS, type Step } from './commands.js';
import { findings } from './invariants.js';
import { Reference, type Finding } from './reference.js';
import { restOfSchedules } from './schedules/invariants.js';
import { submitTemplates } from './template-commands.js';
import { World } from './world.js';

export interface Sequence {
  /** Of the world's own chances, such as the time of a notification. */
  readonly seed: number;
  readonly steps: readonly Step[];
}

/** How long the world goes on at the end, at most, until nothing is in flight. */
const REST_MS = 240_000;
const SLICE_MS = 5_000;
const REST_SLICE_MS = 10_000;
const POLLED_MS = 65_000;

/** @throws Error with the sequence, how to play it again, and what was not so */
export async function play(sequence: Sequence): Promise<void> {
  const world = await World.open(new Random(sequence.seed));
  const reference = new Reference();
  const log: string[] = [];
  const cpu = process.cpuUsage();
  try {
    for (const name of INSTANCES) world.file.set(name, configOf(name));
    await world.start();
    await submitTemplates(world);
    for (const { command: name, args, afterMs } of sequence.steps) {
      const command = ALL_COMMANDS[name] as unknown as Command<never>;
      // A point may have killed the process meanwhile.
      if (world.process === undefined) reference.isRunning = false;
      if (command.isPossible?.(reference, args, world) === false) continue;
      const result = await command.run(world, args, reference);
      await world.settle();
      command.learn?.(reference, args, result as never, world.clock.nowMs());
      log.push(`${world.clock.nowMs()} ${name} ${JSON.stringify(args)}`);
      await passChecked(world, reference, afterMs);
    }
    await rest(world, reference);
  } catch (error) {
    log.push(`${Math.round(process.cpuUsage(cpu).user / 1_000)} ms of CPU`);
    const replay = `MODEL_REPLAY='${JSON.stringify(sequence)}'`;
    throw new Error([(error as Error).message, ...log, replay].join('\n'), { cause: error });
  } finally {
    await world.close();
  }
}

async function passChecked(world: World, reference: Reference, ms: number): Promise<void> {
  let leftMs = ms;
  do {
    await world.pass(Math.min(leftMs, SLICE_MS));
    leftMs -= SLICE_MS;
    if (world.process === undefined) reference.isRunning = false;
    await check(world, reference);
  } while (leftMs > 0);
}

async function check(world: World, reference: Reference): Promise<void> {
  const found = await findings(world, reference);
  if (found.length > 0) throw new Error(found.map(said).join('\n'));
}

function said({ rule, text }: Finding): string {
  return `${rule}: ${text}`;
}

/** Nothing fails any more: all is decided, but for what waits for an operator. A removed instance stays removed. */
async function rest(world: World, reference: Reference): Promise<void> {
  world.gateway.postFaults.length = 0;
  world.gateway.always = undefined;
  world.gateway.editFaults.length = 0;
  world.gateway.readFaults.length = 0;
  world.gateway.slowChat = undefined;
  world.gateway.unreached.clear();
  world.list ??= listOf([0]);
  if (reference.isTemporalAway) await act(world, reference, 'temporal_away', { isAway: false });
  if (reference.isReadOnly) await act(world, reference, 'read_only', { isReadOnly: false });
  if (world.process === undefined || reference.isClockWrong) await act(world, reference, 'start', {});
  for (const name of INSTANCES) {
    if (!world.file.has(name)) continue;
    if (world.gateway.account(name).state !== 'authorized') world.gateway.setState(name, 'authorized');
    if (reference.closed.has(name)) await act(world, reference, 'hours', { instance: name, zone: undefined });
    // The notification of its state may be lost: the account is polled within a minute.
    await world.pass(reference.paused.has(name) ? POLLED_MS : SLICE_MS);
    if (reference.paused.has(name)) await act(world, reference, 'resume', { instance: name });
  }
  for (const [at, campaign] of [...reference.campaigns.values()].toReversed().entries()) {
    const isStopped = campaign.isStarted && !current(campaign.open) && world.file.has(campaign.instance);
    if (isStopped) await act(world, reference, 'campaign_resume', { which: at });
  }
  // Nothing that happened stops an instance for ever.
  for (const name of INSTANCES) {
    if (world.file.has(name)) await act(world, reference, 'send', { instance: name, chat: 9, isSame: false });
  }
  for (let ms = 0; ms < REST_MS; ms += REST_SLICE_MS) {
    // It may have come to the point of its death only now.
    if (world.process === undefined) await act(world, reference, 'start', {});
    await passChecked(world, reference, REST_SLICE_MS);
    const rows = await world.copies.messages();
    const open = rows.filter(({ state, behind, instance, verdict, due_ms: dueMs, campaign }) => {
      // Why they wait, their campaign says.
      if (state === 'pending' && campaign !== null) return false;
      if (state === 'pending' && verdict !== null && verdict !== 'APPROVED') return false;
      if (state === 'pending') return behind === null && world.file.has(instance) && (dueMs ?? 0) <= world.nowMs;
      return state === 'sending' || state === 'unknown';
    });
    if (open.length === 0) {
      const pass = (forMs: number): Promise<void> => passChecked(world, reference, forMs);
      await restOfCampaigns(world, reference, pass);
      return restOfSchedules(world, reference, pass);
    }
    if (ms + REST_SLICE_MS >= REST_MS) {
      throw new Error(`Always 6: not decided at the end: ${JSON.stringify(open)}`);
    }
  }
}

async function act(world: World, reference: Reference, name: keyof typeof ALL_COMMANDS, args: object): Promise<void> {
  const command = ALL_COMMANDS[name] as unknown as Command<never>;
  const result = await command.run(world, args as never, reference);
  await world.settle();
  command.learn?.(reference, args as never, result as never, world.clock.nowMs());
}
