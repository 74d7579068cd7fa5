/** A forecast as text with a table, and as an SVG chart: messages posted per period, the total, and the waits. */
import type { CampaignPlan } from '../../../api/index.js';
import { escapeHtml, offsetAt } from '../../../domain/index.js';
import { table } from '../../table.js';

export type Forecast = CampaignPlan['forecast'];
type PlanWait = Forecast['waits'][number];

const WAITS: Readonly<Record<PlanWait['reason'], string>> = {
  SENDING_WINDOW_CLOSED: 'closed',
  QUIET_HOURS: 'quiet',
  DAILY_LIMIT_REACHED: 'capped',
  OFFLINE: 'offline',
};

export function forecastText(forecast: Forecast, width: number | undefined): string[] {
  const { depth, depthFrom, depthReadAt, releaseIntervalMs, intervalFrom, recipients, notPosted } = forecast;
  const { startsAt, finishesAt, durationSeconds, timezone } = forecast;
  const queue =
    depth === undefined
      ? 'Queue: unknown'
      : `Queue: ${depth} items (${depthFrom}${depthReadAt === undefined ? '' : `, ${depthReadAt}`})`;
  const from = `From ${localText(timezone, startsAt)}`;
  return [
    `${queue}; one message leaves every ${releaseIntervalMs / 1_000} s (${intervalFrom})`,
    `Takes about ${duration(durationSeconds)} for ${recipients - notPosted} recipients`,
    finishesAt === undefined ? from : `${from} until ${localText(timezone, finishesAt)} (${timezone})`,
    ...(forecast.rows.length === 0 ? [] : ['', ...rowsTable(forecast, width)]),
  ];
}

function rowsTable({ rows, waits, timezone, by }: Forecast, width: number | undefined): string[] {
  let total = 0;
  const shown = rows.map(({ from, posted, left }, at) => {
    total += posted;
    const local = localText(timezone, from);
    // Waits count for a row until the start of the next one.
    const fromMs = Date.parse(from);
    const untilMs = Date.parse(rows[at + 1]?.from ?? '') || Infinity;
    const lasting = new Map<PlanWait['reason'], number>();
    for (const wait of waits) {
      const ms = Math.min(Date.parse(wait.until), untilMs) - Math.max(Date.parse(wait.from), fromMs);
      if (ms > 0) lasting.set(wait.reason, (lasting.get(wait.reason) ?? 0) + ms);
    }
    return {
      from: by === 'day' ? local.slice(0, 10) : local,
      posted,
      left,
      total,
      waits: [...lasting]
        .map(([reason, ms]) => `${WAITS[reason]} ${duration(Math.round(ms / 60_000) * 60)}`)
        .join(', '),
    };
  });
  return table(
    [
      { header: 'FROM', value: ({ from }) => from },
      { header: 'POSTED', value: ({ posted }) => posted, align: 'right' },
      { header: 'LEFT QUEUE', value: ({ left }) => left, align: 'right' },
      { header: 'TOTAL', value: (row) => row.total, align: 'right' },
      { header: 'WAITS', value: (row) => (row.waits === '' ? undefined : row.waits) },
    ],
    shown,
    width,
  );
}

/** Local time in a timezone: `2026-11-23 09:00`. */
function localText(timezone: string, at: string | number): string {
  const ms = new Date(at).getTime();
  return new Date(ms + offsetAt(timezone, ms).offsetMs).toISOString().slice(0, 16).replace('T', ' ');
}

/** `2 d 3 h`, `4 min`, `12 s`: the two largest units. */
export function duration(seconds: number): string {
  const units = [
    ['d', Math.floor(seconds / 86_400)],
    ['h', Math.floor(seconds / 3_600) % 24],
    ['min', Math.floor(seconds / 60) % 60],
    ['s', seconds % 60],
  ] as const;
  const first = units.findIndex(([, count]) => count > 0);
  if (first === -1) return '0 s';
  return units
    .slice(first, first + 2)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => `${count} ${unit}`)
    .join(' ');
}

const WIDTH = 960;
const HEIGHT = 400;
const LEFT = 64;
const RIGHT = 64;
const TOP = 56;
const BOTTOM = 72;
const PLOT_WIDTH = WIDTH - LEFT - RIGHT;
const PLOT_HEIGHT = HEIGHT - TOP - BOTTOM;
const AXIS_Y = TOP + PLOT_HEIGHT;

const BAR = '#2f6fb3';
const TOTAL = '#c2571a';
const TEXT = '#333333';
const GRID = '#dddddd';
const SHADES: Readonly<Record<PlanWait['reason'], string>> = {
  SENDING_WINDOW_CLOSED: '#ebebeb',
  QUIET_HOURS: '#e3e0f3',
  DAILY_LIMIT_REACHED: '#fbe8c8',
  OFFLINE: '#f6d6d6',
};
const REASONS: Readonly<Record<PlanWait['reason'], string>> = {
  SENDING_WINDOW_CLOSED: 'sending window closed',
  QUIET_HOURS: 'quiet hours',
  DAILY_LIMIT_REACHED: 'daily cap reached',
  OFFLINE: 'offline',
};
const MINUTE_MS = 60_000;
/** Minutes between ticks of the time axis; the chart uses the first value that leaves space for the labels. */
const TICK_MINUTES = [1, 2, 5, 10, 15, 30, ...[1, 2, 3, 6, 12, 24, 48, 96, 168, 336, 672, 1344].map((h) => h * 60)];
const LONGEST_TICK = 2688 * 60;
const MOST_TICKS = 12;
/** Approximate width of a character of the legend, in pixels. */
const LETTER = 6.4;

export function planChart(title: string, forecast: Forecast): string {
  const { rows, waits, timezone, by, startsAt, finishesAt = startsAt } = forecast;
  const fromMs = Date.parse(startsAt);
  const untilMs = Math.max(Date.parse(finishesAt), fromMs + MINUTE_MS);
  const x = (ms: number) =>
    LEFT + ((Math.min(Math.max(ms, fromMs), untilMs) - fromMs) / (untilMs - fromMs)) * PLOT_WIDTH;
  const most = roundUp(Math.max(1, ...rows.map(({ posted }) => posted)));
  const total = forecast.recipients;

  const shades = waits.map(({ from, until, reason }) =>
    rect(x(Date.parse(from)), TOP, x(Date.parse(until)) - x(Date.parse(from)), PLOT_HEIGHT, SHADES[reason]),
  );
  const levels = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
    const y = AXIS_Y - share * PLOT_HEIGHT;
    return [
      `<line x1="${LEFT}" y1="${px(y)}" x2="${WIDTH - RIGHT}" y2="${px(y)}" stroke="${GRID}"/>`,
      text(LEFT - 8, y + 4, String(Math.round(most * share)), 'end'),
      text(WIDTH - RIGHT + 8, y + 4, `${share * 100} %`, 'start'),
    ];
  });
  const bars = rows.map(({ from, until, posted }) => {
    const left = x(Date.parse(from));
    const width = Math.max(0.5, (x(Date.parse(until)) - left) * 0.9);
    const height = (posted / most) * PLOT_HEIGHT;
    return rect(left, AXIS_Y - height, width, height, BAR, `${localText(timezone, from)}: ${posted}`);
  });
  let done = 0;
  const line = rows.flatMap(({ from, until, posted }) => {
    const before = point(x(Date.parse(from)), done / Math.max(1, total));
    done += posted;
    return [before, point(x(Date.parse(until)), done / Math.max(1, total))];
  });
  const ticks = ticksOf(fromMs, untilMs, timezone).map((ms) => {
    const [date = '', time = ''] = localText(timezone, ms).split(' ');
    return [
      `<line x1="${px(x(ms))}" y1="${AXIS_Y}" x2="${px(x(ms))}" y2="${AXIS_Y + 5}" stroke="${TEXT}"/>`,
      text(x(ms), AXIS_Y + 18, time, 'middle'),
      text(x(ms), AXIS_Y + 32, date.slice(5), 'middle'),
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" ` +
      `font-family="sans-serif" font-size="12" fill="${TEXT}">`,
    rect(0, 0, WIDTH, HEIGHT, '#ffffff'),
    `<text x="${LEFT}" y="24" font-size="15" font-weight="bold">${escapeHtml(title)}</text>`,
    text(
      LEFT,
      42,
      `messages per ${by}, and total in percent; ${localText(timezone, fromMs)} to ${localText(timezone, untilMs)}, ${timezone}`,
      'start',
    ),
    ...shades,
    ...levels,
    ...bars,
    `<polyline points="${line.join(' ')}" fill="none" stroke="${TOTAL}" stroke-width="2"/>`,
    ...ticks,
    ...legend(waits),
    '</svg>',
    '',
  ].join('\n');
}

function legend(waits: readonly PlanWait[]): string[] {
  const reasons = (Object.keys(SHADES) as PlanWait['reason'][]).filter((one) =>
    waits.some(({ reason }) => reason === one),
  );
  const entries = [
    { color: BAR, label: 'posted' },
    { color: TOTAL, label: 'total' },
    ...reasons.map((reason) => ({ color: SHADES[reason], label: REASONS[reason] })),
  ];
  let at = LEFT;
  return entries.flatMap(({ color, label }) => {
    const from = at;
    at += 18 + label.length * LETTER + 16;
    return [rect(from, HEIGHT - 24, 12, 12, color), text(from + 18, HEIGHT - 14, label, 'start')];
  });
}

/** Ticks at local times that divide the hour or the day, or at local midnights. */
function ticksOf(fromMs: number, untilMs: number, timezone: string): number[] {
  const fits = (minutes: number) => (untilMs - fromMs) / (minutes * MINUTE_MS) <= MOST_TICKS;
  const everyMs = (TICK_MINUTES.find(fits) ?? LONGEST_TICK) * MINUTE_MS;
  const localFromMs = fromMs + offsetAt(timezone, fromMs).offsetMs;
  const firstMs = fromMs + Math.ceil(localFromMs / everyMs) * everyMs - localFromMs;
  return Array.from({ length: MOST_TICKS + 1 }, (_, tick) => firstMs + tick * everyMs).filter((ms) => ms <= untilMs);
}

/** The next of 1, 2, 4, 5, 6, 8 or 10 times a power of ten; at least 4. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10;
  return Math.max(4, step * power);
}

function point(x: number, share: number): string {
  return `${px(x)},${px(AXIS_Y - share * PLOT_HEIGHT)}`;
}

function rect(x: number, y: number, width: number, height: number, fill: string, title?: string): string {
  const shape = `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" fill="${fill}"`;
  return title === undefined ? `${shape}/>` : `${shape}><title>${escapeHtml(title)}</title></rect>`;
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}">${escapeHtml(words)}</text>`;
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
