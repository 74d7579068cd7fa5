import { beforeEach, describe, expect, it } from 'vitest';
import { createCommandContext } from '../../../src/cli/command-context.js';
import { printSimulatedReview } from '../../../src/cli/commands/template.js';
import { writeDevRecord } from '../../../src/tools/dev/dev-record.js';
import type { TemplateResponse } from '../../../src/client/index.js';
import { aFolder } from '../../support/folder.js';

let dataDir: string;
beforeEach(() => {
  dataDir = aFolder();
});

const API = 'http://127.0.0.1:9001';

async function told(template: Partial<TemplateResponse>, env: Record<string, string> = {}): Promise<string> {
  const err: string[] = [];
  const context = createCommandContext({
    out: () => undefined,
    err: (line) => err.push(line),
    bytes: async () => undefined,
    stdin: process.stdin,
    env: { EVERPOST_DATA_DIR: dataDir, ...env },
    cwd: dataDir,
  });
  const pending = { instance: 'main', elementName: 'order_ready', status: 'PENDING' };
  await printSimulatedReview({ ...pending, ...template } as TemplateResponse, context);
  return err.join('\n');
}

describe("a template that waits for the simulator's review", () => {
  beforeEach(async () => {
    const simulatorUrl = 'http://127.0.0.1:9004';
    await writeDevRecord({ apiUrl: API, temporalAddress: '127.0.0.1:9002', simulatorUrl, dataDir });
  });

  it("is shown with the command that decides it, at the simulator's address", async () => {
    expect(await told({})).toContain('curl -X POST http://127.0.0.1:9004/_sim/templates/order_ready/decision');
    expect(await told({}, { EVERPOST_API_URL: API })).toContain('/decision');
  });

  it('is shown without that command once it is decided, or when another API answered', async () => {
    expect(await told({ status: 'APPROVED' })).toBe('');
    expect(await told({}, { EVERPOST_API_URL: 'http://127.0.0.1:9003' })).toBe('');
  });
});
