/**
 * The summary of a campaign as one page, without scripts and without anything from another address. It shows no
 * recipient's number or values.
 */
import { createHash } from 'node:crypto';
import { accountsOf, type ContentTemplate, type MessageState, type VariantFigure } from '../../contract/index.js';
import { FIGURES, localTimeAt, markup, Markup } from '../../domain/index.js';
import { SUMMARY_EVENTS, type ReasonCount, type SummaryEvent } from '../../ledger/index.js';
import { hasEnded, isNotReached, stepsOf, type CampaignSummary, type OverTime } from './summary.js';
import { SUMMARY_STYLE } from './summary-style.js';
import { CAMPAIGN_WORDS, STATE_WORDS, VERDICT_TITLES, accountWords, reasonWords } from './summary-words.js';

/** Allows this page's style, and nothing else. */
export const SUMMARY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(SUMMARY_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const STYLE = new Markup(SUMMARY_STYLE);

export function summaryPage(summary: CampaignSummary): string {
  const { campaign, generatedAtMs, timezone } = summary;
  const { content, variants } = campaign;
  const title = campaign.name ?? campaign.id;
  const quote = variants === undefined ? quoteOf(content) : markup``;
  const { offset } = localTimeAt(timezone, generatedAtMs);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${SUMMARY_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – campaign report</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${headOf(summary, title)}
${keyFigures(summary)}
${byState(summary)}
${byAccount(summary)}
${overTime(summary)}
${notReached(summary)}
${rejectedLines(summary)}
${variantsOf(campaign)}
${quote.text === '' ? quote : markup`<section><h2>${content.kind === 'template' ? 'Template' : 'Message'}</h2>${quote}</section>`}
<footer>Generated ${shownTime(timezone, generatedAtMs)}. All times are those of ${timezone} (now UTC${offset}). Percentages are rounded.</footer>
</main>
</body>
</html>
`.text;
}

function headOf(summary: CampaignSummary, title: string): Markup {
  const { campaign, timezone, generatedAtMs } = summary;
  const { id, state, startAt, startedAt, endedAt, recipientsRemovedAt } = campaign;
  const senders = accountsOf(campaign);
  const at = (time: string) => shownTime(timezone, Date.parse(time));
  const times = [
    startedAt === undefined ? startAt && `Starts ${at(startAt)}` : `Started ${at(startedAt)}`,
    endedAt && `Ended ${at(endedAt)}`,
  ].filter((text) => text !== undefined);
  const isUnderWay = startedAt !== undefined && !hasEnded(summary);
  return markup`<header>
<p class="eyebrow">Campaign report</p>
<h1 dir="auto">${title}</h1>
<p class="facts"><span class="chip ${hasEnded(summary) ? 'ended' : 'open'}">${CAMPAIGN_WORDS[state]}</span>
<span>Campaign <bdi>${id}</bdi></span> <span>${senders.length === 1 ? 'Account' : 'Accounts'} <bdi>${senders.join(', ')}</bdi></span> ${times.map((text) => markup`<span>${text}</span>`)}</p>
${isUnderWay ? markup`<p class="note">So far: the campaign has not ended. These are the figures of ${shownTime(timezone, generatedAtMs)}.</p>` : []}
${recipientsRemovedAt === undefined ? [] : markup`<p class="note">The recipients and messages were removed on ${at(recipientsRemovedAt)} because of their age. The totals remain.</p>`}
</header>`;
}

function keyFigures(summary: CampaignSummary): Markup {
  const { recipients, campaign } = summary;
  const { sent, delivered, read, notReached: missed } = stepsOf(summary);
  const tiles = [
    { name: 'Recipients', value: recipients, note: '' },
    { name: 'Sent', value: sent, note: share(sent, recipients) },
    { name: 'Delivered', value: delivered, note: share(delivered, recipients) },
    { name: 'Read', value: read, note: share(read, recipients) },
    { name: 'Not reached', value: missed, note: share(missed, recipients) },
    { name: 'Replied', value: campaign.replied, note: share(campaign.replied, sent) },
    { name: 'Opted out', value: campaign.optedOut, note: share(campaign.optedOut, sent) },
  ];
  return markup`<section class="tiles" aria-label="Key figures">
${tiles.map(({ name, value, note }) => markup`<div class="tile"><b>${name}</b><strong>${shownCount(value)}</strong><small>${note}</small></div>`)}
</section>`;
}

function byState({ outcomes, recipients, campaign }: CampaignSummary): Markup {
  const states = (Object.keys(STATE_WORDS) as MessageState[])
    .map((state) => ({ state, count: sumOf(outcomes.filter((outcome) => outcome.state === state)) }))
    .filter(({ count }) => count > 0);
  if (recipients === 0) {
    const imported =
      campaign.imported === undefined ? 'No recipients are imported yet.' : 'No line became a recipient.';
    return markup`<section><h2>Recipients by state</h2><p>${imported}</p></section>`;
  }
  return markup`<section>
<h2>Recipients by state</h2>
<svg class="stack" role="img" aria-label="Shares of the states">${stacked(states, recipients)}</svg>
<table>
<thead><tr><th>State</th><th class="wide">Share</th><th class="n">Recipients</th><th class="n">%</th></tr></thead>
<tbody>
${states.map(({ state, count }) => barRow(STATE_WORDS[state], count, recipients, `s-${state}`))}
</tbody>
<tfoot><tr><th>All recipients</th><td class="wide"></td><td class="n">${shownCount(recipients)}</td><td class="n">100 %</td></tr></tfoot>
</table>
</section>`;
}

/** Parts side by side, which fill the whole if they add up to it. */
function stacked(states: readonly { readonly state: MessageState; readonly count: number }[], whole: number): Markup[] {
  let from = 0;
  return states.map(({ state, count }) => {
    const width = (100 * count) / whole;
    from += width;
    return markup`<rect class="s-${state}" x="${percent(from - width)}" width="${percent(width)}" height="100%"><title>${STATE_WORDS[state].title}: ${shownCount(count)}</title></rect>`;
  });
}

/** What each account of a pool has sent, and has ahead. The longest bar is that of the account with the most. */
function byAccount({ campaign: { accounts, counts } }: CampaignSummary): Markup {
  if (accounts.length < 2) return markup``;
  const rows = accounts.map((account) => {
    const states = (Object.keys(STATE_WORDS) as MessageState[])
      .map((state) => ({ state, count: account.counts[state] }))
      .filter(({ count }) => count > 0);
    return { account, states, recipients: states.reduce((sum, { count }) => sum + count, 0) };
  });
  const most = Math.max(1, ...rows.map(({ recipients }) => recipients));
  const given = rows.reduce((sum, { recipients }) => sum + recipients, 0);
  const without = Object.values(counts).reduce((sum, count) => sum + count, 0) - given;
  return markup`<section>
<h2>Recipients by account</h2>
<p class="hint">The colours are those of the states above.${without === 0 ? '' : ` ${shownCount(without)} recipients have no account yet.`}</p>
<table>
<thead><tr><th>Account</th><th class="wide">Recipients by state</th><th class="n">Waiting</th><th class="n">Recipients</th></tr></thead>
<tbody>
${rows.map(
  ({ account, states, recipients }) =>
    markup`<tr><td dir="auto"><b>${account.instance}</b><small>${accountWords(account)}</small></td><td class="wide"><svg class="stack" role="img" aria-label="Recipients of ${account.instance} by state">${stacked(states, most)}</svg></td><td class="n">${shownCount(account.counts.pending)}</td><td class="n">${shownCount(recipients)}</td></tr>`,
)}
</tbody>
</table>
</section>`;
}

const EVENT_WORDS: Readonly<Record<SummaryEvent, string>> = {
  accepted: 'Handed to the gateway',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Failed',
};

function overTime({ overTime: times, timezone, campaign }: CampaignSummary): Markup {
  if (times === undefined) {
    if (campaign.recipientsRemovedAt !== undefined) return markup``;
    return markup`<section><h2>Over time</h2><p>Nothing was sent yet.</p></section>`;
  }
  const { startsMs, widthMs } = times.buckets;
  const strips = SUMMARY_EVENTS.map((event) => strip(event, times, timezone));
  const { name, ms: unitMs } = UNITS.find((unit) => widthMs % unit.ms === 0) ?? UNITS[2];
  const width = widthMs === unitMs ? name : `${widthMs / unitMs} ${name}s`;
  const label = (ms: number) => (widthMs < UNITS[0].ms ? shownTime(timezone, ms) : shownDate(timezone, ms));
  const ticks = [0, Math.floor(startsMs.length / 2), startsMs.length - 1].map((bucket) => startsMs[bucket] ?? 0);
  return markup`<section>
<h2>Over time</h2>
<p class="hint">Messages in each ${width}, by the clocks of ${timezone}. Each row has its own scale.</p>
${strips}
<div class="axis">${ticks.map((ms) => markup`<span>${label(ms)}</span>`)}</div>
</section>`;
}

function strip(event: SummaryEvent, { buckets, messages }: OverTime, timezone: string): Markup {
  const counts = messages[event];
  const most = Math.max(...counts);
  const total = counts.reduce((sum, one) => sum + one, 0);
  const bars = counts.flatMap((count, at) => {
    if (count === 0) return [];
    const height = visible((100 * count) / most);
    const start = shownTime(timezone, buckets.startsMs[at] ?? 0);
    return [
      markup`<rect x="${at + 0.1}" y="${rounded(100 - height)}" width="0.8" height="${rounded(height)}"><title>${start}: ${shownCount(count)}</title></rect>`,
    ];
  });
  const peak = total === 0 ? 'none' : `peak ${shownCount(most)}`;
  return markup`<figure class="strip e-${event}">
<figcaption><b>${EVENT_WORDS[event]}</b> <span>${shownCount(total)}</span> <small>${peak}</small></figcaption>
<svg viewBox="0 0 ${counts.length} 100" preserveAspectRatio="none" role="img" aria-label="${EVENT_WORDS[event]} over time">${bars}</svg>
</figure>`;
}

function notReached({ outcomes }: CampaignSummary): Markup {
  const reasons = outcomes
    .filter(({ state }) => isNotReached(state) || state === 'unresolved')
    .toSorted((one, other) => other.recipients - one.recipients);
  if (reasons.length === 0) return markup``;
  const total = sumOf(reasons);
  return markup`<section>
<h2>Not reached, or unclear, by reason</h2>
<table>
<thead><tr><th>Reason</th><th class="wide">Share</th><th class="n">Recipients</th><th class="n">%</th></tr></thead>
<tbody>
${reasons.map(({ state, reason, recipients }) => barRow(reasonWords(state, reason), recipients, total, `s-${state}`))}
</tbody>
</table>
</section>`;
}

function rejectedLines({ campaign: { imported } }: CampaignSummary): Markup {
  if (imported === undefined) return markup``;
  const rejected = (Object.keys(VERDICT_TITLES) as (keyof typeof VERDICT_TITLES)[])
    .map((verdict) => ({ verdict, count: imported.verdicts[verdict] }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
  if (rejected.length === 0) return markup``;
  const wordsFor = (verdict: keyof typeof VERDICT_TITLES) => ({
    title: VERDICT_TITLES[verdict],
    text: imported.remedies.find((one) => one.verdict === verdict)?.remedy ?? '',
  });
  return markup`<section>
<h2>Lines of the list that became no recipient</h2>
<p class="hint">${shownCount(imported.verdicts.accepted)} of ${shownCount(imported.lines)} lines became a recipient.</p>
<table>
<thead><tr><th>Reason</th><th class="wide">Share</th><th class="n">Lines</th><th class="n">%</th></tr></thead>
<tbody>
${rejected.map(({ verdict, count }) => barRow(wordsFor(verdict), count, imported.lines, 's-rejected'))}
</tbody>
</table>
</section>`;
}

function barRow(
  { title, text }: { readonly title: string; readonly text: string },
  count: number,
  total: number,
  className: string,
): Markup {
  return markup`<tr><td dir="auto"><b>${title}</b><small>${text}</small></td><td class="wide"><svg class="bar" aria-hidden="true"><rect class="${className}" width="${percent(visible((100 * count) / total))}" height="100%" rx="2"/></svg></td><td class="n">${shownCount(count)}</td><td class="n">${share(count, total)}</td></tr>`;
}

/** The results of each variant, with their intervals, whether they differ by more than chance, and the texts. */
function variantsOf({ variants = [], comparison = [], winner }: CampaignSummary['campaign']): Markup {
  if (variants.length === 0) return markup``;
  const interval = ({ low, high }: VariantFigure) => `${share(low, 1)} to ${share(high, 1)}`;
  return markup`<section>
<h2>Variants</h2>
<table>
<thead><tr><th>Variant</th><th class="n">Recipients</th><th class="n">Posted</th>${FIGURES.map(([, title]) => markup`<th class="n">${title}</th>`)}</tr></thead>
<tbody>
${variants.map(
  ({ name, share: part, results }) =>
    markup`<tr><td dir="auto"><b>${name}</b><small>${name === winner ? `${part}, the winner` : part}</small></td><td class="n">${shownCount(results.recipients)}</td><td class="n">${shownCount(results.posted)}</td>${FIGURES.map(([figure]) => markup`<td class="n">${share(results[figure].count, results.posted)}<small>${results.posted === 0 ? '' : interval(results[figure])}</small></td>`)}</tr>`,
)}
</tbody>
</table>
${comparison.map((sentence) => markup`<p class="hint">${sentence}</p>`)}
${variants.map(({ name, content }) => markup`<h3 dir="auto">${name}</h3>${quoteOf(content)}`)}
</section>`;
}

function quoteOf(content: ContentTemplate): Markup {
  const fields: Readonly<Record<string, unknown>> = content;
  const text = ['text', 'caption', 'message', 'elementName']
    .map((name) => fields[name])
    .find((one) => typeof one === 'string');
  return typeof text === 'string' ? markup`<blockquote dir="auto">${text}</blockquote>` : markup``;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `1 Mar 2026` */
function shownDate(timezone: string, atMs: number): string {
  const [year, month = 1, day] = localTimeAt(timezone, atMs).dateTime.slice(0, 10).split('-').map(Number);
  return `${day} ${MONTHS[month - 1]} ${year}`;
}

/** `1 Mar 2026, 11:00` */
function shownTime(timezone: string, atMs: number): string {
  return `${shownDate(timezone, atMs)}, ${localTimeAt(timezone, atMs).dateTime.slice(11, 16)}`;
}

const UNITS = [
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
] as const;

function shownCount(count: number): string {
  return count.toLocaleString('en');
}

/** Rounded to a tenth, but never to nothing or everything. */
function share(count: number, total: number): string {
  if (count === 0 || total === 0) return '0 %';
  const value = (100 * count) / total;
  if (value < 0.1) return '< 0.1 %';
  if (count < total && value > 99.9) return '> 99.9 %';
  return `${value.toFixed(1)} %`;
}

/** A bar for one among thousands can still be seen. */
function visible(length: number): number {
  return Math.max(2, length);
}

function percent(value: number): string {
  return `${rounded(value)}%`;
}

function rounded(value: number): string {
  return String(Math.round(value * 1_000) / 1_000);
}

function sumOf(outcomes: readonly ReasonCount[]): number {
  return outcomes.reduce((sum, { recipients }) => sum + recipients, 0);
}
