/**
 * node shrink.mjs RULE "CONDITION" [seed] [profile]: finds a world in which the rule without the condition proves a message absent
 * that leaves the queue, takes away all that is not needed for it, and tells the rest as a story.
 * RULE: marker, chain, precede. CONDITION: a name of OFF, or "none". Without a seed the first 400,000 worlds are searched.
 */
import { DEFAULTS, NEVER, generate, judgeAt, play, seed } from './world.mjs';
import { judge, truth } from './judge.mjs';
import { OFF, chain, marker, precede } from './rules.mjs';
import { PROFILES } from './profiles.mjs';

const [rule = 'precede', condition = 'none', first = '', profile = 'storm', more = ''] = process.argv.slice(2);
const RELAXED = OFF['relaxed: seen before the claim is not ours'] | OFF['relaxed: seen before the claim is a marker'];
const decide = { marker, chain, precede }[rule];
const off = (condition === 'none' ? 0 : condition.split(' + ').reduce((sum, one) => { if (OFF[one] === undefined) throw new Error(one); return sum | OFF[one]; }, 0)) | (rule === 'precede' ? 0 : RELAXED);
const options = { ...DEFAULTS, ...PROFILES[profile], ...(more ? JSON.parse(more) : {}) };
const variants = [{ decide, off }];
const wrong = (w) => { play(w); return judge(w, variants).find(({ attempt, by }) => by[0] > 0 && truth(attempt) === 'doubles'); };

let w, found, at = Number(first) || 1;
for (; ; at += 1) {
  seed(at);
  w = generate(options);
  found = wrong(w);
  if (found || first || at > 400_000) break;
}
if (!found) { console.log('nothing found'); process.exit(1); }
const a = found.attempt;
const still = () => { const f = wrong(w); return f !== undefined && f.attempt === a; };
const tryTo = (change, back) => { change(); if (still()) return true; back(); return false; };
for (let again = true; again; ) {
  again = false;
  for (const list of [w.items, w.readings, w.clears, w.restarts, w.pauses, w.requeues]) {
    for (let i = list.length - 1; i >= 0; i -= 1) {
      if (list[i] === a) continue;
      const one = list[i];
      if (tryTo(() => list.splice(i, 1), () => list.splice(i, 0, one))) again = true;
    }
  }
  const set = (object, key, value) => { const old = object[key]; if (old !== value && tryTo(() => { object[key] = value; }, () => { object[key] = old; })) again = true; };
  set(w, 'cut', NEVER); set(w, 'tested', NEVER);
  for (const i of [0, 1]) set(w.clock, i, 0);
  for (const one of w.items) { set(one, 'reworded', false); set(one, 'lid', false); set(one, 'idShown', true); set(one, 'shown', one.kind); if (one !== a) set(one, 'doubt', false); set(one, 'ready', 0); }
  if (w.takeover !== null) { const t = w.takeover, workers = w.readings.map((r) => r.worker); if (tryTo(() => { w.takeover = null; for (const r of w.readings) r.worker = 0; }, () => { w.takeover = t; w.readings.forEach((r, i) => { r.worker = workers[i]; }); })) again = true; }
}
const last = wrong(w);
const name = (one) => (one === a ? 'A' : `${one.owner < 0 ? 'F' : 'M'}${w.items.indexOf(one)}`);
const kinds = { 0: 'text', 1: 'file', 2: 'status', 9: 'unreadable kind' };
const story = [];
const tell = (t, text) => { if (t < NEVER) story.push([t, text]); };
for (const one of w.items) {
  const n = name(one);
  if (one.owner >= 0) tell(one.claim, `${n} (${kinds[one.kind]}) is claimed${one === a ? ', then its response is lost' : ''}`);
  if (one === a) { tell(one.cutSeen, 'the loss of its connection is seen'); tell(judgeAt(one), 'A can be judged'); }
  tell(one.accept, `the gateway accepts ${n}${one.owner < 0 ? ` of a foreign sender (${kinds[one.kind]})` : ''}${one.reworded ? ', lists it in other words' : ''}${one.shown !== one.kind ? `, lists it as ${kinds[one.shown]}` : ''}${one.idShown ? '' : ', lists it without an id'}`);
  tell(one.stored, `the acceptance of ${n} is stored`);
  tell(one.left, `${n} ${one.how === 'released' ? 'leaves the queue' : `is ${one.how}`}`);
}
for (const r of w.readings) { tell(r.begun, `a reading begins (worker ${r.worker})`); tell(r.picture, `the gateway takes its picture: [${r.list.map(name).join(' ')}]`); tell(r.ended, `its response arrives${r.ended === last.by[0] ? `: A is concluded absent` : ''}`); }
for (const t of w.clears) tell(t, 'the queue is cleared');
for (const r of w.restarts) { tell(r.knownFrom, 'a restart is known'); tell(r.at, `the restart changes the queue: ${r.effect}`); tell(r.knownUntil, 'its end is known'); }
for (const t of w.requeues) tell(t, 'the head goes to the tail');
if (w.takeover) { tell(w.takeover.at, 'worker 0 dies'); tell(w.takeover.backAt, `worker 1 takes over, ${w.takeover.durable ? 'with' : 'without'} durable readings`); }
console.log(`${rule} without "${condition}", world ${at}: release interval ${w.d} ms${w.cut < NEVER ? `, listings cut at ${w.cut} (${w.cutTail ? 'oldest' : 'youngest'} missing), tested length ${w.tested}` : ''}; clocks ${w.clock.join(', ')} ms`);
for (const [t, text] of story.sort((x, y) => x[0] - y[0])) console.log(`${(t / 1000).toFixed(3).padStart(9)} s  ${text}`);
