import type { Recipient } from '../../contract/index.js';
import type { PlannedStream, SendingRules } from '../../domain/index.js';
import type { CampaignView } from '../../ledger/index.js';

/** The recipients of a campaign who are to be posted to, by the clock that their window follows. */
export class PlannedAudience {
  recipients = 0;
  /** Lines are kept only where they decide something. */
  readonly #hasJitter: boolean;
  /** In a started campaign the recipients before this place have been posted to, since they are posted to in order. */
  readonly #firstPlace: number;
  readonly #streams = new Map<string | undefined, { recipients: number; readonly lines: number[] }>();

  constructor({ state, audience, counts, limits }: CampaignView) {
    this.#hasJitter = limits?.jitter !== undefined;
    this.#firstPlace = state === 'draft' ? 0 : audience - counts.pending;
  }

  add({ line, timezone }: Recipient, place: number): void {
    if (place < this.#firstPlace) return;
    const stream = this.#streams.get(timezone) ?? { recipients: 0, lines: [] };
    this.#streams.set(timezone, stream);
    stream.recipients += 1;
    if (this.#hasJitter) stream.lines.push(line);
    this.recipients += 1;
  }

  streams(rulesOf: (timezone: string | undefined) => SendingRules): PlannedStream[] {
    return [...this.#streams].map(([timezone, { recipients, lines }]) => ({
      rules: rulesOf(timezone),
      recipients,
      lineAt: (place) => lines[place] ?? 0,
    }));
  }
}
