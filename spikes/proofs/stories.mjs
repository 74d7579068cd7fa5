/** node stories.mjs: the refutations as minimal worlds. Each is concluded falsely without its condition and not with it. */
import { KIND, NEVER, generate, item, play, reading } from './world.mjs';
import { judge, truth } from './judge.mjs';
import { OFF, chain, marker, precede } from './rules.mjs';
const SALT = Math.imul(Number(process.argv[2] ?? 1), 0x9e3779b1);
void generate;

const s = (x) => Math.round(x * 1000);
function world(d, of) {
  return { d: s(d), foreignRate: 0, saturated: false, clock: [0, 0], gatewayClock: 0, cut: NEVER, cutTail: false, cutBytes: false, cutHoles: false, tested: NEVER, items: [], readings: [], clears: [], restarts: [], pauses: [],
    takeover: null, requeues: [], receiverDown: null, noticesOff: null, lossBurst: null, ordered: true, noticeLoss: 1, noticeLate: 0, noticeRetry: 0, ...of };
}
let content = 0;
/** Ours, with a response. */
const m = (claim, accept, stored, more = {}) => Object.assign(item(s(accept), KIND.text, 0, (content += 1)), { claim: s(claim), leave: s(claim), resp: s(stored), stored: s(stored) }, more);
/** In doubt: the loss of its connection is seen at `cut`. */
const a = (claim, accept, cut, more = {}) => Object.assign(item(accept === null ? NEVER : s(accept), KIND.text, 0, (content += 1)), { claim: s(claim), leave: s(claim), cutSeen: s(cut), doubt: true, reworded: true }, more);
const r = (begun, picture, ended, worker = 0) => reading(s(begun), s(picture), s(ended), worker);

const CH = OFF['relaxed: seen before the claim is not ours'] | OFF['relaxed: seen before the claim is a marker'];
const P4 = OFF['PRECEDE-4 order by the ledger'] | OFF['CHAIN-5 durable last ids'];
const stories = [
  ['a listing cut at 2 shows our youngest accepted id; A stands behind it', [['marker', marker, CH, OFF['ABSENT-3 as designed (lists our youngest unreleased id)']], ['precede', precede, 0, OFF['ABSENT-3 as designed (lists our youngest unreleased id)']]],
    () => world(60, { cut: 2, tested: 1, items: [m(-2, -1.9, -1.8), m(5, 5.1, 5.2), a(0, 15.4, 0.5)], readings: [r(16.2, 16.3, 16.4)] })],
  ['the queue drains between two readings, and A with it', [['chain', chain, CH, OFF['CHAIN-3 suffix not empty']]],
    () => world(0.5, { items: [a(1, 5, 2)], readings: [r(0, 0.1, 0.2), r(18, 18.1, 18.2)] })],
  ['worker 0 sees A in other words, reads again after A left, and dies; worker 1 has the last ids alone', [['chain', chain, CH, OFF['CHAIN-5 durable unaccounted ids']]],
    () => world(3.5, { takeover: { at: s(11), backAt: s(12), durable: true, zombie: false }, items: [m(-2, -1.9, -1.8), a(1, 1.1, 2), m(1.2, 1.3, 1.4), m(1.5, 1.6, 1.7), m(9, 9.1, 9.2), m(9.3, 9.4, 9.5)],
      readings: [r(0, 0.1, 0.2), r(2, 2.1, 2.2), r(8, 8.9, 9), r(12.5, 12.6, 12.7, 1), r(17.6, 17.7, 17.8, 1)] })],
  ['a restart turns the order round; its announcement comes 2 s after the reading', [['marker', marker, CH, OFF['ABSENT-6 grace']], ['precede without PRECEDE-4', precede, P4, OFF['ABSENT-6 grace']]],
    () => world(10, { pauses: [], restarts: [{ at: s(9), begins: s(9), down: s(9), knownFrom: s(19), knownUntil: s(20), effect: 'shuffle', salt: 2 }], items: [m(-2, -1.9, -1.8), m(-1.8, -1.7, -1.6), a(1, 1.1, 2)], readings: [r(17.6, 17.7, 17.8)] })],
  ['A is accepted and a restart puts it first, both between two readings; the announced restart is ignored', [['chain', chain, CH, OFF['ABSENT-5 no restart']], ['precede', precede, 0, OFF['ABSENT-5 no restart']]],
    () => world(9, { restarts: [{ at: s(8), begins: s(8), down: s(8), knownFrom: s(8.5), knownUntil: s(9), effect: 'shuffle', salt: SALT }], items: [m(-2, -1.9, -1.8), m(-1, -0.9, -0.8), a(1, 7, 2)], readings: [r(0, 0.1, 0.2), r(5, 5.1, 5.2), r(9.5, 9.6, 9.7), r(17.6, 17.7, 17.8)] })],
  ['the same at the edge of settle, and its announcement comes after the last reading', [['chain', chain, CH, OFF['ABSENT-6 grace']], ['precede', precede, 0, OFF['ABSENT-6 grace']]],
    () => world(9, { restarts: [{ at: s(17.1), begins: s(17.1), down: s(17.1), knownFrom: s(20), knownUntil: s(21), effect: 'shuffle', salt: SALT }], items: [m(-2, -1.9, -1.8), m(-1.5, -1.4, -1.3), m(-1, -0.9, -0.8), a(1, 16.9, 2)], readings: [r(0, 0.1, 0.2), r(9.1, 9.2, 9.3), r(16, 16.1, 16.2), r(17.6, 18.1, 18.3)] })],
  ['the same, nobody announces it, and the ledger knows a later id that is missing', [['precede', precede, 0, OFF['PRECEDE-4 order by the ledger']]],
    () => world(5, { restarts: [{ at: s(4), begins: s(4), down: s(4), knownFrom: NEVER, knownUntil: NEVER, effect: 'shuffle', salt: 5 }], items: [m(-2, -1.9, -1.8), m(-1, -0.9, -0.8), a(1, 1.1, 2), m(2, 2.1, 2.2), m(2.3, 2.4, 2.5), m(2.6, 2.7, 2.8)], readings: [r(17.6, 17.7, 17.8)] })],
  ['the clock of the worker that reads is 0.4 s ahead of the one that claimed; A comes at the edge of settle', [['marker', marker, CH, OFF['ABSENT-2 margin for clocks']], ['precede', precede, 0, OFF['ABSENT-2 margin for clocks']]],
    () => world(60, { clock: [-200, 200], takeover: { at: s(2), backAt: s(3), durable: true, zombie: false }, items: [m(-2, -1.9, -1.8), a(1, 16.99, 2)], readings: [r(16.7, 16.8, 17.1, 1)] })],
  ['the late response of A is stored after its question was read and before the accounted ids were', [['marker', marker, CH, OFF['ABSENT-7 compare-and-set']], ['precede', precede, 0, OFF['ABSENT-7 compare-and-set']]],
    () => world(60, { items: [m(-2, -1.9, -1.8), a(1, 1.1, 2, { stored: s(17.7), resp: s(17.6) })], readings: [r(17.6, 17.65, 17.8)] })],
  ['A1 withdrawn: M answers before it is in the queue, and A overtakes it', [['marker', marker, CH, 0], ['precede, only what a reading showed', precede, 0, 0, OFF['PRECEDE-1 only what a reading showed']]],
    () => world(15, { items: [m(-1, 2, -0.8), a(1, 1.1, 2)], readings: [r(17.6, 17.7, 17.8)] })],
  ['A1 withdrawn: M is a file that is not ready and lets A pass', [['marker', marker, CH, 0], ['precede, only texts precede', precede, 0, 0, OFF['PRECEDE-1 only texts']]],
    () => world(15, { items: [m(-1, -0.9, -0.8, { kind: KIND.file, shown: KIND.file, ready: s(40) }), a(1, 1.1, 2)], readings: [r(17.6, 17.7, 17.8)] })],
];
for (const [title, cases, make] of stories) {
  for (const [name, decide, on, off, added = 0] of cases) {
    const w = play(make());
    const ask = (bits) => judge(play(w), [{ decide, off: bits }]).find(({ attempt }) => attempt.doubt);
    const without = ask(on | off), withIt = ask(on | added);
    console.log(`${title}\n   ${name}: ${off ? 'without its condition' : 'as it is'} ${without.by[0] ? `absent (${truth(without.attempt)})` : 'undecided'}, ${off || added ? `with it ${withIt.by[0] ? 'absent' : 'undecided'}` : '–'}`);
    console.log(`   readings: ${w.readings.map(({ list }) => `[${list.map((one) => (one.doubt ? 'A' : `M${w.items.indexOf(one)}`)).join(' ')}]`).join(' ')}`);
  }
}
