/**
 * Clears the gateway's queue of an instance once (CLEAR-1 to CLEAR-6):
 *
 *   posts stop → no POST is under way → the queue is read → the request → the queue is read again → the effect
 *
 * Temporal repeats a try that finds a POST under way, or whose request surely did not arrive. A lost response is not
 * repeated: the queue shows what is gone, once the request can no longer be carried out.
 */
import { AppError, ErrorNext, present } from '../contract/index.js';
import { deadlinesOf, listedItem } from '../domain/index.js';
import type { ListedQueue, OperationEnd, OperationView } from '../ledger/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { pollJournal } from './message-activities.js';
import { readQueue } from './witness-polls.js';

export type ClearDependencies = Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock' | 'timesOf' | 'wake'>;
type Clear = Pick<OperationView, 'id' | 'instance'>;

/** Longer than the reading before the request may take, and short enough if the worker dies. */
const STOPPED_FOR_MS = 60_000;
/** Clocks of workers differ by up to five seconds. */
const CLOCKS_MS = 10_000;
const TRY_AGAIN_MS = 1_000;

/** @throws AppError POSTS_UNDER_WAY, or the error of a request that surely did not arrive or was rejected */
export async function clearQueue(deps: ClearDependencies, clear: Clear & Pick<OperationView, 'state'>) {
  if (clear.state === 'sending') return settleLost(deps, clear, 'OPERATION_MAY_HAVE_HAPPENED');
  const { ledger, gateway, clock, timesOf, wake } = deps;
  const { id, instance } = clear;
  // CLEAR-1.
  const posts = await ledger.queueClears.stopPosts(id, instance, clock.nowMs() + STOPPED_FOR_MS);
  if (posts > 0) throw underWay(instance, `${posts} requests of it are under way`);
  const isReadable = gateway.offers(instance, 'showMessagesQueue');
  const before = isReadable ? await listQueue(deps, instance) : undefined;
  const { postingDeadlineMs: deadlineMs, reconcileAfterMs } = deadlinesOf(timesOf(instance), clock.nowMs());
  const asked = { id, instance, untilMs: reconcileAfterMs + CLOCKS_MS, ...present({ before }) };
  const hasBegun = await ledger.queueClears.begin(asked, clock.nowMs());
  if (!hasBegun) throw underWay(instance, 'its posts were not stopped for long enough');
  try {
    const { response } = await gateway.call(instance, 'clearMessagesQueue', {}, { deadlineMs });
    return await settle(deps, clear, { state: 'done', result: response }, clock.nowMs());
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'LEDGER_UNAVAILABLE' || error.next === ErrorNext.bug)
      throw error;
    const { code, gatewayText: text } = error;
    if (error.next === ErrorNext.ask) return settleLost(deps, clear, code);
    if (error.next === ErrorNext.stop) {
      await ledger.operations.finish(id, { state: 'failed', code, ...present({ text }) }, clock.nowMs());
    } else await ledger.queueClears.giveBack(id);
    wake(instance);
    throw error;
  }
}

function underWay(instance: string, why: string): AppError {
  const message = `The queue of instance ${instance} is not cleared yet: ${why}. Retried automatically.`;
  return new AppError('POSTS_UNDER_WAY', message, { retryAfterMs: TRY_AGAIN_MS });
}

/** For a request whose response is lost. @throws AppError POSTS_UNDER_WAY while it can still be carried out */
export async function settleLost(deps: ClearDependencies, clear: Clear, code: string): Promise<OperationView> {
  const { ledger, clock } = deps;
  const remainingMs = await ledger.queueClears.remainingMs(clear.id, clock.nowMs());
  if (remainingMs > 0) {
    const message = `The outcome of clearing the queue of instance ${clear.instance} is not known yet: the response is lost, and the gateway may still carry it out. Retried automatically.`;
    throw new AppError('POSTS_UNDER_WAY', message, { retryAfterMs: remainingMs });
  }
  return settle(deps, clear, { state: 'may_have_happened', code });
}

/** CLEAR-2. @param clearedByMs  when the response had arrived. @default when the reading after it began */
async function settle(
  deps: ClearDependencies,
  { id, instance }: Clear,
  end: OperationEnd,
  clearedByMs?: number,
): Promise<OperationView> {
  const { ledger, clock, wake } = deps;
  const after = await listQueue(deps, instance).catch((error: unknown) => {
    // Without the reading nothing is proved; the ledger has to be there for the effect.
    if (!(error instanceof AppError) || error.code === 'LEDGER_UNAVAILABLE') throw error;
    return undefined;
  });
  const settled = { id, end, clearedByMs: clearedByMs ?? after?.begunAtMs ?? clock.nowMs(), ...present({ after }) };
  const { view, unresolved } = await ledger.queueClears.settle(settled, clock.nowMs());
  wake(instance);
  // The journal may show one that left just before: its receipt then counts.
  for (const messageId of unresolved.slice(0, MOST_POLLED)) await pollJournal(deps, messageId);
  return view;
}

/** @throws AppError as the gateway, or the ledger */
async function listQueue(deps: ClearDependencies, instance: string): Promise<ListedQueue> {
  const { begunAtMs, items } = await readQueue(deps, instance);
  return { begunAtMs, items: items.map((item) => listedItem(item).ids) };
}

/** At ten requests a second; late notifications decide the others. */
const MOST_POLLED = 50;
