// Writes the series of a soak: as they were read (JSON), as a table (CSV) and as a picture (SVG).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const WIDTH = 760;
const HEIGHT = 110;
const LEFT = 60;
const TITLE = 24;
const COLOURS = ['#1f6feb', '#bf3989', '#1a7f37', '#9a6700', '#8250df', '#cf222e'];
const MB = 1_048_576;

/** @typedef {import('./samples.js').Sample} Sample */
/** @typedef {{ title: string, series: Readonly<Record<string, readonly (readonly [number, number])[]>> }} Panel */

/** @param {string} dir  @param {readonly Sample[]} samples */
export async function writeSeries(dir, samples) {
  await writeFile(join(dir, 'samples.json'), JSON.stringify(samples));
  await writeFile(join(dir, 'series.csv'), table(samples));
  await writeFile(join(dir, 'series.svg'), picture(panels(samples)));
}

/** @param {readonly Sample[]} samples */
function table(samples) {
  const rows = panels(samples).flatMap(({ title, series }) =>
    Object.entries(series).flatMap(([name, points]) =>
      points.map(([second, value]) => `${title},${name},${second},${value}`),
    ),
  );
  return ['what,of,second,value', ...rows, ''].join('\n');
}

/** @param {readonly Sample[]} samples  @returns {Panel[]} */
function panels(samples) {
  const ofProcess = (/** @type {(process: import('./samples.js').ProcessSample) => number | undefined} */ value) =>
    collect(samples, ({ processes }) => processes.map((process) => [process.name, value(process)]));
  return [
    { title: 'heap after a full collection (MB)', series: ofProcess(({ heapBytes }) => heapBytes && heapBytes / MB) },
    { title: 'resident memory (MB)', series: ofProcess(({ rssMb }) => rssMb) },
    { title: 'handles', series: ofProcess(({ handles }) => handles) },
    { title: 'longest event loop delay (ms)', series: ofProcess(({ lagMs }) => lagMs) },
    {
      title: 'connections and open workflows',
      series: collect(samples, ({ connections, openRuns }) => [
        ['connections', connections],
        ['workflows', openRuns],
      ]),
    },
    { title: 'messages', series: collect(samples, ({ messages }) => [['messages', messages]]) },
    {
      title: 'rows of tables of work',
      series: collect(samples, ({ tables = {} }) =>
        ['due_messages', 'outbox', 'pending_notifications', 'leases'].map((name) => [name, tables[name]?.rows]),
      ),
    },
  ];
}

/** @param {readonly Sample[]} samples  @param {(sample: Sample) => (readonly [string, number | undefined])[]} read */
function collect(samples, read) {
  /** @type {Record<string, [number, number][]>} */
  const series = {};
  for (const sample of samples) {
    const second = Math.round((sample.atMs - (samples[0]?.atMs ?? 0)) / 1_000);
    for (const [name, value] of read(sample)) {
      if (value !== undefined) (series[name] ??= []).push([second, Math.round(value * 10) / 10]);
    }
  }
  return series;
}

/** @param {readonly Panel[]} all */
function picture(all) {
  const step = HEIGHT + 2 * TITLE;
  const body = all.map((panel, at) => `<g transform="translate(0 ${at * step})">${drawn(panel)}</g>`).join('\n');
  const size = `width="${WIDTH + LEFT}" height="${all.length * step}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="white"/>
${body}
</svg>
`;
}

/** @param {Panel} panel */
function drawn({ title, series }) {
  const points = Object.values(series).flat();
  const lastX = Math.max(1, ...points.map(([x]) => x));
  const mostY = Math.max(1, ...points.map(([, y]) => y));
  const place = (/** @type {readonly [number, number]} */ [x, y]) =>
    `${(LEFT + (x / lastX) * (WIDTH - 20)).toFixed(1)},${(TITLE + HEIGHT * (1 - y / mostY)).toFixed(1)}`;
  const lines = Object.entries(series).map(([name, of], at) => {
    const colour = COLOURS[at % COLOURS.length];
    const legend = `<text x="${LEFT + 250 + at * 110}" y="14" fill="${colour}">${name}</text>`;
    return `${legend}<polyline fill="none" stroke="${colour}" points="${of.map(place).join(' ')}"/>`;
  });
  const axis = `<path d="M${LEFT} ${TITLE}V${TITLE + HEIGHT}H${WIDTH + LEFT - 20}" fill="none" stroke="#888"/>`;
  const labels = `<text x="4" y="${TITLE + 8}">${mostY}</text><text x="4" y="${TITLE + HEIGHT}">0</text>`;
  return `<text x="${LEFT}" y="14" font-weight="bold">${title}</text>${axis}${labels}${lines.join('')}`;
}
