// Checks whether the series of a soak are flat.
//
// - A process is checked if it has lived for at least 40 % of the soak, without the first half of its life: the compiler
//   and the caches fill then. A worker's heap grew by 2 MB in the second quarter of one, and by 1 MB in the second half.
// - The heap after a full collection may grow by 512 bytes for each piece of work. A leak of 1 kB a message breaks
//   that. A growth below 1.5 MB says nothing: collections differ by that.
// - Handles, connections and active resources may grow by a few. A leak of one in a hundred messages breaks that.
// - A table that keeps records may have six rows for each message, and a later row may take 1.5 times the bytes of
//   an earlier one: more would be dead rows that stay. A table of work must be empty or small at the end.

const LEAST_SHARE = 0.4;
const WARM_UP_SHARE = 0.5;
const LEAST_POINTS = 8;
const MB = 1_048_576;

const HEAP_BYTES_A_WORK = 512;
const HEAP_NOISE_BYTES = 1.5 * MB;
const RSS_SHARE = 0.15;
const RSS_NOISE_MB = 32;
const MORE_HANDLES = 8;
const MORE_RESOURCES = 16;
const MORE_CONNECTIONS = 6;
const LATER_TO_EARLIER = 1.5;
const ROWS_A_MESSAGE = 6;
/** A smaller table is mostly its indexes' first pages. */
const LEAST_TABLE_BYTES = 2 * MB;

/**
 * @typedef {import('./samples.js').Sample} Sample
 * @typedef {{ what: string, saw: string, bound: string, isFlat: boolean }} Verdict
 * @typedef {readonly (readonly [x: number, y: number])[]} Points
 */

/** The median of the slopes of all pairs, which single outliers do not move. @param {Points} points */
export function slope(points) {
  const slopes = points.flatMap(([x, y], at) =>
    points.slice(at + 1).flatMap(([otherX, otherY]) => (otherX === x ? [] : [(otherY - y) / (otherX - x)])),
  );
  return median(slopes);
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** How much a series grows from its first point to its last, by its slope. @param {Points} points */
export function growth(points) {
  return slope(points) * ((points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0));
}

/** @param {readonly Sample[]} samples @returns {Verdict[]} */
export function checkProcesses(samples) {
  return [...livesOf(samples)].flatMap(([name, life]) => checkLife(name, life));
}

/** @param {readonly Sample[]} samples */
function livesOf(samples) {
  const [fromMs, untilMs] = [samples[0]?.atMs ?? 0, samples.at(-1)?.atMs ?? 0];
  /** @type {Map<string, { atMs: number, process: import('./samples.js').ProcessSample }[]>} */
  const lives = new Map();
  for (const { atMs, processes } of samples) {
    for (const process of processes) {
      const key = `${process.name} (life ${process.life})`;
      lives.set(key, [...(lives.get(key) ?? []), { atMs, process }]);
    }
  }
  for (const [key, life] of lives) {
    const [bornMs, diedMs] = [life[0]?.atMs ?? 0, life.at(-1)?.atMs ?? 0];
    const isLong = diedMs - bornMs >= LEAST_SHARE * (untilMs - fromMs);
    const isProduct = life[0]?.process.name !== 'simulator';
    const warm = life.filter(({ atMs }) => atMs >= bornMs + WARM_UP_SHARE * (diedMs - bornMs));
    if (isLong && isProduct && warm.length >= LEAST_POINTS) lives.set(key, warm);
    else lives.delete(key);
  }
  return lives;
}

/**
 * @param {string} name
 * @param {{ atMs: number, process: import('./samples.js').ProcessSample }[]} life
 * @returns {Verdict[]}
 */
function checkLife(name, life) {
  const over = (/** @type {(process: import('./samples.js').ProcessSample) => number | undefined} */ value) =>
    life.flatMap(({ atMs, process }) => {
      const y = value(process);
      return y === undefined ? [] : [/** @type {const} */ ([atMs, y])];
    });
  const byWork = life.flatMap(({ process: { work, heapBytes } }) =>
    work === undefined || heapBytes === undefined ? [] : [/** @type {const} */ ([work, heapBytes])],
  );
  const rss = over(({ rssMb }) => rssMb);
  const mostRss = Math.max(RSS_NOISE_MB, RSS_SHARE * median(rss.map(([, y]) => y)));
  return [
    checkHeap(name, byWork),
    checkGrowth(`${name}: resident MB`, rss, mostRss),
    checkGrowth(
      `${name}: handles`,
      over(({ handles }) => handles),
      MORE_HANDLES,
    ),
    checkGrowth(
      `${name}: active resources`,
      over(({ resources }) => resources),
      MORE_RESOURCES,
    ),
  ];
}

/** @param {string} name  @param {Points} byWork  @returns {Verdict} */
function checkHeap(name, byWork) {
  const [bytes, grown] = [slope(byWork), growth(byWork)];
  const worked = (byWork.at(-1)?.[0] ?? 0) - (byWork[0]?.[0] ?? 0);
  const isFlat = bytes <= HEAP_BYTES_A_WORK || grown <= HEAP_NOISE_BYTES;
  const saw = `${bytes.toFixed(0)} bytes each over ${worked}, ${(grown / MB).toFixed(1)} MB of ${((byWork.at(-1)?.[1] ?? 0) / MB).toFixed(0)}`;
  return {
    what: `${name}: heap for each message or request`,
    saw,
    bound: `${HEAP_BYTES_A_WORK} bytes, or 1.5 MB`,
    isFlat,
  };
}

/** @param {string} what  @param {Points} points  @param {number} most  @returns {Verdict} */
function checkGrowth(what, points, most) {
  const grown = growth(points);
  const values = points.map(([, y]) => y);
  const saw = `+${grown.toFixed(1)}, ${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`;
  return { what, saw, bound: `+${most.toFixed(0)}`, isFlat: grown <= most };
}

/** @param {readonly Sample[]} samples  @returns {Verdict[]} */
export function checkConnections(samples) {
  const points = samples.flatMap(({ atMs, connections }) =>
    connections === undefined ? [] : [/** @type {const} */ ([atMs, connections])],
  );
  const warm = points.slice(Math.floor(points.length * WARM_UP_SHARE));
  return [checkGrowth('connections to PostgreSQL', warm, MORE_CONNECTIONS)];
}

/**
 * @param {readonly Sample[]} samples
 * @param {Sample} end       when nothing is under way
 * @param {Readonly<Record<string, number>>} most  rows of each table of work at the end
 * @returns {Verdict[]}
 */
export function checkTables(samples, end, most) {
  const withTables = samples.filter(({ tables }) => tables !== undefined);
  const middle = withTables[Math.floor(withTables.length / 2)];
  return Object.entries(end.tables ?? {}).flatMap(([name, { rows, bytes }]) => {
    const mostRows = most[name];
    if (mostRows !== undefined) {
      const saw = `${rows} rows, ${(bytes / 1_024).toFixed(0)} kB`;
      return [{ what: `table ${name} at the end`, saw, bound: `${mostRows} rows`, isFlat: rows <= mostRows }];
    }
    const before = middle?.tables?.[name];
    if (before === undefined || bytes < LEAST_TABLE_BYTES) return [];
    const earlier = before.bytes / before.rows;
    const later = (bytes - before.bytes) / (rows - before.rows);
    const ofMessage = rows / end.messages;
    const saw = `${ofMessage.toFixed(1)} rows a message; ${later.toFixed(0)} bytes a row, ${earlier.toFixed(0)} before`;
    const bound = `${ROWS_A_MESSAGE} rows, ${(LATER_TO_EARLIER * earlier).toFixed(0)} bytes`;
    const isFlat = ofMessage <= ROWS_A_MESSAGE && later <= LATER_TO_EARLIER * earlier;
    return [{ what: `table ${name}`, saw, bound, isFlat }];
  });
}

/** @param {Sample} end  @param {number} most  @returns {Verdict[]} */
export function checkOpenRuns({ openRuns }, most) {
  const saw = openRuns === undefined ? 'not read' : String(openRuns);
  return [{ what: 'open workflows at the end', saw, bound: String(most), isFlat: (openRuns ?? Infinity) <= most }];
}
