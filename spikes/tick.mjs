import pg from 'pg'; import { randomUUID } from 'node:crypto'; import { readFileSync } from 'node:fs'; import { execSync } from 'node:child_process';
const arg = (n, d) => { const i = process.argv.indexOf('--' + n); return i < 0 ? d : process.argv[i + 1]; };
const INST = +arg('instances', 500), PER = +arg('per', 60), MODE = arg('mode', 'tick'), DELAY = +arg('delay', 500), LAT = +arg('latency', 5), WINDOW = +arg('window', 2), SECS = +arg('seconds', 20), BLOCKED = +arg('blocked', 0);
const pool = new pg.Pool({ connectionString: 'postgres://everpost@127.0.0.1:55433/spike', max: 8 });
await pool.query(readFileSync('schema.sql', 'utf8'));
const names = Array.from({ length: INST }, (_, i) => `i${String(i).padStart(4, '0')}`);
await pool.query(`insert into dispatchers(instance, epoch) select unnest($1::text[]), 1`, [names]);
await pool.query(`insert into streams(instance, class) select unnest($1::text[]), 2`, [names]);
await pool.query(`insert into messages(instance, stream_id, chat_id, body, identical, due_at, expires_at) select s.instance, s.id, '1555'||lpad(n::text,7,'0')||'@c.us', 'Hello number '||n, sha256((s.instance||n)::bytea), now(), now()+'1 day' from streams s, generate_series(1,$1::int) n`, [PER]);
await pool.query(`insert into due_messages select stream_id, due_at, id from messages`);
await pool.query(`analyze`);
const walStart = (await pool.query('select pg_current_wal_lsn() l')).rows[0].l;
const state = new Map(names.map((n) => [n, { inFlight: 0, nextAt: 0, dry: false }]));
const outcomes = []; let posted = 0, ticks = 0, rowsTick = 0, wakeUp; const wake = () => { wakeUp?.(); };
const SELECT = `with want as (select * from unnest($1::text[], $2::int[]) w(instance, free)),
locked as (select d.instance from dispatchers d join want using (instance) where d.epoch = $3 order by d.instance for no key update of d),
picked as (select w.instance, p.* from want w join locked using (instance) cross join lateral (
  select due.stream_id, due.due_at, due.message_id from streams s cross join lateral (select * from due_messages q where q.stream_id = s.id and q.due_at <= $4 order by q.due_at, q.message_id limit w.free) due
  where s.instance = w.instance and s.state = 'ready' and s.next_due_at <= $4 order by s.class, s.served limit w.free) p),
gone as (delete from due_messages d using picked p where d.stream_id = p.stream_id and d.due_at = p.due_at and d.message_id = p.message_id),
claimed as (update messages m set state = 'sending', version = version + 1 from picked p where m.id = p.message_id and m.state = 'pending' and m.expires_at > $4 returning m.id, m.instance, m.chat_id, m.body, m.identical),
intents as (insert into attempts(token, message_id, instance, identical, epoch, claimed_at, deadline_at) select gen_random_uuid(), id, instance, identical, $3, $4, $4::timestamptz + interval '5 seconds' from claimed on conflict do nothing returning token, message_id)
select i.token, c.* from intents i join claimed c on c.id = i.message_id`;
const OUTCOME = `with o as (select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[]) o(token, message_id, instance, id_message)),
a as (update attempts set outcome = 'accepted', outcome_at = $5, id_message = o.id_message from o where attempts.token = o.token and attempts.outcome is null returning attempts.message_id),
ids as (insert into message_ids select instance, id_message, message_id from o on conflict do nothing)
update messages m set state = 'accepted', id_message = o.id_message, version = version + 1 from o where m.id = o.message_id`;
const q = (c, name, text, values) => c.query({ name, text, values });
let n = 0;
function post(row) { const s = state.get(row.instance); s.inFlight++; posted++; setTimeout(() => { s.inFlight--; outcomes.push({ token: row.token, id: row.id, instance: row.instance, idMessage: `3EB0${(++n).toString(16).padStart(16, '0')}` }); wake(); }, LAT); }
async function tx(list, outs) {
  const c = await pool.connect();
  try {
    const now = new Date();
    await c.query('begin');
    if (outs.length) await q(c, 'out', OUTCOME, [outs.map((o) => o.token), outs.map((o) => o.id), outs.map((o) => o.instance), outs.map((o) => o.idMessage), now]);
    let rows = [];
    if (list.length) rows = (await q(c, 'sel', SELECT, [list.map(([i]) => i), list.map(([, f]) => f), 1, now])).rows;
    await c.query('commit');
    return rows;
  } finally { c.release(); }
}
const cpuPg = () => { let t = 0; for (const l of execSync(`ps -o pid=,cputimes= -C postgres`, { encoding: 'utf8' }).trim().split('\n')) { try { const s = readFileSync(`/proc/${l.trim().split(/\s+/)[0]}/stat`, 'utf8').split(') ')[1].split(' '); t += (+s[11] + +s[12]) * 10; } catch {} } return t; };
const t0 = performance.now(), cpu0 = process.cpuUsage(), pg0 = cpuPg();
const due = (now) => { const list = []; for (const [i, s] of state) if (!s.dry && s.nextAt <= now && s.inFlight < WINDOW) list.push([i, DELAY === 0 ? WINDOW - s.inFlight : 1]); return list; };
while (performance.now() - t0 < SECS * 1000) {
  const now = performance.now(); const list = due(now); const outs = outcomes.splice(0);
  if (!list.length && !outs.length) { if ([...state.values()].every((s) => s.dry && !s.inFlight)) break; await new Promise((r) => { wakeUp = r; setTimeout(r, 2); }); continue; }
  ticks++;
  for (const [i] of list) state.get(i).nextAt = DELAY === 0 ? 0 : Math.max(state.get(i).nextAt + DELAY, now - DELAY);
  let rows;
  if (MODE === 'tick') rows = await tx(list, outs);
  else { const by = new Map(list.map((l) => [l[0], { list: [l], outs: [] }])); for (const o of outs) { if (!by.has(o.instance)) by.set(o.instance, { list: [], outs: [] }); by.get(o.instance).outs.push(o); } rows = (await Promise.all([...by.values()].map((b) => tx(b.list, b.outs)))).flat(); }
  rowsTick += rows.length; const got = new Set(rows.map((r) => r.instance)); for (const [i] of list) if (!got.has(i)) state.get(i).dry = true;
  rows.forEach(post);
  if (DELAY) await new Promise((r) => setTimeout(r, +arg('pace', 10)));
}
const secs = (performance.now() - t0) / 1000, cpu = process.cpuUsage(cpu0); const wal = (await pool.query('select pg_current_wal_lsn() - $1::pg_lsn as b', [walStart])).rows[0].b;
console.log(JSON.stringify({ mode: MODE, instances: INST, posted, secs: +secs.toFixed(1), perSec: Math.round(posted / secs), ofPace: DELAY ? +(posted / secs / (INST * 1000 / DELAY)).toFixed(3) : null, ticks, perTick: +(rowsTick / ticks).toFixed(1), nodeMs: +((cpu.user + cpu.system) / 1000 / posted).toFixed(3), pgMs: +((cpuPg() - pg0) / posted).toFixed(3), walPer: Math.round(wal / posted) }));
await pool.end();
