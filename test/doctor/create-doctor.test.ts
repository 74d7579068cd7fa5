/** EXAMINE-1 to EXAMINE-3: what an examination costs, however many ask for it. */
import { describe, expect, it } from 'vitest';
import { createDoctor } from '../../src/doctor/index.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');

function aDoctor(more: Partial<Parameters<typeof createDoctor>[0]> = {}) {
  const asked: string[] = [];
  const clock = { ms: NOW };
  const count = (what: string) => {
    asked.push(what);
    return Promise.resolve([{ subject: what, verdict: 'ok', found: 'fine' } as const]);
  };
  const doctor = createDoctor({
    clock: { nowMs: () => clock.ms },
    ledger: () => count('ledger'),
    temporal: () => count('temporal'),
    account: (name) => count(`instance ${name}`),
    ...more,
  });
  return { doctor, asked, clock };
}

function aGate() {
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

describe('the doctor of the API', () => {
  it('examines a part once, however many ask, and says when (EXAMINE-1)', async () => {
    const { doctor, asked, clock } = aDoctor();
    const [first] = await Promise.all([doctor.examine(['main'], true), doctor.examine(['main'], true)]);
    clock.ms += 4_000;
    expect(await doctor.examine(['main'], true)).toEqual(first);
    expect(first.map(({ at }) => at)).toEqual(Array.from({ length: 3 }, () => new Date(NOW).toISOString()));
    expect(asked.toSorted()).toEqual(['instance main', 'ledger', 'temporal']);
    clock.ms += 120_000;
    await doctor.examine(['main'], true);
    expect(asked).toHaveLength(6);
  });

  it('examines again after an error, which one caller gets', async () => {
    let isBroken = true;
    const { doctor } = aDoctor({
      ledger: () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve([])),
    });
    await expect(doctor.examine([], false)).rejects.toThrow('broken');
    isBroken = false;
    expect(await doctor.examine([], false)).toEqual([]);
  });

  it('examines neither Temporal nor other accounts for a caller of one account', async () => {
    const { doctor, asked } = aDoctor();
    await doctor.examine(['other'], false);
    expect(asked.toSorted()).toEqual(['instance other', 'ledger']);
  });

  it('asks ten gateways at a time (EXAMINE-2)', async () => {
    let [running, most] = [0, 0];
    const gate = aGate();
    const { doctor } = aDoctor({
      async account() {
        running += 1;
        most = Math.max(most, running);
        await gate.opened;
        running -= 1;
        return [];
      },
    });
    const examined = doctor.examine(
      Array.from({ length: 25 }, (_, at) => `i-${at}`),
      false,
    );
    gate.open();
    await examined;
    expect(most).toBe(10);
  });

  it('reports a part that needs longer as unknown, and gives its findings later (EXAMINE-3)', async () => {
    const gate = aGate();
    const { doctor, asked } = aDoctor({
      withinMs: 1,
      async account(name) {
        asked.push(name);
        await gate.opened;
        return [{ subject: `instance ${name}`, verdict: 'broken', found: 'blocked' }];
      },
    });
    const [, late] = await doctor.examine(['main'], false);
    expect(late).toMatchObject({ verdict: 'unknown', subject: 'instance main', instance: 'main' });
    gate.open();
    const [, found] = await doctor.examine(['main'], false);
    expect(found).toMatchObject({ verdict: 'broken', found: 'blocked' });
    expect(asked).toEqual(['ledger', 'main']);
  });
});
