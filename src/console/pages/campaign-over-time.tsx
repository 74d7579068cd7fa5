import { Table } from '../elements.js';
import type { ApiResponse } from '../../http-client/index.js';
import type { Reader } from '../reader.js';
import { ago, time, counted, localTime, number } from '../times.js';
import type { Tone } from '../words.js';

type Summary = ApiResponse<'getCampaignSummary'>;

const EVENTS = [
  ['accepted', 'Posted', 'busy'],
  ['sent', 'Sent', 'busy'],
  ['delivered', 'Delivered', 'good'],
  ['read', 'Read', 'good'],
  ['failed', 'Failed', 'bad'],
] as const satisfies readonly (readonly [string, string, Tone])[];

/** A strip of bars for each kind of event, with its own scale, and the same as a table. */
export function OverTime({ reader, summary }: { reader: Reader; summary: Summary | undefined }) {
  const { asOf, periods = [] } = summary ?? {};
  const [first, last] = [periods.at(0), periods.at(-1)];
  if (asOf === undefined || first === undefined || last === undefined) return null;
  return (
    <section aria-labelledby="over-time" class="plots">
      <h2 id="over-time">Over time</h2>
      {EVENTS.map((event) => (
        <Strip reader={reader} periods={periods} event={event} />
      ))}
      <p class="axis" aria-hidden="true">
        {time(first.from, reader)}
        {time(last.until, reader)}
      </p>
      <details class="evidence">
        <summary>As a table; counted {ago(asOf, reader)}</summary>
        <Table name="Messages over time" heads={['From', ...EVENTS.map(([, label]) => `#${label}`)]}>
          {periods
            .filter((period) => EVENTS.some(([event]) => period[event] > 0))
            .map((period) => (
              <tr>
                <th scope="row">{time(period.from, reader)}</th>
                {EVENTS.map(([event]) => (
                  <td class="number">{number(period[event], reader)}</td>
                ))}
              </tr>
            ))}
        </Table>
      </details>
    </section>
  );
}

interface StripProps {
  readonly reader: Reader;
  readonly periods: Summary['periods'];
  readonly event: (typeof EVENTS)[number];
}

const HEIGHT = 36;
/** A single message in a campaign of a million is seen, too. */
const LEAST_HEIGHT = 2;

function Strip({ reader, periods, event: [event, label, tone] }: StripProps) {
  const total = periods.reduce((sum, period) => sum + period[event], 0);
  const most = Math.max(1, ...periods.map((period) => period[event]));
  if (total === 0 && event === 'failed') return null;
  return (
    <figure class="plot">
      <figcaption>
        <span>{label}</span> <strong>{number(total, reader)}</strong>
      </figcaption>
      <svg
        role="img"
        aria-label={`${label} over time: ${counted(total, 'message', reader)}, at most ${number(most, reader)} in a period`}
        viewBox={`0 0 ${periods.length} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {periods.map((period, at) => {
          const count = period[event];
          const height = Math.max(LEAST_HEIGHT, (count / most) * HEIGHT);
          return count === 0 ? null : (
            <rect class={tone} x={at + 0.1} width="0.8" y={(HEIGHT - height).toFixed(1)} height={height.toFixed(1)}>
              <title>{`${localTime(period.from, reader.locale, reader.nowMs)}: ${number(count, reader)}`}</title>
            </rect>
          );
        })}
      </svg>
    </figure>
  );
}
