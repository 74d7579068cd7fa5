/** node presume.mjs conditions|loss|both [worlds]: what presumption decides, and what it concludes falsely. See README.md. */
import { DEFAULTS, generate, play, seed } from './world.mjs';
import { judge, truth } from './judge.mjs';
import { OFF, P, precede, presume } from './rules.mjs';

const [what = 'conditions', worlds = '20000'] = process.argv.slice(2);
const N = Number(worlds);
/** What the documented gateway does: nothing lost, order kept, retries of a minute, up to an hour late in order. */
const KEPT = { ...DEFAULTS, long: true, noticeLoss: 0, noticeLossBurst: 0, ordered: 1, noticesOff: 0, noticeUnparsed: 0, noticeLate: 0.001, noticeRetry: 0.02, cut: 0.05, foreignRates: [0, 0, 0.005], doubt: 0.02, takeover: 0.2, reword: 0.05, unrecognised: 0.02, rechat: 0.02 };

function measure(options, variants, n = N) {
  const rows = variants.map(({ name }) => ({ name, absent: 0, right: 0, accepted: 0, doubles: 0, harmless: 0 }));
  for (let i = 1; i <= n; i += 1) {
    seed(i);
    const w = play(generate(options));
    for (const { attempt, adopted, by } of judge(w, variants)) {
      if (attempt.kind === 2 && !variants.some(({ off }) => off & 512)) continue;
      const is = truth(attempt);
      void adopted;
      for (let v = 0; v < rows.length; v += 1) {
        if (is === 'absent') { rows[v].absent += 1; if (by[v] > 0) rows[v].right += 1; } else { rows[v].accepted += 1; if (by[v] > 0) rows[v][is] += 1; }
      }
    }
  }
  return rows;
}
const pct = (x, of, digits = 1) => (of === 0 ? '–' : `${((100 * x) / of).toFixed(digits)} %`);

if (what === 'conditions') {
  const variants = [{ name: 'all on', decide: presume, off: 0 }, ...Object.entries(P).map(([name, off]) => ({ name: `without ${name}`, decide: presume, off }))];
  const cases = {
    'nothing lost, order kept': {},
    'not in order, a twentieth up to an hour late': { ordered: 0, noticeLate: 0.05, noticeRetry: 0.1 },
    'not in order, a tenth one to three minutes late': { ordered: 0, noticeLate: 0, noticeRetry: 0.1 },
    'lost 1 % each': { noticeLoss: 0.01 },
    'lost in bursts of 1 to 60 s (half of the worlds)': { noticeLossBurst: 0.5 },
    'notifications switched off and on (half of the worlds)': { noticesOff: 0.5 },
    'one in twenty cannot be parsed': { noticeUnparsed: 0.05 },
    'the notifications of files are off (half of the worlds)': { filesNotNotified: 0.5 },
    'a fifth of the files let others pass': { fileStuck: 0.2 },
    'an item that cannot be sent goes to the tail (half of the worlds)': { requeue: 0.5 },
    'every second world has a restart, a tenth of them unannounced': { restart: 0.5, restartUnannounced: 0.1 },
  };
  const results = Object.entries(cases).map(([title, options]) => [title, measure({ ...KEPT, ...options }, variants)]);
  console.log(`Each cell: absent attempts decided; of accepted ones doubled\n| condition | ${results.map(([title]) => title).join(' | ')} |\n|---|${results.map(() => '---|').join('')}`);
  variants.forEach(({ name }, v) => console.log(`| ${name} | ${results.map(([, rows]) => `${pct(rows[v].right, rows[v].absent, 0)}; ${rows[v].doubles}`).join(' | ')} |`));
  console.log(`| accepted ones in all | ${results.map(([, rows]) => rows[0].accepted).join(' | ')} |`);
}

if (what === 'loss') {
  // A day of history before the world: with H messages and loss p, one of them lacks its notification with 1 − (1 − p)^H.
  console.log('| loss | messages a day | rule "one miss turns presuming off for a day" | absent: decided | accepted: doubled | doubled of 1,000 accepted in doubt |\n|---|---|---|---|---|---|');
  for (const loss of [0.001, 0.01, 0.05]) {
    const variants = [
      { name: 'off', decide: presume, off: P['PRESUME-7 none lacks its notification'] },
      { name: 'in the world', decide: presume, off: 0 },
    ];
    const [off, inside] = measure({ ...KEPT, noticeLoss: loss }, variants);
    const line = (day, rule, r, share) => console.log(`| ${loss * 100} % | ${day} | ${rule} | ${pct(r.right * share, r.absent, 2)} | ${(r.doubles * share).toFixed(1)} of ${r.accepted} | ${((1000 * r.doubles * share) / r.accepted).toFixed(3)} |`);
    line('any', 'off', off, 1);
    for (const day of [0, 100, 1_000, 10_000]) line(day === 0 ? 'only the minutes of the world' : day.toLocaleString('en'), 'on', inside, (1 - loss) ** day);
  }
}
if (what === 'both') {
  const by = OFF['relaxed: not ours if its chat differs in the same form'];
  for (const [title, options] of Object.entries({ 'documented gateway': {}, '1 % lost': { noticeLoss: 0.01 } })) {
    console.log(title);
    for (const r of measure({ ...KEPT, ...options }, [{ name: 'precede by chat', decide: precede, off: by }, { name: 'presume', decide: presume, off: 0 }, { name: 'either', decide: (...x) => precede(...x.slice(0, 5), by) || presume(...x.slice(0, 5), 0), off: 0 }]))
      console.log(`| ${r.name} | ${pct(r.right, r.absent)} | ${r.doubles} of ${r.accepted} |`);
  }
}
