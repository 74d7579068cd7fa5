import { present } from '../contract/index.js';
import type { Clock, LastRun, TemplateInput, TemplateKey } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

/** The runs of templates, as far as sweeping needs them. */
export interface TemplateDrivers {
  lastRun(key: TemplateKey): Promise<LastRun>;
  /** Starts a run, also after one that has ended; does nothing while one is open. */
  continueRun(input: TemplateInput): Promise<void>;
}

export interface TemplateSweeperDependencies {
  readonly templates: Pick<Ledger['templates'], 'unfinished' | 'endWatch'>;
  readonly drivers: TemplateDrivers;
  /** Only templates whose runs live here are swept. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 60_000;
/** Each template costs a request to Temporal. The next round continues where this one stopped. */
const MOST_IN_A_ROUND = 100;

/**
 * Ensures that every template whose review is not decided has a run that follows it. A run that an operator terminated or
 * cancelled is not started again, and the template says that polling has stopped.
 */
export function templateSweeper({
  templates,
  drivers,
  namespace,
  clock,
  log,
}: TemplateSweeperDependencies): BackgroundJob {
  let after: TemplateKey | undefined;

  async function sweep(input: TemplateInput): Promise<void> {
    const { instance, elementName } = input;
    const last = await drivers.lastRun(input);
    if (last === 'running') return;
    if (last === 'terminated' || last === 'cancelled') {
      await templates.endWatch(input, clock.nowMs());
      log({ level: 'info', message: 'a template is no longer followed, as its run', instance, elementName, run: last });
      return;
    }
    await drivers.continueRun(input);
    log({ level: 'warn', message: 'a template without a run has one again', instance, elementName, run: last });
  }

  return {
    name: 'sweep templates',
    everyMs: EVERY_MS,
    async round() {
      const limit = MOST_IN_A_ROUND;
      const page = await templates.unfinished({ namespace, limit, ...present({ after }) });
      for (const input of page) await sweep(input);
      after = page.length < limit ? undefined : page.at(-1);
    },
  };
}
