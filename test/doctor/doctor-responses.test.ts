/** What the doctor says about servers that respond, but not with what it asked for. */
import { describe, expect, it } from 'vitest';
import { checkInstance } from '../../src/doctor/check-instance.js';
import { checkServer } from '../../src/doctor/check-temporal.js';
import { setupCommands } from '../../src/compose/temporal.js';
import { simulatorInstance } from '../../src/config/index.js';
import { AppError } from '../../src/contract/index.js';
import type { Gateway } from '../../src/gateway/index.js';

describe('a Temporal server that responds', () => {
  type Server = Parameters<typeof checkServer>[0];

  function checked(code: number, message: string) {
    const workflowService = {
      getSystemInfo: () => Promise.resolve({}),
      describeNamespace: () => Promise.reject(Object.assign(new Error(message), { code })),
    };
    const connection = { options: { address: 'localhost:7233' }, workflowService };
    const server = { connection, namespace: 'default', setupCommands } as unknown as Server;
    return checkServer(server, async (question) => {
      try {
        return await question();
      } catch (error) {
        return error as Error;
      }
    });
  }

  it.each([
    [14, 'UNAVAILABLE: dial tcp 127.0.0.1:5432: connect: connection refused'],
    [4, 'DEADLINE_EXCEEDED: context deadline exceeded'],
    [7, 'PERMISSION_DENIED: request unauthorized'],
  ])('and cannot read the namespace (gRPC %i) needs no new namespace', async (code, message) => {
    const { verdict, found, remedy } = await checked(code, message);
    expect(verdict).toBe('broken');
    expect(found).toContain('cannot read namespace "default"');
    expect(found).toContain(message);
    expect(remedy).toContain('database');
    expect(remedy).not.toContain('namespace create');
  });

  it('and has no such namespace gets the command that creates it', async () => {
    const { verdict, remedy } = await checked(5, 'NOT_FOUND: Namespace default is not found.');
    expect(verdict).toBe('broken');
    expect(remedy).toContain('namespace create');
  });
});

describe('a gateway that responds 429', () => {
  const busy = (retryAfterMs: number) =>
    new AppError('GATEWAY_BUSY', 'getStateInstance failed: too many requests.', { httpStatus: 429, retryAfterMs });

  function checked(call: () => Promise<unknown>) {
    return checkInstance({ call } as unknown as Gateway, simulatorInstance('http://127.0.0.1:9'), {});
  }

  it('is asked again until it responds', async () => {
    let calls = 0;
    const { findings } = await checked(() => {
      calls += 1;
      if (calls <= 8) return Promise.reject(busy(1));
      return Promise.resolve({ response: { stateInstance: 'authorized' } });
    });
    expect(findings[0]).toMatchObject({ verdict: 'ok', found: 'authorized' });
  });

  it('is busy, not broken, when it asks for more time than the doctor has', async () => {
    const { findings, changes } = await checked(() => Promise.reject(busy(60_000)));
    expect(changes).toEqual([]);
    expect(findings).toMatchObject([{ verdict: 'unknown', found: expect.stringMatching(/^busy: asked too often/) }]);
  });
});
