import { Worker, NativeConnection, Runtime, DefaultLogger } from '@temporalio/worker';
import { Client, Connection } from '@temporalio/client';
import { CompleteAsyncError, Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
Runtime.install({ logger: new DefaultLogger('ERROR') });
const address = process.argv[2]; const N = +process.argv[3]; const CAP = +process.argv[4] || 16;
const connection = await NativeConnection.connect({ address }); const cc = await Connection.connect({ address });
const client = new Client({ connection: cc });
const recorded = new Set(); const started = new Map();
const worker = await Worker.create({ connection, taskQueue: 'spike', workflowsPath: new URL('./wf.mjs', import.meta.url).pathname,
  activities: { async record(i) { recorded.add(i.id); }, async sendMessage(i) { const { info } = Context.current(); started.set(i.id, [...(started.get(i.id) ?? []), info.attempt]); throw new CompleteAsyncError(); } } });
const run = worker.run();
const ms = (t) => Math.round(performance.now() - t);
// (a) retry by fail with delay, completion twice, completion by a sweeper for another attempt
const h = await client.workflow.start('message', { workflowId: `m-a-${Date.now()}`, taskQueue: 'spike', args: [{ id: 'a', editMs: 10 }] });
const until = async (f) => { while (!(await f())) await new Promise((r) => setTimeout(r, 20)); };
await until(() => started.has('a'));
const pend = async () => (await h.describe()).raw.pendingActivities?.[0];
console.log('pending', (await pend())?.activityType?.name, 'attempt', (await pend())?.attempt);
const id = { workflowId: h.workflowId, activityId: (await pend()).activityId };
let t = performance.now();
await client.activity.fail(id, ApplicationFailure.create({ message: 'instance main is not authorized', type: 'INSTANCE_NOT_AUTHORIZED', nextRetryDelay: '3s' }));
console.log('after fail', JSON.stringify({ attempt: (await pend())?.attempt, state: (await pend())?.state, failure: (await pend())?.lastFailure?.message }));
// completing while it waits for its retry
const during = await client.activity.complete(id, { state: 'accepted' }).then(() => 'completed during backoff', (e) => `during backoff: ${e.name} ${e.message}`);
console.log(during);
if (!during.startsWith('completed')) { await until(() => started.get('a').length > 1); console.log('attempt 2 after', ms(t)); await client.activity.complete(id, { state: 'accepted' }); }
console.log('again:', await client.activity.complete(id, { state: 'x' }).then(() => 'taken', (e) => e.name));
console.log('result', JSON.stringify(await h.result()));
console.log('fail after end:', await client.activity.fail(id, ApplicationFailure.create({ message: 'x' })).then(() => 'taken', (e) => e.name));
const hist = await h.fetchHistory(); console.log('events', hist.events.length, hist.events.map((e) => Object.keys(e).find((k) => k.endsWith('Attributes')).replace('EventAttributes', '')).join(' '));
// (d) capped starter
t = performance.now(); const ids = Array.from({ length: N }, (_, i) => `d${i}`); let at = 0; const p0 = process.cpuUsage();
await Promise.all(Array.from({ length: CAP }, async () => { while (at < ids.length) { const id = ids[at++]; await client.workflow.start('message', { workflowId: `m-${id}-${process.pid}`, taskQueue: 'spike', args: [{ id, editMs: 50 }] }); } }));
const startMs = ms(t); await until(() => ids.every((i) => started.has(i))); const pendingMs = ms(t);
const t2 = performance.now(); at = 0; await Promise.all(Array.from({ length: CAP }, async () => { while (at < ids.length) { const id = ids[at++]; await client.activity.complete({ workflowId: `m-${id}-${process.pid}`, activityId: '2' }, {}); } }));
const cpu = process.cpuUsage(p0);
console.log(JSON.stringify({ N, CAP, startsPerSec: Math.round(N / startMs * 1000), pendingPerSec: Math.round(N / pendingMs * 1000), completionsPerSec: Math.round(N / ms(t2) * 1000), ourCpuMsEach: +((cpu.user + cpu.system) / 1000 / N).toFixed(1) }));
worker.shutdown(); await run; process.exit(0);
