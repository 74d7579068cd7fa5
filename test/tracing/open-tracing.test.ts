import { afterEach, expect, it, onTestFinished } from 'vitest';
import type { LogEntry } from '../../src/contract/index.js';
import { openTracing } from '../../src/tracing/index.js';
import { eventually } from '../support/eventually.js';
import { startCollector, startSlowCollector } from './collector.js';

const MORE_THAN_THE_QUEUE = 5_000;
const SETTINGS = { protocol: 'http/json', isSamplerChosen: false } as const;
const before = { ...process.env };

afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
  Object.assign(process.env, before);
});

async function open(env: Record<string, string>) {
  Object.assign(process.env, { OTEL_BSP_SCHEDULE_DELAY: '10', ...env });
  const logged: LogEntry[] = [];
  const opened = await openTracing(SETTINGS, { version: '1.2.3', log: (entry) => void logged.push(entry) });
  const spans = (count: number): void => {
    for (let made = 0; made < count; made += 1) opened.tracing.begin('claim', { instance: 'main' }).end();
  };
  return { ...opened, logged, spans };
}

it('a process that stops exports the spans that wait, with its version and the names of the environment', async () => {
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  const { spans, close } = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '60000',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
  });
  spans(3);
  await close();
  expect(collector.spans).toHaveLength(3);
  expect(collector.spans[0]?.service).toMatchObject({
    'service.name': 'everpost',
    'service.version': '1.2.3',
    'deployment.environment.name': 'staging',
  });
});

it('a collector that never responds keeps no more spans than the queue has, and delays no stop', async () => {
  const slow = await startSlowCollector();
  onTestFinished(() => slow.close());
  const { spans, close } = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: slow.url });
  spans(MORE_THAN_THE_QUEUE);
  await eventually(() => expect(slow.asked()).toBe(1));
  spans(MORE_THAN_THE_QUEUE);
  const begunAtMs = performance.now();
  await close();
  // The export itself would wait ten seconds.
  expect(performance.now() - begunAtMs).toBeLessThan(8_000);
});

it('a collector that is away is logged once, without its address', async () => {
  const { url, close: free } = await startCollector();
  await free();
  const { spans, close, logged } = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: '50' });
  await eventually(() => {
    spans(10);
    expect(logged).not.toEqual([]);
  });
  await close();
  expect(logged).toMatchObject([{ level: 'warn', message: expect.stringContaining('Messages are not affected') }]);
  expect(JSON.stringify(logged)).not.toContain(new URL(url).port);
});
