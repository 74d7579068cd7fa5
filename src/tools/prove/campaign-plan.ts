/**
 * The campaigns of a plan.
 *
 * PAIR-1 They come in pairs, of other priorities, one of which has `onUnknown: auto`. Each is imported in the round
 *    before the one that it starts in, so that kills fall into both.
 * PAIR-2 The second of a pair starts a round after the first. By then the first was killed while it was sent, so that
 *    both are sent at once.
 * PAIR-3 Each is killed in the round that it starts in: the first pair at the points that only campaigns come to, later
 *    ones at every point that a message comes to as well.
 * PAIR-4 Each is paused once and resumed. Beyond the first batch, the response for every third recipient goes wrong.
 */
import { FAULT_POINTS, type CampaignId, type FaultPoint, type OnUnknown, type Priority } from '../../contract/index.js';
import type { GatewayFault } from './faults.js';
import type { SeededRandom } from './seeded-random.js';

/** One text to one phone, in whichever way it is asked for. */
export interface PlannedText {
  /** Phone digits. */
  readonly to: string;
  /** No other message to this chat has it, identical messages apart. */
  readonly text: string;
  readonly onUnknown: OnUnknown;
  readonly edits: readonly PlannedEdit[];
}

export interface PlannedEdit {
  readonly idempotencyKey: string;
  readonly text: string;
  /** Since the message was acknowledged, or the edit before this one was. */
  readonly afterMs: number;
}

export interface PlannedCampaign {
  readonly id: CampaignId;
  readonly instance: string;
  /** Where the product is killed once it is started. */
  readonly killedAt: FaultPoint;
  readonly priority: Priority;
  readonly onUnknown: OnUnknown;
  readonly highWater: number;
  /** With the variable `name`, from which every recipient's text is made. */
  readonly text: string;
  readonly recipients: readonly PlannedRecipient[];
  readonly pause: {
    /** Since the start was acknowledged. */
    readonly afterMs: number;
    readonly forMs: number;
  };
}

export interface PlannedRecipient extends PlannedText {
  readonly name: string;
  /** Goes wrong with the first send to them. */
  readonly gatewayFault?: GatewayFault;
}

/** With fewer messages than this all of them are single ones. */
const FEWEST_MESSAGES = 16;
const FEWEST_IN_A_PAIR = 8;
const USUAL_IN_A_PAIR = 50;
const FEWEST_USUALLY = 10;
const MOST_APART = 15;

/** @returns how many of so many messages go to recipients of campaigns */
export function countRecipients(messages: number, percent: number): number {
  if (messages < FEWEST_MESSAGES || percent === 0) return 0;
  return Math.max(FEWEST_IN_A_PAIR, Math.round((messages * percent) / 100));
}

/** @returns pairs, one campaign after the other */
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
      const highWater = Math.max(3, Math.min(8, Math.ceil(size / 2)));
      const text = `Hello {{name}}, offer ${number} of run ${seed} is for you.`;
      return {
        id: `prove-${seed}-${number}` as CampaignId,
        instance: instances[pair % instances.length] ?? '',
        killedAt: point,
        priority,
        onUnknown,
        highWater,
        text,
        recipients: Array.from({ length: size }, (__, at): PlannedRecipient => {
          const name = `Recipient ${at + 1}`;
          const recipient = {
            to: phoneOf(number, at),
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

/**
 * Where the campaigns of each pair are killed. While two are sent at once, the one with the lower priority may get few
 * turns.
 */
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

/** A phone that no other campaign has. */
function phoneOf(campaign: number, index: number): string {
  return `1555${String(campaign).padStart(3, '0')}${String(1_001 + index)}`;
}
