/** A forecast as text and as a table. */
import type { CampaignPlan } from '../../../starter/index.js';
import { offsetAt } from '../../../domain/index.js';
import { table, type Column } from '../../table.js';

export type Forecast = CampaignPlan['forecast'];
export type PlanWait = Forecast['waits'][number];

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

interface TableRow {
  readonly from: string;
  readonly posted: number;
  readonly left: number;
  readonly total: number;
  readonly waits: string;
}

const COLUMNS: readonly Column<TableRow>[] = [
  { header: 'FROM', value: ({ from }) => from },
  { header: 'POSTED', value: ({ posted }) => posted, align: 'right' },
  { header: 'LEFT QUEUE', value: ({ left }) => left, align: 'right' },
  { header: 'TOTAL', value: ({ total }) => total, align: 'right' },
  { header: 'WAITS', value: ({ waits }) => (waits === '' ? undefined : waits) },
];

function rowsTable({ rows, waits, timezone, by }: Forecast, width: number | undefined): string[] {
  let total = 0;
  const shown = rows.map(({ from, posted, left }, at) => {
    total += posted;
    const local = localText(timezone, from);
    return {
      from: by === 'day' ? local.slice(0, 10) : local,
      posted,
      left,
      total,
      waits: waitsText(waits, Date.parse(from), Date.parse(rows[at + 1]?.from ?? '') || Infinity),
    };
  });
  return table(COLUMNS, shown, width);
}

/** The waits between the start of a row and the start of the next one, with their durations. */
function waitsText(waits: readonly PlanWait[], fromMs: number, untilMs: number): string {
  const lasting = new Map<PlanWait['reason'], number>();
  for (const { from, until, reason } of waits) {
    const ms = Math.min(Date.parse(until), untilMs) - Math.max(Date.parse(from), fromMs);
    if (ms > 0) lasting.set(reason, (lasting.get(reason) ?? 0) + ms);
  }
  return [...lasting].map(([reason, ms]) => `${WAITS[reason]} ${duration(Math.round(ms / 60_000) * 60)}`).join(', ');
}

/** Local time in a timezone: `2026-11-23 09:00`. */
export function localText(timezone: string, at: string | number): string {
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
