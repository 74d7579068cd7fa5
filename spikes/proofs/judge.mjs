/** Plays what our worker knows, reading after reading: adopts what it may, and asks every rule variant whether it concludes absence. */
import { adopts, disorder } from './rules.mjs';
import { NEVER } from './world.mjs';

/**
 * @param variants  [{ decide(w, attempt, readings, n, now, off), off }]
 * @returns for each attempt in doubt: { attempt, adopted, by: time of each variant's conclusion or 0 }
 */
export function judge(w, variants, { adoptOff = 0, epoch = true } = {}) {
  const open = [];
  const same = new Map();
  for (const one of w.items) {
    one.seenAt = NEVER; one.mark = 0; one.listedIn = null;
    if (one.doubt && !open.includes(one)) { open.push(one); same.set(one.content, []); }
  }
  for (const one of w.items) same.get(one.content)?.push(one);
  const zombie = (r) => epoch && w.takeover !== null && r.worker === 0 && r.ended >= w.takeover.backAt;
  const readings = w.readings.filter((r) => !zombie(r)).sort((x, y) => x.ended - y.ended);
  const out = open.map((attempt) => ({ attempt, adopted: null, by: new Float64Array(variants.length) }));
  for (let n = 0; n < readings.length; n += 1) {
    const r = readings[n];
    const now = r.ended;
    r.disorder = disorder(w, r, readings[n - 1]);
    for (const id of r.list) if (id.seenAt > now) id.seenAt = now;
    for (const one of out) {
      const a = one.attempt;
      if (a.claim >= now || one.adopted !== null || a.stored <= now - 3_000) continue;
      for (const id of adoptOff & 2 ? w.items : same.get(a.content)) {
        if (a.stored <= now) break;
        const noticed = id.noticeAt <= now && !id.unparsed;
        if (!noticed && !r.list.includes(id)) continue;
        if (!adopts(a, id, now, noticed ? id.left + w.gatewayClock : undefined, w.gatewayClock, adoptOff)) continue;
        one.adopted = id; one.at = now; if (id.adopted === NEVER && id.stored > now) id.adopted = now;
        break;
      }
      if (one.adopted !== null) continue;
      for (let v = 0; v < variants.length; v += 1) {
        if (one.by[v] === 0 && variants[v].decide(w, a, readings, n, now, variants[v].off)) one.by[v] = now;
      }
    }
  }
  return out;
}

/** The truth: 'absent', 'doubles' (accepted, left or will leave the queue) or 'harmless' (accepted, but cleared or dropped). */
export function truth(a) {
  if (a.accept >= NEVER) return 'absent';
  return a.how === 'cleared' || a.how === 'dropped' ? 'harmless' : 'doubles';
}
