/**
 * The dispatcher of one account, while the account is used.
 *
 *   woken → shift: the activity `dispatch` → wait for the next due message, or to be woken → shift …
 *
 * The run makes no decisions: the ledger knows which messages are due. In the Web UI, the tries and failures of the
 * activity show why an instance accepts no messages. An idle instance waits without a timer.
 */
import {
  condition,
  continueAsNew,
  defineSignal,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { WAKE_SIGNAL, InstanceRunState, type InstanceInput } from '../contract/index.js';
import { dispatching, ledger } from './activity-proxies.js';
import { showInLists, table } from './web-ui.js';

const wakeSignal = defineSignal(WAKE_SIGNAL);

/** Pause before the next shift while another worker serves the instance. */
const SERVED_ELSEWHERE_MS = 5_000;
/**
 * About a dozen shifts. After a kill the next worker replays the histories of all its accounts on one thread before it
 * serves them: docs/decisions/0030-task-queues.md. Temporal suggests a new run only after thousands of events.
 */
const MOST_EVENTS = 100;

export async function instance(input: InstanceInput): Promise<void> {
  let wakes = 0;
  let { mark } = input;
  setHandler(wakeSignal, () => {
    wakes += 1;
  });
  for (let shift = 1; ; shift += 1) {
    const seen = wakes;
    const report = await dispatching.dispatch({ ...input, ...marked(mark), shift });
    mark = report.mark ?? mark;
    if (report.unrecorded.length > 0) await ledger.recordOutcomes({ outcomes: report.unrecorded });
    setCurrentDetails(
      table([
        ['Last shift ended', report.ended],
        ['Next message due', report.nextDue?.at ?? 'none'],
        ['Waits for', report.waitingFor],
        [
          'Ledger',
          report.wentBack &&
            `was found at ${report.wentBack.foundAt} to be an older copy: ${report.wentBack.unresolved} messages may have been sent since. Have the gateway show which: everpost message resolve --reason LEDGER_WENT_BACK --by-evidence`,
        ],
      ]),
    );
    // Lists show which instances post nothing. An idle one is no event.
    const { serving, waiting } = InstanceRunState;
    showInLists({ EverpostState: report.waitingFor === undefined ? serving : waiting });
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength >= MOST_EVENTS) {
      await continueAsNew<typeof instance>({ ...input, ...marked(mark) });
    }
    const isWoken = () => wakes !== seen;
    if (report.ended === 'time' || isWoken()) continue;
    const waitMs = report.ended === 'superseded' ? SERVED_ELSEWHERE_MS : report.nextDue?.inMs;
    if (waitMs === undefined) await condition(isWoken);
    else if (waitMs > 0) await condition(isWoken, waitMs, { summary: 'next message due' });
  }
}

function marked(mark: string | undefined): Pick<InstanceInput, 'mark'> {
  return mark === undefined ? {} : { mark };
}
