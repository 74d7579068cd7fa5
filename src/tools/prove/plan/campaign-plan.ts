/**
 * Plans the campaigns of a run.
 *
 * PAIR-1 Campaigns come in pairs with different priorities. One of a pair has `onUnknown: auto`. A campaign is imported
 *    in the round before its start, so that kills hit both the import and the sending.
 * PAIR-2 The second campaign of a pair starts a round after the first. A kill interrupted the first one before, so that
 *    the product sends both at once.
 * PAIR-3 The product is killed in the round in which a campaign starts. For the first pair the fault points are those
 *    that only campaigns reach; for later pairs they are all fault points.
 * PAIR-4 Each campaign is paused and resumed once. After the first batch, every third recipient has a gateway fault.
 * PAIR-5 With several instances, each campaign sends from all of them, and each change of its accounts happens to it
 *    once, while processes are killed: one is taken from its list, one is paused, one loses its authorization. Each is
 *    reversed after a while, so that messages move to other accounts and back.
 */
import {
  FAULT_POINTS,
  type CampaignId,
  type FaultPoint,
  type OnUnknown,
  type Priority,
} from '../../../contract/index.js';
import type { GatewayFault } from './faults.js';
import type { SeededRandom } from './seeded-random.js';

/** One text to one phone, as a single message or in a campaign. */
export interface PlannedText {
  /** Phone digits. */
  readonly to: string;
  /** Unique for this chat, except for identical messages. */
  readonly text: string;
  readonly onUnknown: OnUnknown;
  readonly edits: readonly PlannedEdit[];
}

export interface PlannedEdit {
  readonly idempotencyKey: string;
  readonly text: string;
  /** The delay since the acknowledgement of the message, or of the edit before. */
  readonly afterMs: number;
}

/** What happens to an account for a while. */
export type AccountChangeKind = 'removed' | 'paused' | 'not authorized';

export interface AccountChange {
  readonly kind: AccountChangeKind;
  readonly instance: string;
  /** The delay since the start of the campaign, or since the end of the change before. */
  readonly afterMs: number;
  readonly forMs: number;
}

export interface PlannedCampaign {
  readonly id: CampaignId;
  /** The first one is the campaign's own. */
  readonly instances: readonly string[];
  readonly accountChanges: readonly AccountChange[];
  /** The fault point at which the product is killed after the start of the campaign. */
  readonly killedAt: FaultPoint;
  readonly priority: Priority;
  readonly onUnknown: OnUnknown;
  readonly highWater: number;
  /** The text with the variable `name`. */
  readonly text: string;
  readonly recipients: readonly PlannedRecipient[];
  readonly pause: {
    /** The delay since the acknowledgement of the start. */
    readonly afterMs: number;
    readonly forMs: number;
  };
}

export interface PlannedRecipient extends PlannedText {
  readonly name: string;
  /** The fault of the first send to this recipient. */
  readonly gatewayFault?: GatewayFault;
}

/** A plan with fewer messages has no campaigns. */
const FEWEST_MESSAGES = 16;
const FEWEST_IN_A_PAIR = 8;
const USUAL_IN_A_PAIR = 50;
const FEWEST_USUALLY = 10;
const MOST_APART = 15;

/** @returns how many of the messages go to recipients of campaigns */
export function countRecipients(messages: number, percent: number): number {
  if (messages < FEWEST_MESSAGES || percent === 0) return 0;
  return Math.max(FEWEST_IN_A_PAIR, Math.round((messages * percent) / 100));
}

/** @returns all campaigns, the two of each pair one after the other */
export function planCampaigns(
  recipients: number,
  { seed, onUnknown: asked }: { readonly seed: number; readonly onUnknown?: OnUnknown },
  instances: readonly string[],
  random: SeededRandom,
  nextFault: () => GatewayFault,
): PlannedCampaign[] {
  if (recipients === 0) return [];
  const pairs = Math.max(1, Math.round(recipients / USUAL_IN_A_PAIR));
  const points = pointsOfPairs(random);
  return Array.from({ length: pairs }, (_, pair) => {
    const inPair = Math.round(((pair + 1) * recipients) / pairs) - Math.round((pair * recipients) / pairs);
    const sizes = [sizeOfFirst(inPair, random)];
    sizes.push(inPair - (sizes[0] ?? 0));
    const priorities = random.shuffled<Priority>(['urgent', 'high', 'normal', 'low']);
    const whenUnknown = random.shuffled<OnUnknown>(['manual', 'auto']);
    const killedAt = points[pair % points.length] ?? [];
    return killedAt.map((point, index): PlannedCampaign => {
      const [size = 0, priority = 'normal', onUnknown = 'manual'] = [
        sizes[index],
        priorities[index],
        asked ?? whenUnknown[index],
      ];
      const number = 2 * pair + index + 1;
      // Each pair begins with another instance.
      const own = instances.map((__, at) => instances[(pair + at) % instances.length] ?? '');
      const highWater = Math.max(3, Math.min(8, Math.ceil(size / 2)));
      const text = `Hello {{name}}, offer ${number} of run ${seed} is for you.`;
      return {
        id: `prove-${seed}-${number}` as CampaignId,
        instances: own,
        accountChanges: planChanges(own, random),
        killedAt: point,
        priority,
        onUnknown,
        highWater,
        text,
        recipients: Array.from({ length: size }, (__, at): PlannedRecipient => {
          const name = `Recipient ${at + 1}`;
          const recipient = {
            // No other campaign has this phone.
            to: `1555${String(number).padStart(3, '0')}${String(1_001 + at)}`,
            name,
            text: text.replace('{{name}}', name),
            onUnknown,
            edits: [],
          };
          return at >= highWater && at % 3 === 0 ? { ...recipient, gatewayFault: nextFault() } : recipient;
        }),
        pause: { afterMs: random.between(200, 1_500), forMs: random.between(500, 3_000) },
      };
    });
  }).flat();
}

/** PAIR-5 */
function planChanges(instances: readonly string[], random: SeededRandom): AccountChange[] {
  if (instances.length === 1) return [];
  const accounts = random.shuffled(instances);
  return random.shuffled<AccountChangeKind>(['removed', 'paused', 'not authorized']).map((kind, at) => ({
    kind,
    instance: accounts[at % accounts.length] ?? '',
    afterMs: random.between(0, 1_000),
    forMs: random.between(2_000, 6_000),
  }));
}

/** The two fault points of each pair of campaigns. */
function pointsOfPairs(random: SeededRandom): readonly (readonly FaultPoint[])[] {
  const deck = random.shuffled<FaultPoint>(FAULT_POINTS);
  const later = deck.flatMap((_, index) => (index % 2 === 0 ? [deck.slice(index, index + 2)] : []));
  return [['rows.between', 'campaign.before_continue_as_new'], ...later];
}

function sizeOfFirst(inPair: number, random: SeededRandom): number {
  const half = Math.floor(inPair / 2);
  const apart = Math.min(MOST_APART, Math.max(0, half - FEWEST_USUALLY));
  return half + random.between(-apart, apart);
}
