import { describe, expect, onTestFinished, test } from 'vitest';
import type { LastRun, TemplateDefinition } from '../../src/contract/index.js';
import { templateSweeper } from '../../src/worker/index.js';
import { aLedger } from '../support/ledger/ledger.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

/** Templates named after the state of their last runs, swept once. */
async function sweep(runs: Readonly<Record<string, LastRun>>) {
  const ledger = await aLedger();
  onTestFinished(() => ledger.close());
  const { templates } = ledger;
  for (const elementName of Object.keys(runs)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing but its name matters here
    const definition = { elementName } as TemplateDefinition;
    const input = { instance: 'main', elementName, definition, definitionHash: elementName, requestedAt: '' };
    await templates.open(input, 'default', NOW);
  }
  const started: string[] = [];
  const drivers = {
    lastRun: ({ elementName }: { elementName: string }) => Promise.resolve(runs[elementName] ?? 'none'),
    continueRun: ({ elementName }: { elementName: string }) => Promise.resolve(void started.push(elementName)),
  };
  const clock = { nowMs: () => NOW };
  await templateSweeper({ ledger, drivers, namespace: 'default', clock, log: () => undefined }).round();
  return { started, templates };
}

describe('the sweeper of templates', () => {
  test('starts a run for each template without one, and ignores the others', async () => {
    const { started } = await sweep({ followed: 'running', forgotten: 'none', failed: 'ended' });
    expect(started.toSorted()).toEqual(['failed', 'forgotten']);
  });

  test.each(['terminated', 'cancelled'] as const)(
    'starts no run when an operator %s it, and the template shows that',
    async (run) => {
      const { started, templates } = await sweep({ stopped: run });
      expect(started).toEqual([]);
      expect(await templates.snapshot({ instance: 'main', elementName: 'stopped' })).toHaveProperty('unwatchedSince');
    },
  );

  test('ignores a decided template', async () => {
    const { templates } = await sweep({ approved: 'running', rejected: 'running', pending: 'running' });
    for (const [elementName, status] of [
      ['approved', 'APPROVED'],
      ['rejected', 'REJECTED'],
      ['pending', 'PENDING'],
    ] as const) {
      const key = { instance: 'main', elementName };
      await templates.recordOutcome(key, 'token', { kind: 'accepted', reading: { status }, witness: 'response' }, NOW);
    }
    const page = await templates.unfinished({ namespace: 'default', limit: 10 });
    expect(page.map(({ elementName }) => elementName)).toEqual(['pending']);
  });
});
