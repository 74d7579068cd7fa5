/**
 * What became of an attempt whose response is lost: adoption, and three ways to conclude absence. Pure functions.
 * An id is an item object here; the rules read of it only what a listing or a notification shows (`shown`, `content`, `reworded`,
 * `idShown`) and what the ledger knows (`stored`, `adopted`, `claim`, `seenAt`). They never read `owner` or `accept`;
 * presumption reads `left` and `how` in place of receipts and the notification's own time.
 *
 * ADOPT-1 The id is not accounted for.            ADOPT-2 Kind, chat and body equal the attempt's.
 * ADOPT-3 It is not older than the claim, by the gateway's clock and its lower end.
 * ADOPT-4 No reading that was recorded before the claim shows it (new).
 *
 * ABSENT-1 The queue lists the attempt's kind.
 * ABSENT-2 The last reading began after connection loss + settle, else claim + deadline + timeout + settle; plus CLOCK_MARGIN.
 * ABSENT-3 The last reading is complete: its length is below a tested length, or it lists an id that we claimed after ABSENT-2.
 * ABSENT-4 No possibly own item is in the reading: unaccounted, of the attempt's kind or of a kind that we cannot read, whatever its
 *          chat and body; an item without an id is unaccounted. A reading recorded before the claim cannot show an own item.
 * ABSENT-5 No restart is known whose interval, from first knowledge to the announced end, reaches beyond the claim.
 * ABSENT-6 The conclusion is written at least RESTART_GRACE after the response of the last reading, and ABSENT-5 is asked then.
 * ABSENT-7 The conclusion is written only if the attempt is still unresolved (compare-and-set).
 *
 * MARKER-1 The last reading lists an id whose acceptance was stored, by the ledger's sequence, before the claim.
 *
 * CHAIN-1 The first reading's response was recorded, by the ledger's sequence, before the claim.
 * CHAIN-2 Each reading begins with a suffix of the one before, in order.
 * CHAIN-3 That suffix is not empty.
 * CHAIN-4 ABSENT-4 holds for every reading of the chain since the claim, as known at the conclusion.
 * CHAIN-5 A takeover continues the chain only with durable last ids and durable unaccounted ids; else it begins another chain.
 *
 * PRECEDE (marker and chain as one induction)
 * PRECEDE-1 An id precedes the attempt if its acceptance was stored, or a reading that lists it was recorded, before the claim.
 * PRECEDE-2 In a reading that lists a preceding id, what stands before the last such id precedes the attempt too, and so does what
 *           follows it up to the first possibly own item.
 * PRECEDE-4 No reading since the claim contradicts first in, first out. By the ledger: where an own id is listed, each own id of a listed
 *           kind that was surely accepted after it and stored before the reading began is listed too, behind it. By the reading before
 *           (ended before this one began): from the first id that both list on, that one's rest is this one's beginning.
 * PRECEDE-3 A last reading (ABSENT-2, -3) that lists a preceding id, and no possibly own item behind the last one, proves absence.
 *
 * PRESUME-1 A successor: a message claimed after ABSENT-2 was accepted and its outgoingAPIMessageReceived arrived.
 * PRESUME-2 Two retry intervals of the gateway passed since, with the receiver up.
 * PRESUME-3 A complete reading begun after that shows nothing unaccounted.
 * PRESUME-4 No unparsed and no unaccounted notification came since the claim.
 * PRESUME-5 No restart (ABSENT-5).       PRESUME-6 Notifications were on at the claim and are on now.
 * PRESUME-7 No own message that left the queue two retry intervals ago lacks its notification; one miss within a day counts too.
 * PRESUME-8 (new) No notification of an own message came after that of one that left more than a second later; counts for a day too.
 * PRESUME-9 (new) A notification of an own message of the attempt's kind came within a day.
 */
import { judgeAt, KIND, NEVER, RETRY, SETTLE, SKEW } from './world.mjs';

export const CLOCK_MARGIN = 2 * SKEW;
export const RESTART_GRACE = 6_000;

/** Conditions that can be switched off, one bit each. */
export const OFF = {
  'ABSENT-1 kind is listed': 1,
  'ABSENT-2 begun after settle': 1 << 1,
  'ABSENT-2 margin for clocks': 1 << 2,
  'ABSENT-3 complete': 1 << 3,
  'ABSENT-3 as designed (lists our youngest unreleased id)': 1 << 4,
  'ABSENT-4 no possibly own item': 1 << 5,
  'ABSENT-4 whatever its body': 1 << 6,
  'ABSENT-4 kind that we cannot read': 1 << 7,
  'ABSENT-4 item without an id': 1 << 8,
  'ABSENT-5 no restart': 1 << 9,
  'ABSENT-5 interval, not a moment': 1 << 10,
  'ABSENT-6 grace': 1 << 11,
  'ABSENT-7 compare-and-set': 1 << 12,
  'MARKER-1 before the claim': 1 << 13,
  'MARKER-1 a marker at all': 1 << 14,
  'CHAIN-1 first before the claim': 1 << 15,
  'CHAIN-2 in order': 1 << 16,
  'CHAIN-3 suffix not empty': 1 << 17,
  'CHAIN-4 every reading': 1 << 18,
  'CHAIN-5 durable last ids': 1 << 19,
  'CHAIN-5 durable unaccounted ids': 1 << 20,
  'PRECEDE-1 before the claim': 1 << 21,
  'PRECEDE-2 a preceding id is listed': 1 << 22,
  'PRECEDE-2 up to the first possibly own item': 1 << 23,
  'PRECEDE-4 order by the ledger': 1 << 24,
  'relaxed: seen before the claim is not ours': 1 << 25, // added to marker and chain
  'relaxed: seen before the claim is a marker': 1 << 26, // added to marker
  'MARKER-1 by sequence, not by clocks': 1 << 27,
  'CHAIN-1 by sequence, not by clocks': 1 << 28,
  'PRECEDE-1 only what a reading showed': 1 << 29, // added: acceptance alone is not enough
  'PRECEDE-1 only texts': 1 << 30, // added
  'relaxed: not ours if its chat differs in the same form': 1 << 31,
};
const bit = (name) => { const v = OFF[name]; if (v === undefined) throw new Error(name); return v; };
const LISTED = bit('ABSENT-1 kind is listed'), SETTLED = bit('ABSENT-2 begun after settle'), MARGIN = bit('ABSENT-2 margin for clocks'),
  COMPLETE = bit('ABSENT-3 complete'), DESIGNED = bit('ABSENT-3 as designed (lists our youngest unreleased id)'), NO_ITEM = bit('ABSENT-4 no possibly own item'),
  LOOSE = bit('ABSENT-4 whatever its body'), UNREAD = bit('ABSENT-4 kind that we cannot read'), NO_ID = bit('ABSENT-4 item without an id'),
  RESTART = bit('ABSENT-5 no restart'), INTERVAL = bit('ABSENT-5 interval, not a moment'), GRACE = bit('ABSENT-6 grace'), CAS = bit('ABSENT-7 compare-and-set'),
  BEFORE = bit('MARKER-1 before the claim'), MARKER = bit('MARKER-1 a marker at all'),
  FIRST = bit('CHAIN-1 first before the claim'), ORDER = bit('CHAIN-2 in order'), EMPTY = bit('CHAIN-3 suffix not empty'), EVERY = bit('CHAIN-4 every reading'),
  BY_CHAT = 1 << 31,
  FRONT = 1 << 17, // a chain's bit, free here
  LAST_IDS = bit('CHAIN-5 durable last ids'), UNACC = bit('CHAIN-5 durable unaccounted ids'),
  PRE_CLAIM = bit('PRECEDE-1 before the claim'), PRE_LISTED = bit('PRECEDE-2 a preceding id is listed'), PRE_FIRST = bit('PRECEDE-2 up to the first possibly own item'),
  SEEN_FREE = bit('relaxed: seen before the claim is not ours'), SEEN_MARKER = bit('relaxed: seen before the claim is a marker'),
  MARKER_CLOCK = bit('MARKER-1 by sequence, not by clocks'), CHAIN_CLOCK = bit('CHAIN-1 by sequence, not by clocks'),
  ONLY_SEEN = bit('PRECEDE-1 only what a reading showed'), ONLY_TEXT = bit('PRECEDE-1 only texts'), BY_LEDGER = bit('PRECEDE-4 order by the ledger'), BY_READING = LAST_IDS /* a chain's bit, free here */;

export const accounted = (id, now) => id.idShown && (id.stored <= now || id.adopted <= now);

function possiblyOwn(a, id, now, off) {
  if (!id.idShown) { if (off & NO_ID) return false; } else if (id.stored <= now || id.adopted <= now) return false;
  if (id.shown !== a.kind && (off & UNREAD || id.shown !== KIND.unrecognised)) return false;
  if (off & SEEN_FREE && id.idShown && id.seenAt < a.claim) return false;
  if (off & BY_CHAT && !id.lid && id.chat !== a.chat) return false;
  if (off & LOOSE) return id.content === a.content && !id.reworded;
  return true;
}

/** ADOPT-1 … ADOPT-4, of one id that a witness shows. `there`: when it was, by the gateway's clock; undefined in the queue. */
export function adopts(a, id, now, there, gatewayOffset, off = 0) {
  if (!id.idShown || (!(off & 1) && (id.stored <= now || id.adopted <= now))) return false;
  if (id.shown !== a.kind || (!(off & 2) && (id.content !== a.content || id.reworded || id.lid))) return false;
  if (!(off & 4) && there !== undefined && there + 999 < a.claim + gatewayOffset - 1_000 - 500) return false;
  if (!(off & 8) && id.seenAt < a.claim) return false;
  return true;
}

/** ABSENT-1, -2, -3, -5, -6, -7 of the last reading. */
function mayConclude(w, a, r, now, off) {
  if (a.kind === KIND.status && !(off & LISTED)) return false;
  if (!(off & CAS) && a.stored <= now) return false;
  const settled = judgeAt(a) + w.clock[a.worker];
  const begun = r.begun + w.clock[r.worker];
  if (off & SETTLED) { if (begun < settled - SETTLE) return false; } else if (begun < settled + (off & MARGIN ? 0 : CLOCK_MARGIN)) return false;
  return !restarted(w, a, now + (off & GRACE ? 0 : RESTART_GRACE), off) && complete(w, a, r, now, off);
}

function complete(w, a, r, now, off) {
  if (off & COMPLETE || r.list.length < w.tested) return true;
  if (off & DESIGNED) {
    let youngest = null;
    for (const id of w.items) if (id.stored <= now && id.stored < NEVER && (youngest === null || id.claim > youngest.claim) && !(id.noticeAt <= now)) youngest = id;
    return youngest !== null && r.list.includes(youngest);
  }
  const from = judgeAt(a) + CLOCK_MARGIN + w.clock[a.worker];
  return r.list.some((id) => id.idShown && id.stored <= now && id.claim + w.clock[id.worker] >= from && id.claim < NEVER);
}

export function restarted(w, a, now, off) {
  if (off & RESTART) return false;
  return w.restarts.some((one) => one.knownFrom <= now && (off & INTERVAL ? one.knownFrom : Math.max(one.knownFrom, one.knownUntil)) >= a.claim);
}

export function marker(w, a, readings, n, now, off) {
  const r = readings[n];
  if (!mayConclude(w, a, r, now, off)) return false;
  let found = (off & MARKER) !== 0;
  for (const id of r.list) {
    if (!(off & NO_ITEM) && possiblyOwn(a, id, now, off)) return false;
    const before = off & BEFORE ? now : off & MARKER_CLOCK ? Math.min(now, a.claim + w.clock[a.worker] - w.clock[id.worker]) : a.claim;
    if (id.idShown && (id.stored < before || (off & SEEN_MARKER && id.seenAt < a.claim))) found = true;
  }
  return found;
}

/** Readings whose record the deciding worker has; `links[k]` as `linkOf` says of reading k and the one before. */
export function chain(w, a, readings, n, now, off) {
  const r = readings[n];
  if (!mayConclude(w, a, r, now, off)) return false;
  let k = n;
  const isAfter = (one) => (off & CHAIN_CLOCK ? one.ended + w.clock[one.worker] >= a.claim + w.clock[a.worker] : one.ended >= a.claim);
  for (; k > 0 && isAfter(readings[k]); k -= 1) {
    if (!linkOf(w, readings[k - 1], readings[k], off)) {
      if (off & FIRST) break;
      return false;
    }
  }
  if (!(off & FIRST) && isAfter(readings[k])) return false;
  if (off & NO_ITEM) return true;
  for (let j = off & EVERY ? n : off & SEEN_FREE ? k + 1 : k; j <= n; j += 1) {
    if (off & UNACC && w.takeover !== null && readings[j].begun < w.takeover.backAt && r.begun >= w.takeover.backAt && isNotLastBefore(readings, j, w)) continue;
    for (const id of readings[j].list) if (possiblyOwn(a, id, now, off)) return false;
  }
  return true;
}
const isNotLastBefore = (readings, j, w) => j + 1 < readings.length && readings[j + 1].begun < w.takeover.backAt;

function linkOf(w, before, after, off) {
  if (w.takeover !== null && after.worker !== before.worker && !w.takeover.durable) return (off & LAST_IDS) !== 0;
  const one = before.list, other = after.list;
  if (off & ORDER) return other.some((id) => one.includes(id)) || (off & EMPTY) !== 0;
  if (other.length === 0) return (off & EMPTY) !== 0;
  const at = one.indexOf(other[0]);
  if (at === -1) return (off & EMPTY) !== 0;
  if (one.length - at > other.length) return false;
  for (let j = at; j < one.length; j += 1) if (one[j] !== other[j - at] || !one[j].idShown) return false;
  return true;
}

/** PRECEDE-4, of one reading when it is recorded. @returns 1: contradicts the ledger; 2: contradicts the reading before; 3: both */
export function disorder(w, r, before) {
  let wrong = 0, earliest = NEVER, latestClaim = -NEVER;
  for (const id of r.list) {
    id.listedIn = r;
    if (!id.idShown || id.stored > r.ended) continue;
    if (id.stored < latestClaim) wrong = 1;
    if (id.claim > latestClaim) latestClaim = id.claim;
    if (id.stored < earliest) earliest = id.stored;
  }
  if (wrong === 0 && earliest < NEVER) for (const id of w.items) {
    if (id.claim > earliest && id.stored <= r.begun && id.listedIn !== r && id.idShown && id.kind !== KIND.status) { wrong = 1; break; }
  }
  if (before !== undefined && before.ended <= r.begun) {
    const one = before.list, other = r.list;
    let first = 0;
    while (first < one.length && one[first].listedIn !== r) first += 1;
    if (first < one.length) {
      const shown = one.length - first;
      if (other.length < shown) wrong |= 2;
      else for (let j = 0; j < shown; j += 1) if (one[first + j] !== other[j]) { wrong |= 2; break; }
    }
  }
  return wrong;
}

let token = 0;
export function precede(w, a, readings, n, now, off) {
  const r = readings[n];
  if (!mayConclude(w, a, r, now, off)) return false;
  token += 1;
  const lost = w.takeover !== null && !w.takeover.durable && r.worker === 1;
  for (let k = 0; k <= n; k += 1) {
    const { list, ended, worker } = readings[k];
    if (ended < a.claim || (lost && worker === 0 && k < n)) continue;
    const wrong = readings[k].disorder;
    if ((wrong & 1 && !(off & BY_LEDGER)) || (wrong & 2 && !(off & BY_READING))) return false;
    let has = (off & PRE_LISTED) !== 0;
    let limit = list.length, blocked = false;
    for (let i = 0; i < list.length; i += 1) {
      const id = list[i];
      const known = id.mark === token || (id.stored < (off & PRE_CLAIM ? now : a.claim) && !(off & ONLY_SEEN)) || (!lost && id.seenAt < a.claim);
      if (id.idShown && known && !(off & ONLY_TEXT && id.shown !== KIND.text)) { has = true; if (!(off & FRONT)) { limit = list.length; blocked = false; } }
      else if (limit === list.length && !(off & NO_ITEM) && possiblyOwn(a, id, now, off)) { limit = i; blocked = true; }
    }
    if (k === n) return has && !blocked;
    if (has) for (let i = 0; i < (off & PRE_FIRST ? list.length : limit); i += 1) list[i].mark = token;
  }
  return false;
}

export const P = { 'PRESUME-1 successor': 1, 'PRESUME-1 claimed after settle': 2, 'PRESUME-2 two retry intervals': 4, 'PRESUME-2 receiver up': 8, 'PRESUME-3 reading': 16,
  'PRESUME-4 nothing unexplained': 32, 'PRESUME-5 no restart': 64, 'PRESUME-6 notifications on': 128, 'PRESUME-7 none lacks its notification': 256, 'listed kinds only': 512, 'PRESUME-3 complete': 1024, 'PRESUME-8 in order': 2048, 'PRESUME-9 kind was notified': 4096 };
export function presume(w, a, readings, n, now, off) {
  if (a.stored <= now || (a.kind === KIND.status && !(off & 512))) return false;
  const r = readings[n];
  const settled = judgeAt(a) + CLOCK_MARGIN;
  if (r.begun < settled) return false;
  const wait = off & 4 ? 0 : 2 * RETRY;
  const down = w.receiverDown;
  if (!(off & 64) && restarted(w, a, now + RESTART_GRACE, 0)) return false;
  if (!(off & 128) && w.noticesOff !== null && [a.claim, now].some((t) => t >= w.noticesOff[0] && t < w.noticesOff[1])) return false;
  const upFrom = !(off & 8) && down !== null && down[0] <= now && down[1] > 0 ? (down[1] > now ? NEVER : down[1]) : -NEVER;
  if (!(off & 16)) {
    if (!(off & 1024) && !complete(w, a, r, now, 0)) return false;
    for (const id of r.list) if (!accounted(id, now)) return false;
  }
  let successor = (off & 1) !== 0;
  for (const id of w.items) {
    const ours = id.stored <= now;
    if (id.noticeAt <= now) {
      if (!(off & 32) && id.noticeAt >= a.claim && (id.unparsed || !(ours || id.adopted <= now))) return false;
      if (ours && !id.unparsed && (off & 2 || id.claim >= settled) && (off & 2 ? id.claim > a.claim : true)) {
        const from = Math.max(id.noticeAt, upFrom);
        if (from + wait <= now && (off & 16 || r.begun >= from + wait)) successor = true;
      }
    } else if (!(off & 256) && ours && id.how === 'released' && id.left + 2 * RETRY <= now) return false; // known to have left: a complete reading lacks it
  }
  if (!successor) return false;
  if (!(off & 4096) && !w.items.some((id) => id.kind === a.kind && id.stored <= now && id.noticeAt <= now && !id.unparsed)) return false;
  if (!(off & 2048)) {
    const came = w.items.filter((id) => id.stored <= now && id.noticeAt <= now && !id.unparsed).sort((x, y) => x.noticeAt - y.noticeAt || x.left - y.left);
    let latest = -NEVER;
    for (const id of came) { if (id.left + 1_000 < latest) return false; if (id.left > latest) latest = id.left; }
  }
  return true;
}
