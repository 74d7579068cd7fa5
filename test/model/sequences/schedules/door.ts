/** The API's functions for schedules, and the activity of a run. Temporal's own part is played by the world. */
import type { RouteDependencies } from '../../../../src/api/route-dependencies.js';
import { schedulesWith } from '../../../../src/api/schedules.js';
import {
  AppError,
  type CampaignId,
  type Clock,
  type InstanceDirectory,
  type ScheduleId,
} from '../../../../src/contract/index.js';
import { checkRequest } from '../../../../src/gateway/check-request.js';
import type { Ledger } from '../../../../src/ledger/index.js';
import { runOccurrenceWith } from '../../../../src/starter/schedules/run-occurrence.js';
import { NAMESPACE } from '../campaigns/door.js';

const MINUTE_MS = 60_000;
const RETRY_MS = 1_000;

interface DoorDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly instances: InstanceDirectory;
  readonly wake: (instance: string) => Promise<void>;
  /** Starts a run in Temporal. @throws an error while Temporal is unavailable */
  readonly occur: (id: ScheduleId, at: string) => Promise<void>;
  /** Campaigns that have a run in Temporal. */
  readonly ran: Set<CampaignId>;
  readonly isTemporalAway: () => boolean;
  /** The recipients of every schedule; undefined while they cannot be read. */
  readonly list: () => string | undefined;
}

export type ScheduleDoor = ReturnType<typeof scheduleDoor>;

const away = () => new AppError('TEMPORAL_UNAVAILABLE', 'Temporal does not respond.');

export function scheduleDoor({ ledger, clock, instances, wake, occur, ran, isTemporalAway, list }: DoorDependencies) {
  const caller = { witness: 'caller', scopes: ['send'] } as never;
  const dependencies = {
    ledger,
    clock,
    instances,
    log: () => undefined,
    checkOperation: checkRequest,
    allowPrivateCallbacks: false,
    // Temporal's schedules only decide when a run starts.
    sync: () => Promise.reject(away()),
    temporal: {
      namespace: NAMESPACE,
      describe: () => Promise.reject(away()),
      startRun: ({ scheduleId, at }: { readonly scheduleId: ScheduleId; readonly at: string }) =>
        occur(scheduleId, at).catch(() => Promise.reject(away())),
      matchingTimes: (_: ScheduleId, fromMs: number, toMs: number) => Promise.resolve(minutes(fromMs, toMs)),
    },
  } as unknown as RouteDependencies;
  const run = runOccurrenceWith({
    ledger,
    clock,
    instances,
    namespace: NAMESPACE,
    lastRun: async (workflow) => {
      if (isTemporalAway()) throw away();
      return ran.has(workflow.replace(/^campaign:/, '') as CampaignId) ? 'running' : 'none';
    },
    followCampaign: async ({ id }) => void ran.add(id),
    askGateway: () => Promise.reject(new Error('No group is read.')),
    openSource: async () => {
      const text = list();
      if (text === undefined) throw new AppError('SCHEDULE_RUN_FAILED', 'The file cannot be read.');
      return { bytes: bytesOf(text), format: 'csv' };
    },
    wake: (instance) => void wake(instance),
  });
  const api = schedulesWith(dependencies);
  return {
    create: (body: object, key: string) => api.create(body, { key, caller }),
    update: (id: ScheduleId, change: object) => api.update(id, { ...change }, caller),
    remove: (id: ScheduleId) => api.remove(id),
    trigger: (id: ScheduleId, key: string) => api.trigger(id, key),
    backfill: (id: ScheduleId, range: { readonly from: string; readonly to: string }) => api.backfill(id, range),
    /** @returns in how many milliseconds the next try begins; 0: it has ended */
    async occurOnce(scheduleId: ScheduleId, at: string): Promise<number> {
      try {
        await run({ scheduleId, at }, new AbortController().signal);
        return 0;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return error.code === 'SCHEDULE_NOT_FOUND' ? 0 : (error.retryAfterMs ?? RETRY_MS);
      }
    },
  };
}

function minutes(fromMs: number, toMs: number): string[] {
  const first = Math.floor(fromMs / MINUTE_MS) + 1;
  const last = Math.floor(toMs / MINUTE_MS);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) =>
    new Date((first + at) * MINUTE_MS).toISOString(),
  );
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
