import type { Ledger } from '../../ledger/index.js';
import type { Log } from '../log.js';
import type { TemporalAccess } from '../temporal-call.js';
import { campaignRuns } from './campaign-runs.js';

/**
 * Makes what wakes the campaigns of an instance that can send again. Waking only saves time: a campaign that is not
 * reached, because Temporal is away, polls within ten minutes. So nothing needs to wait for it.
 * @returns a function that resolves when the campaigns were signalled, or that failed and was logged; it never throws
 */
export function createCampaignWaker(
  options: TemporalAccess & { readonly campaigns: Pick<Ledger['campaigns'], 'running'>; readonly log: Log },
): (instance: string) => Promise<void> {
  const { campaigns, log } = options;
  const runs = campaignRuns(options);
  const underWay = new Map<string, Promise<void>>();
  const askedAgain = new Set<string>();

  async function wake(instance: string): Promise<void> {
    try {
      do {
        askedAgain.delete(instance);
        for (const id of await campaigns.running(instance)) await runs.notifyChanged(id);
      } while (askedAgain.has(instance));
    } catch (error) {
      log({ level: 'warn', message: 'Campaigns could not be woken; they poll within ten minutes', instance, error });
    }
    underWay.delete(instance);
  }

  return (instance) => {
    askedAgain.add(instance);
    const waking = underWay.get(instance) ?? wake(instance);
    underWay.set(instance, waking);
    return waking;
  };
}
