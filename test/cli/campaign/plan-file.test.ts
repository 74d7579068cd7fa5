import { once } from 'node:events';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { withPlanOf } from '../../../src/cli/commands/campaign/plan.js';
import type { Terminal } from '../../../src/cli/terminal.js';
import type { CampaignId } from '../../../src/contract/index.js';
import type { ApiClient } from '../../../src/client/index.js';
import { aFolder } from '../../support/folder.js';

const FILE = { id: 'sale' as CampaignId, definition: {}, recipients: {} };

let dir: string;
beforeEach(() => {
  dir = aFolder({ 'recipients.csv': 'phone\n+15550000001\n' });
});

/** An API that records the campaigns that exist. */
function anApi(importFile: (file: { readonly body: Readable }) => Promise<unknown>) {
  const there = new Set<string>();
  const api = {
    defineCampaign: ({ id }: { readonly id: string }) => Promise.resolve(void there.add(id)),
    importRecipients: ({ file }: { readonly file: { readonly body: Readable } }) => importFile(file),
    removePlan({ id }: { readonly id: string }) {
      there.delete(id);
      return Promise.resolve();
    },
  };
  return { api: api as unknown as ApiClient, there };
}

function aTerminal(more: Partial<Terminal> = {}): Terminal {
  const output = { out: () => undefined, err: () => undefined, bytes: async () => undefined };
  return { ...output, stdin: Readable.from([]), env: {}, cwd: dir, ...more };
}

const FROM = { file: 'recipients.csv', delimiter: undefined };

describe('the plan of a file', () => {
  it('has an id of its own while it is shown, and is removed afterwards', async () => {
    const { api, there } = anApi(() => Promise.resolve({}));
    const seen = await withPlanOf(api, FILE, { from: FROM, terminal: aTerminal() }, (id) => {
      expect([...there]).toEqual([id]);
      return Promise.resolve(id);
    });
    expect(seen).toMatch(/^plan-sale-[0-9a-f]{8}$/);
    expect([...there]).toEqual([]);
  });

  it('is removed when its recipients cannot be read', async () => {
    const { api, there } = anApi(() => Promise.resolve({}));
    const from = { file: 'nowhere.csv', delimiter: undefined };
    const pending = withPlanOf(api, FILE, { from, terminal: aTerminal() }, () => Promise.resolve());
    await expect(pending).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect([...there]).toEqual([]);
  });

  it('is removed at Ctrl-C, which interrupts the import of a file that is still being read', async () => {
    let interrupt: () => void = () => undefined;
    const endless = new Readable({ read: () => undefined });
    endless.push('phone\n');
    const terminal = aTerminal({
      stdin: endless,
      onInterrupt: (interrupted) => ((interrupt = interrupted), () => undefined),
    });
    const { api, there } = anApi(async ({ body }) => {
      setImmediate(interrupt);
      body.resume();
      await once(body, 'end');
    });
    const from = { file: '-', delimiter: undefined };
    expect(await withPlanOf(api, FILE, { from, terminal }, () => Promise.resolve('a plan'))).toBeUndefined();
    expect([...there]).toEqual([]);
    expect(endless.destroyed).toBe(true);
  });
});
