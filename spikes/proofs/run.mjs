/**
 * node run.mjs speed|storm|calm|mutate|assume|durable|today|union|adopt [worlds] [first seed] [storm|restarts|takeovers]: see README.md. One process, no I/O but the table at the end.
 */
import { DEFAULTS, generate, play, seed } from './world.mjs';
import { judge, truth } from './judge.mjs';
import { PROFILES } from './profiles.mjs';
import { OFF, chain, marker, precede } from './rules.mjs';

const [what = 'storm', worlds = '20000', first = '1', profile = 'storm'] = process.argv.slice(2);
const N = Number(worlds), FIRST = Number(first);
const RELAXED = OFF['relaxed: seen before the claim is not ours'] | OFF['relaxed: seen before the claim is a marker'];
const BY_READING = OFF['CHAIN-5 durable last ids'], FRONT = OFF['CHAIN-3 suffix not empty'], BY_CHAT = OFF['relaxed: not ours if its chat differs in the same form'];
export const RULES = [
  { name: 'marker', decide: marker, off: 0 },
  { name: 'marker, seen before the claim counts', decide: marker, off: RELAXED },
  { name: 'chain', decide: chain, off: 0 },
  { name: 'chain, seen before the claim is not ours', decide: chain, off: RELAXED },
  { name: 'precede (marker and chain in one)', decide: precede, off: 0 },
  { name: 'precede, and another chat is another message', decide: precede, off: BY_CHAT },
];
const ordered = (decide) => (w, a, readings, n, now, off) => {
  for (let k = n; k >= 0 && readings[k].ended >= a.claim; k -= 1) if (readings[k].disorder !== 0) return false;
  return decide(w, a, readings, n, now, off);
};
const MORE = [...RULES,
  { name: 'marker with PRECEDE-4', decide: ordered(marker), off: RELAXED },
  { name: 'precede without PRECEDE-4', decide: precede, off: OFF['PRECEDE-4 order by the ledger'] | BY_READING },
  { name: 'precede with PRECEDE-4 by the ledger only', decide: precede, off: BY_READING },
  { name: 'precede, a possibly own item blocks wherever it stands', decide: precede, off: FRONT },
  { name: 'precede, only what a reading showed', decide: precede, off: OFF['PRECEDE-1 only what a reading showed'] },
  { name: 'precede, only texts precede', decide: precede, off: OFF['PRECEDE-1 only texts'] },
];
/** Nothing but lost responses and requests, takeovers, foreign senders, late stores. */
export const CALM = { ...DEFAULTS, takeover: 0.2, restart: 0, clear: 0, cut: 0, reword: 0, unrecognised: 0, pause: 0, overlap: 0, doubt: 0.005, foreignEqual: 0.02, absent: 1 };

function* played(options, n = N) {
  for (let i = FIRST; i < FIRST + n; i += 1) { seed(i); yield [i, play(generate(options))]; }
}
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };

function falseProofs(options, variants, n = N, judgeOptions = {}) {
  const rows = variants.map(({ name }) => ({ name, decided: 0, right: 0, doubles: 0, harmless: 0, seed: 0 }));
  const all = { absent: 0, doubles: 0, harmless: 0, adopted: 0, wrong: 0 };
  const from = cpu();
  for (const [i, w] of played(options, n)) {
    for (const { attempt, adopted, by } of judge(w, variants, judgeOptions)) {
      const is = truth(attempt);
      all[is] += 1;
      if (adopted !== null) { all.adopted += 1; if (adopted !== attempt) all.wrong += 1; }
      for (let v = 0; v < rows.length; v += 1) {
        if (by[v] === 0) continue;
        rows[v].decided += 1;
        if (is === 'absent') rows[v].right += 1;
        else { rows[v][is] += 1; if (rows[v].seed === 0 && is === 'doubles') rows[v].seed = i; }
      }
    }
  }
  return { rows, all, perSecond: Math.round(n / (cpu() - from)) };
}
const pad = (s, n) => String(s).padEnd(n), num = (s, n = 9) => String(s).padStart(n);
function print({ rows, all, perSecond }, n = N) {
  console.log(`${n} worlds, ${perSecond}/s of CPU; in doubt: ${all.absent} absent, ${all.doubles + all.harmless} accepted (${all.harmless} of them cleared or dropped); adopted ${all.adopted}, ${all.wrong} of them another's`);
  console.log(`${pad('rule', 64)}${num('decided')}${num('right')}${num('doubles')}${num('harmless')}${num('seed')}`);
  for (const r of rows) console.log(`${pad(r.name, 64)}${num(r.decided)}${num(r.right)}${num(r.doubles)}${num(r.harmless)}${num(r.seed || '-')}`);
}

if (what === 'speed') print(falseProofs(DEFAULTS, [RULES[0], RULES[2], RULES[4]]));
if (what === 'storm') print(falseProofs({ ...DEFAULTS, ...PROFILES[profile] }, MORE));

if (what === 'calm') {
  const depths = ['0', '1', '2-3', '4-9', '10+'];
  const at = (n) => (n === 0 ? 0 : n === 1 ? 1 : n < 4 ? 2 : n < 10 ? 3 : 4);
  for (const steady of [0, 1]) {
    const table = new Map();
    for (const [, w] of played({ ...CALM, steady })) {
      for (const { attempt, by, adopted } of judge(w, RULES)) {
        if (attempt.accept < 1e9 || attempt.kind === 2 || !attempt.forced) continue;
        const key = `${w.d}|${w.foreignRate}|${attempt.cutSeen < 1e9 ? 'loss seen' : 'not seen'}|${w.saturated ? 'busy' : 'sparse'}|${at(attempt.depth)}`;
        if (!table.has(key)) table.set(key, [0, ...RULES.map(() => 0), 0]);
        const row = table.get(key);
        row[0] += 1;
        for (let v = 0; v < RULES.length; v += 1) if (by[v] > 0) row[v + 1] += 1;
        if (adopted !== null) row[RULES.length + 1] += 1;
      }
    }
    console.log(`\nreadings ${steady ? 'once a second always' : 'once a second while in doubt, else every 2 to 5 s'}; % of absent attempts proved absent: marker / chain / precede / precede by chat`);
    for (const traffic of ['busy', 'sparse']) for (const loss of ['loss seen', 'not seen']) {
      console.log(`\n${traffic}, ${loss}\n| interval | foreign/s | ${depths.map((x) => `depth ${x}`).join(' | ')} |\n|---|---|${depths.map(() => '---|').join('')}`);
      for (const d of [500, 3000]) for (const rate of [0, 0.02, 0.1, 0.5]) {
        const cells = depths.map((_, b) => { const r = table.get(`${d}|${rate}|${loss}|${traffic}|${b}`); if (!r || r[0] < 20) return '–'; const p = (x) => ((100 * x) / r[0]).toFixed(x === 0 ? 0 : 1); return `${p(r[1])} / ${p(r[3])} / ${p(r[5])} / ${p(r[6])}`; });
        console.log(`| ${d} ms | ${rate} | ${cells.join(' | ')} |`);
      }
    }
  }
}

if (what === 'mutate') {
  const own = { marker: ['MARKER'], chain: ['CHAIN'], precede: ['PRECEDE'] };
  const variants = [];
  for (const [name, decide, base] of [['marker', marker, RELAXED], ['chain', chain, RELAXED], ['precede', precede, 0]]) {
    variants.push({ name: `${name}: all conditions on`, decide, off: base });
    for (const [condition, off] of Object.entries(OFF)) {
      const family = condition.split('-')[0];
      if (condition.includes('only ')) continue;
      if (family !== 'ABSENT' && !own[name].includes(family)) continue;
      variants.push({ name: `${name} without ${condition}`, decide, off: base | off });
    }
    if (name === 'precede') variants.push({ name: 'precede without PRECEDE-4 order by the reading before', decide, off: BY_READING }, { name: 'precede without PRECEDE-4 at all', decide, off: BY_READING | OFF['PRECEDE-4 order by the ledger'] }, { name: 'precede without PRECEDE-4 and without ABSENT-5 no restart', decide, off: BY_READING | OFF['PRECEDE-4 order by the ledger'] | OFF['ABSENT-5 no restart'] }, { name: 'precede without PRECEDE-4 and without ABSENT-6 grace', decide, off: BY_READING | OFF['PRECEDE-4 order by the ledger'] | OFF['ABSENT-6 grace'] });
  }
  print(falseProofs({ ...DEFAULTS, ...PROFILES[profile] }, variants));
}

if (what === 'assume') {
  const n = N;
  console.log(`| world | ${MORE.map(({ name }) => name).join(' | ')} |\n|---|${MORE.map(() => '---|').join('')}`);
  const cases = {
    'all assumptions hold': {},
    'readings of a replaced worker count too': { epoch: false },
    'restarts announced within 5 minutes': { announceWithin: 300_000 },
    'restarts announced within an hour': { announceWithin: 3_600_000 },
    'a tenth of restarts is never announced': { restartUnannounced: 0.1 },
    'no restart is ever announced': { restartUnannounced: 1 },
    'a tenth of late acceptances comes after settle': { beyondSettle: 0.1 },
    'a listing may be 1 s old': { listingLag: 1_000 },
    'a listing may be 10 s old': { listingLag: 10_000 },
    'a listing is cut by its size in bytes': { byteCut: 1 },
    'a cut listing leaves out items in the middle': { cutHoles: 1 },
    'an item that cannot be sent goes to the tail (in 20 % of worlds, once)': { requeue: 0.2 },
    'an item enters the queue up to 1 s after its response': { enqueueLate: 1_000 },
    'an item enters the queue up to 10 s after its response': { enqueueLate: 10_000 },
    'a fifth of the files let others pass for up to 10 s': { fileStuck: 0.2 },
  };
  for (const [name, options] of Object.entries(cases)) {
    const { rows, all } = falseProofs({ ...DEFAULTS, ...options }, MORE, n, { epoch: options.epoch ?? true });
    console.log(`| ${name} | ${rows.map((r) => `${r.doubles} of ${r.decided}`).join(' | ')} |`);
    void all;
  }
}

if (what === 'durable') {
  console.log('takeover in every world; % of absent attempts of before it that precede (by chat) proves\n| interval | depth | readings durable | lost |\n|---|---|---|---|');
  const table = new Map();
  for (const durable of [1, 0]) for (const [, w] of played({ ...CALM, takeover: 1, durable, foreignRates: [0, 0.02] })) {
    for (const { attempt, by } of judge(w, [{ decide: precede, off: BY_CHAT }])) {
      if (attempt.accept < 1e9 || attempt.kind === 2 || attempt.claim > w.takeover.at || !w.saturated) continue;
      const key = `${w.d} ms | ${attempt.depth < 4 ? '0-3' : attempt.depth < 10 ? '4-9' : '10+'}`;
      if (!table.has(key)) table.set(key, [0, 0, 0, 0]);
      const row = table.get(key);
      row[durable * 2] += 1; if (by[0] > 0) row[durable * 2 + 1] += 1;
    }
  }
  for (const [key, r] of [...table].sort()) console.log(`| ${key} | ${((100 * r[3]) / r[2]).toFixed(1)} | ${((100 * r[1]) / r[0]).toFixed(1)} |`);
}

if (what === 'today') {
  const gaps = OFF['ABSENT-2 margin for clocks'] | OFF['ABSENT-6 grace'];
  print(falseProofs({ ...DEFAULTS, ...PROFILES[profile] }, [
    { name: 'C2 and C3 as built', decide: marker, off: gaps | OFF['ABSENT-3 complete'] },
    { name: 'marker as the design says', decide: marker, off: gaps | OFF['ABSENT-3 as designed (lists our youngest unreleased id)'] },
    { name: 'chain as the design says, suffix may be empty', decide: chain, off: gaps | OFF['ABSENT-3 as designed (lists our youngest unreleased id)'] | OFF['CHAIN-3 suffix not empty'] | OFF['CHAIN-5 durable unaccounted ids'] },
    { name: 'chain as the design says, suffix not empty', decide: chain, off: gaps | OFF['ABSENT-3 as designed (lists our youngest unreleased id)'] | OFF['CHAIN-5 durable unaccounted ids'] },
    { name: 'precede by chat', decide: precede, off: BY_CHAT },
  ]));
}

if (what === 'union') {
  print(falseProofs(DEFAULTS, [
    { name: 'marker or chain', decide: (...x) => marker(...x.slice(0, 5), RELAXED) || chain(...x.slice(0, 5), RELAXED), off: 0 },
    { name: 'marker or chain, but not precede', decide: (...x) => (marker(...x.slice(0, 5), RELAXED) || chain(...x.slice(0, 5), RELAXED)) && !precede(...x.slice(0, 5), 0), off: 0 },
    { name: 'marker or chain, but not precede without PRECEDE-4', decide: (...x) => (marker(...x.slice(0, 5), RELAXED) || chain(...x.slice(0, 5), RELAXED)) && !precede(...x.slice(0, 5), BY_READING | OFF['PRECEDE-4 order by the ledger']), off: 0 },
    { name: 'precede', decide: precede, off: 0 },
  ]));
}
if (what === 'adopt') {
  for (const foreignEqual of [0, 0.1]) for (const [name, adoptOff] of [['all on', 0], ['without ADOPT-1 unaccounted', 1], ['without ADOPT-2 equal', 2], ['without ADOPT-3 not older', 4], ['without ADOPT-4 not seen before', 8], ['without ADOPT-3 and ADOPT-4', 12]]) {
    const { all } = falseProofs({ ...DEFAULTS, foreignEqual }, [], N, { adoptOff });
    console.log(`| ${foreignEqual === 0 ? 'holds' : 'broken'} | ${name} | ${all.adopted} | ${all.wrong} |`);
  }
}
