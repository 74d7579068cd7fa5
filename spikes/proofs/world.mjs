/**
 * One random world: a gateway instance with a FIFO queue, our sends, foreign senders, faults and our readings of the queue.
 * `generate` makes plain data from a seed. `play` computes what the gateway does with it: when each item leaves the queue and
 * what each reading shows. Nothing here knows a rule. Times are whole milliseconds of true time; the true time of an event in
 * the ledger is its sequence. A worker's own clock is true time plus `clock[worker]`.
 */
export const NEVER = 1e9;
export const DEADLINE = 5_000; // from the claim until bytes may leave
export const TIMEOUT = 15_000; // of a POST
export const SETTLE = 15_000; // a request is accepted at most this long after its connection ended
export const SKEW = 250; // a worker's clock is off by at most this much
export const RETRY = 60_000; // the gateway's retry interval of a notification
export const ANNOUNCE = 5_000; // a restart is announced within this time
export const KIND = { text: 0, file: 1, status: 2, unrecognised: 9 };
const T0 = 4_000; // the claim of the attempt that is surely in doubt

let s0 = 1, s1 = 2, s2 = 3, s3 = 4;
export function seed(n) {
  s0 = n | 0; s1 = (n / 4294967296) | 0; s2 = 0x9e3779b9 | 0; s3 = 1;
  for (let i = 0; i < 12; i += 1) next();
}
function next() { // sfc32
  const t = (((s0 + s1) | 0) + s3) | 0;
  s3 = (s3 + 1) | 0; s0 = s1 ^ (s1 >>> 9); s1 = (s2 + (s2 << 3)) | 0; s2 = (s2 << 21) | (s2 >>> 11); s2 = (s2 + t) | 0;
  return t >>> 0;
}
const rnd = () => next() / 4294967296;
const chance = (p) => next() < p * 4294967296;
const int = (low, high) => low + Math.floor(rnd() * (high - low + 1));
const pick = (list) => list[Math.floor(rnd() * list.length)];

/** What a run may change. Every rate is per world unless it says otherwise. */
export const DEFAULTS = {
  durable: 0.7, // share of takeovers that find the readings of the worker before
  long: false, // presumption: sparse traffic, minutes instead of seconds
  takeover: 0.35, restart: 0.15, clear: 0.1, cut: 0.15, reword: 0.2, unrecognised: 0.05, rechat: 0.1, pause: 0.05, overlap: 0.15,
  steady: 0.5, // share of worlds that read once a second always, not only while a POST is in doubt
  restartUnannounced: 0, // share of restarts that nobody announces
  announceWithin: ANNOUNCE,
  requeue: 0, // A1 withdrawn: an item that could not be sent goes back to the tail
  beyondSettle: 0, // A2 withdrawn: share of late acceptances that come up to twice the settle time late
  listingLag: 0, // a listing may be this much older than its request
  byteCut: 0, // share of cut listings that are cut by size, not by count
  cutHoles: 0, // share of cut listings that leave out items in the middle
  foreignEqual: 0.1, // share of foreign sends that equal one of our messages
  noticeLoss: 0, noticeLossBurst: 0, noticeLate: 0.05, noticeRetry: 0.1, noticeUnparsed: 0.01, ordered: 0.5, receiverDown: 0.15,
  noticesOff: 0.05, doubt: 0.04, absent: 0.5, accept: 1,
  foreignRates: [0, 0.02, 0.1, 0.5], // foreign sends a second, one of these for each world
  enqueueLate: 0, // A1 withdrawn: a fifth of accepted items enters the queue up to this much after its response
  filesNotNotified: 0, // share of worlds in which the notifications of one kind are off
  fileStuck: 0, // A1 withdrawn: share of files that let others pass for up to 10 s
};

export function generate(options) {
  const o = options;
  const d = pick([500, 3000]);
  const bucket = int(0, 4);
  const depth = bucket === 0 ? 0 : bucket === 1 ? 1 : bucket === 2 ? int(2, 3) : bucket === 3 ? int(4, 9) : int(10, 40);
  const foreignRate = pick(o.foreignRates);
  const saturated = chance(0.7) && !o.long;
  const burst = chance(0.3) ? int(2, 5) : 1;
  const w = {
    d, foreignRate, saturated, clock: [int(-SKEW, SKEW), int(-SKEW, SKEW)], gatewayClock: int(-900, 900),
    cut: NEVER, cutTail: false, cutBytes: false, cutHoles: false, tested: chance(0.5) ? NEVER : int(10, 60),
    items: [], readings: [], clears: [], restarts: [], pauses: [], takeover: null, requeues: [],
    receiverDown: null, noticesOff: null, ordered: chance(o.ordered),
  };
  if (chance(o.cut)) {
    w.cut = int(2, 12);
    w.cutTail = chance(0.3);
    w.tested = int(1, w.cut);
    if (chance(o.byteCut)) { w.cutBytes = true; w.cutTail = false; }
    else if (chance(o.cutHoles)) { w.cutHoles = true; w.cutTail = false; }
  }
  const rewords = chance(o.reword), renames = chance(o.unrecognised), rechats = chance(o.rechat);
  const takeoverAt = chance(o.takeover) ? T0 + int(0, 12_000) : NEVER;
  const backAt = takeoverAt + int(1_000, 7_000);
  if (takeoverAt < NEVER) w.takeover = { at: takeoverAt, backAt, durable: chance(o.durable), zombie: chance(0.3) };
  const end = T0 + DEADLINE + TIMEOUT + SETTLE + 7_000;

  // What waits at the beginning: ours, accepted and stored before, with foreign items between.
  const before = depth + (saturated || depth === 0 ? 0 : Math.floor(T0 / d));
  let content = 100;
  for (let i = before; i > 0; i -= 1) {
    const at = -i * 40;
    const foreign = chance(Math.min(0.5, foreignRate));
    const one = item(at, pick([0, 0, 0, 1]), foreign ? -1 : content, (content += 1));
    one.owner = foreign ? -1 : 0;
    if (!foreign) { one.claim = at - 300; one.leave = at - 200; one.resp = at + 50; one.stored = at + 60; if (chance(0.04)) one.stored = int(0, 9_000); }
    w.items.push(one);
  }
  // Our sends.
  let at = saturated || chance(0.5) ? int(0, d) : NEVER;
  let asked = false;
  let lastClaim = end - (o.long ? 0 : 3_000);
  const longEnd = end + 400_000;
  if (o.long) lastClaim = end + 150_000;
  for (let n = 0; n < 400; n += 1) {
    if (!asked && at >= T0) { at = T0; }
    if (at > lastClaim) break;
    const group = at === T0 ? int(1, burst) : burst;
    const forced = !asked && at === T0 ? int(0, group - 1) : -1;
    if (at === T0) asked = true;
    for (let g = 0; g < group; g += 1) {
      if (at > takeoverAt && at < backAt) continue;
      send(w, o, at + g, g === forced, (content += 1), takeoverAt);
    }
    at += o.long ? int(2_000, 20_000) : saturated ? Math.floor(d * burst * (0.8 + 0.4 * rnd())) : int(1_500, 12_000);
  }
  // Foreign senders: through the API, and at the phone.
  const horizon = o.long ? end + 60_000 : end;
  if (foreignRate > 0) {
    const ours = w.items.filter((one) => one.doubt);
    for (let t = gap(foreignRate); t < horizon; t += gap(foreignRate)) {
      const like = chance(o.foreignEqual) && ours.length > 0 ? pick(ours) : null;
      const one = item(t, like === null ? pick([0, 0, 0, 1, 2]) : like.kind, -1, like === null ? (content += 1) : like.content);
      if (like !== null) one.chat = like.chat;
      w.items.push(one);
    }
  }
  for (const one of w.items) {
    if (rewords && chance(0.5)) one.reworded = true;
    if (renames && chance(0.3)) one.shown = KIND.unrecognised;
    if (rechats && chance(0.5)) one.lid = true;
    if (chance(0.003)) one.idShown = false;
    one.size = int(1, 4);
    one.ready = o.fileStuck > 0 && one.kind === KIND.file && chance(o.fileStuck) ? one.accept + int(500, 10_000) : 0;
    if (o.enqueueLate > 0 && !one.doubt && one.resp < NEVER && one.claim < NEVER && chance(0.2)) one.accept = one.resp + int(0, o.enqueueLate);
  }
  // What others do to the queue.
  if (chance(o.clear)) w.clears.push(int(0, end));
  if (chance(o.restart)) {
    const t = int(0, end), down = int(500, 15_000);
    const how = rnd();
    const unannounced = chance(o.restartUnannounced);
    const ordered = !unannounced && how < 0.4;
    const knownFrom = unannounced ? NEVER : ordered ? t - int(0, 20_000) : t + int(0, o.announceWithin);
    w.restarts.push({
      at: t + int(0, down), down: t + down, begins: t, knownFrom,
      knownUntil: unannounced ? NEVER : t + down + int(0, o.announceWithin), effect: pick(['shuffle', 'shuffle', 'drop', 'keep', 'shuffle', 'shuffle and drop']), salt: next(),
    });
    w.pauses.push([t, t + down]);
  }
  if (chance(o.pause)) { const t = int(0, end); w.pauses.push([t, t + int(1_000, 20_000)]); }
  if (o.requeue > 0 && chance(o.requeue)) w.requeues.push(int(0, end));
  // Our readings.
  const forcedItem = w.items.find((one) => one.forced);
  const steady = chance(o.steady);
  const overlap = chance(o.overlap);
  const slow = chance(0.1) ? 5 : 1;
  const poll = int(2_000, 5_000);
  const doubtAt = forcedItem.claim + 500, over = judgeAt(forcedItem) + (o.long ? 8_000 : 5_000);
  const lag = o.listingLag > 0 ? o.listingLag : 0;
  for (let t = int(0, 900); t < over; ) {
    const dead = t > takeoverAt && t < backAt;
    let took = int(40, 500) * slow;
    if (chance(0.03)) took = int(1_500, 6_000);
    if (!dead && !chance(0.03)) {
      const picture = t + int(0, took);
      const ended = t + took + int(1, 5);
      const worker = t >= backAt ? 1 : 0;
      if (worker === 1 || ended < takeoverAt || w.takeover?.zombie) w.readings.push(reading(t, picture - (lag > 0 ? int(0, lag) : 0), ended, worker));
    }
    const busy = steady || (t > doubtAt - 1_000);
    const pause = busy ? (t > over - 5_000 ? 1_500 : int(900, 1_200)) : poll;
    t += overlap && chance(0.4) ? int(200, 900) : Math.max(pause, took);
  }
  if (o.long) {
    for (let t = over; t < longEnd; t += int(8_000, 20_000)) { const took = int(40, 500); w.readings.push(reading(t, t + int(0, took), t + took, takeoverAt < NEVER ? 1 : 0)); }
    if (chance(o.receiverDown)) { const t = int(0, 120_000); w.receiverDown = [t, t + int(5_000, 300_000)]; }
    if (chance(o.noticesOff)) { const t = int(-60_000, 120_000); w.noticesOff = [t, t + int(5_000, 200_000)]; }
  }
  notices(w, o);
  return w;
}

const gap = (rate) => Math.floor((-Math.log(1 - rnd()) / rate) * 1000) + 1;
export function item(accept, kind, owner, content) {
  return {
    accept, kind, content, owner, shown: kind, reworded: false, idShown: true, size: 1, claim: NEVER, leave: NEVER, resp: NEVER, stored: NEVER, cutSeen: NEVER,
    doubt: false, forced: false, worker: 0, left: NEVER, how: '', noticeAt: NEVER, unparsed: false, depth: 0, adopted: NEVER, no: 0, noticeRoll: 0, lateRoll: 0, killed: false, ready: 0, seenAt: NEVER, mark: 0, chat: int(0, 19), lid: false, listedIn: null,
  };
}
export function reading(begun, picture, ended, worker) { return { begun, picture, ended, worker, list: [], disorder: 0 }; }

/** When an attempt can be judged, by the clock of the worker that claimed it. */
export function judgeAt(one) {
  return one.cutSeen < NEVER ? one.cutSeen + SETTLE : one.claim + DEADLINE + TIMEOUT + SETTLE;
}

function send(w, o, claim, forced, content, takeoverAt) {
  const one = item(NEVER, pick([0, 0, 0, 0, 1, 1, 2]), 0, content);
  one.claim = claim; one.forced = forced; one.worker = w.takeover !== null && claim >= w.takeover.backAt ? 1 : 0;
  if (forced && chance(0.9)) one.kind = pick([0, 0, 1]);
  one.shown = one.kind;
  one.leave = claim + (chance(0.9) ? int(1, 40) : int(40, DEADLINE));
  const latency = chance(0.9) ? int(40, 400) : int(400, 6_000);
  if (forced || chance(o.doubt)) {
    one.doubt = true;
    const seen = chance(0.6);
    const cut = one.leave + (chance(0.6) ? int(0, 800) : int(0, TIMEOUT));
    one.cutSeen = seen ? cut : NEVER;
    const connectionEnd = seen ? cut : one.leave + int(0, TIMEOUT);
    if (!chance(o.absent)) {
      const how = rnd();
      if (how < 0.4) one.accept = Math.min(connectionEnd, one.leave + int(5, 300));
      else if (how < 0.8) one.accept = connectionEnd + int(0, SETTLE - 1);
      else one.accept = connectionEnd + SETTLE - 1 - int(0, 50); // at the edge
      if (chance(o.beyondSettle)) one.accept = connectionEnd + SETTLE + int(0, SETTLE);
      // Its response may come late after all.
      if (chance(0.2)) { one.resp = one.accept + int(20, 30_000); one.stored = one.resp + int(1, 800); }
    }
  } else {
    one.accept = one.leave + Math.floor(latency / 2);
    one.resp = one.leave + latency;
    one.stored = one.resp + (chance(0.95) ? int(1, 40) : chance(0.8) ? int(40, 5_000) : int(5_000, 40_000));
  }
  // A takeover: what was not stored by then is in doubt, its loss was seen by nobody.
  if (one.claim <= takeoverAt && one.stored > takeoverAt && takeoverAt < NEVER) {
    one.doubt = true; one.killed = true;
    if (one.cutSeen > takeoverAt) one.cutSeen = NEVER;
    if (one.leave > takeoverAt && !w.takeover.zombie) { one.accept = NEVER; }
    if (!w.takeover.zombie) { one.resp = NEVER; one.stored = NEVER; }
    else if (one.stored < NEVER) one.stored += int(0, 20_000);
  }
  w.items.push(one);
}

function notices(w, o) {
  for (const one of w.items) { one.noticeRoll = rnd(); one.lateRoll = rnd(); one.unparsed = chance(o.noticeUnparsed); }
  w.lossBurst = null;
  if (o.noticeLossBurst > 0 && chance(o.noticeLossBurst)) { const t = int(-20_000, 60_000); w.lossBurst = [t, t + int(1_000, 60_000)]; }
  w.quietKind = o.filesNotNotified > 0 && chance(o.filesNotNotified) ? KIND.file : -1;
  w.noticeLoss = o.noticeLoss; w.noticeLate = o.noticeLate; w.noticeRetry = o.noticeRetry;
}

const keys = new Float64Array(2048);
/** What the gateway does: fills `left`, `how`, `noticeAt` and `depth` of items and `list` of readings. */
export function play(w) {
  const events = [];
  for (const one of w.items) { one.left = NEVER; one.how = ''; one.adopted = NEVER; one.noticeAt = NEVER; if (one.accept < NEVER) events.push(one.accept, 0, one); if (one.doubt) events.push(one.claim, 1, one); }
  for (const r of w.readings) { r.list = []; events.push(r.picture, 2, r); }
  for (const t of w.clears) events.push(t, 3, null);
  for (const r of w.restarts) events.push(r.at, 4, r);
  for (const t of w.requeues) events.push(t, 5, null);
  const count = events.length / 3;
  for (let i = 0; i < count; i += 1) keys[i] = (events[i * 3] + 100_000) * 4096 + i;
  const order = keys.subarray(0, count).sort();
  const queue = [];
  let head = 0, last = 0;
  const free = (t) => { let at = t; for (let again = true; again; ) { again = false; for (const [from, to] of w.pauses) if (at >= from && at < to) { at = to; again = true; } } return at; };
  const until = (t) => {
    while (head < queue.length) {
      const one = queue[head];
      if (one.ready > 0 && one.ready > Math.max(last + w.d, one.accept)) {
        // A file that is not ready lets the next one that is pass.
        const turn = Math.max(last + w.d, one.accept);
        let j = head + 1;
        while (j < queue.length && queue[j].ready > Math.max(turn, queue[j].accept)) j += 1;
        if (j < queue.length && Math.max(turn, queue[j].accept) < one.ready) { const [other] = queue.splice(j, 1); queue.splice(head, 0, other); continue; }
        one.back = one.ready;
      }
      const at = free(Math.max(last + w.d, one.accept, one.back ?? 0));
      if (at > t) return;
      one.left = at; one.how = 'released'; last = at; head += 1;
    }
  };
  for (let k = 0; k < count; k += 1) {
    const i = order[k] % 4096;
    const t = events[i * 3], what = events[i * 3 + 2];
    // What is there at time 0 waits until then.
    if (t > 0) until(t);
    switch (events[i * 3 + 1]) {
      case 0: queue.push(what); break;
      case 1: { what.depth = 0; for (let j = head; j < queue.length; j += 1) what.depth += 1; break; }
      case 2: show(w, queue, head, what.list); break;
      case 3: for (; head < queue.length; head += 1) { queue[head].left = t; queue[head].how = 'cleared'; } break;
      case 4: restart(queue, head, what, t); break;
      case 5: if (queue.length - head > 1) { const [one] = queue.splice(head, 1); one.back = t; queue.push(one); } break;
    }
  }
  until(NEVER - 1);
  arrive(w);
  return w;
}

function show(w, queue, head, list) {
  let bytes = 0, skipped = 0;
  for (let j = head; j < queue.length; j += 1) {
    const one = queue[j];
    if (one.kind === KIND.status) continue;
    list.push(one);
  }
  if (list.length <= w.cut && !w.cutBytes) return;
  if (w.cutBytes) { let n = 0; for (; n < list.length && bytes + list[n].size <= w.cut * 2; n += 1) bytes += list[n].size; list.length = n; }
  else if (w.cutTail) list.splice(0, list.length - w.cut);
  else if (w.cutHoles) { while (list.length > w.cut) list.splice(1 + ((skipped += 3) % (list.length - 1)), 1); }
  else list.length = w.cut;
}

function restart(queue, head, { effect, salt }, t) {
  let x = salt | 1;
  const roll = (n) => { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; return (x >>> 0) % n; };
  if (effect.includes('drop')) for (let j = queue.length - 1; j >= head; j -= 1) if (roll(3) === 0) { queue[j].left = t; queue[j].how = 'dropped'; queue.splice(j, 1); }
  if (effect.includes('shuffle')) for (let j = queue.length - 1; j > head; j -= 1) { const k = head + roll(j - head + 1); [queue[j], queue[k]] = [queue[k], queue[j]]; }
}

/** When the notification of each released item reaches us. `lateRoll` below `noticeLate`: up to an hour; `noticeRetry`: one to three minutes. */
function arrive(w) {
  let before = 0;
  const inside = (t, span) => span !== null && t >= span[0] && t < span[1];
  const released = w.items.filter((one) => one.how === 'released').sort((a, b) => a.left - b.left);
  for (const one of released) {
    if (one.kind === w.quietKind || one.noticeRoll < w.noticeLoss || inside(one.left, w.noticesOff) || inside(one.left, w.lossBurst)) continue;
    const { noticeLate: late, noticeRetry: retry } = w;
    const r = one.lateRoll;
    let at = one.left + (r < late ? Math.floor((r / late) * 3_600_000) : r < late + retry ? RETRY * (1 + Math.floor(((r - late) / retry) * 3)) : 100 + Math.floor(3_000 * r * r));
    if (inside(at, w.receiverDown)) at = w.receiverDown[1] + Math.floor(r * RETRY);
    if (w.ordered) { at = Math.max(at, before); before = at; }
    one.noticeAt = at;
  }
}
