/** The Python example, run as by its reader: with Temporal's SDK for Python, and no code of ours between. */
import { fileURLToPath } from 'node:url';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { parseEncryptionKeys } from '../../src/contract/index.js';
import { failureDetailsSchema } from '../../src/contract/workflow-schemas.js';
import { messageId } from '../../src/starter/index.js';
import { pythonWithTemporal, type PythonWithTemporal, type ScriptFailure } from '../support/python.js';
import { test } from '../support/temporal/temporal.js';
import { aLiveApi } from '../api/live-api.js';
import { PrivateScan } from '../support/private-scan.js';
import { aWorld } from './world.js';

const EXAMPLE = fileURLToPath(new URL('../../examples/send_message.py', import.meta.url));
const PYTHON = await pythonWithTemporal();

/** Without Python the test is skipped, with the reason; in CI that is an error, see `pythonWithTemporal`. */
function itNeedsPython(title: string, body: (python: PythonWithTemporal) => Parameters<typeof test>[2]) {
  if ('missing' in PYTHON) test.skip(`${title} (skipped: ${PYTHON.missing})`, () => undefined);
  else test(title, body(PYTHON));
}

itNeedsPython(
  'the Python example sends a message, edits it, and waits until it is delivered',
  (python) =>
    async ({ temporal, taskQueue }) => {
      const world = await aWorld({ temporal, taskQueue });
      await world.run(async () => {
        const booking = randomUUID();
        const place = ['--address', temporal.address, '--namespace', temporal.namespace, '--task-queue', taskQueue];
        const example = () => python.run(EXAMPLE, [...place, '--to', '15550000001', '--booking', booking]);

        const { stdout } = await example();

        const id = messageId('main', `booking-${booking}`);
        const sent = { reached: true, edit: 'edited', message: id, state: 'delivered' };
        expect(JSON.parse(stdout)).toMatchObject(sent);
        expect(world.simulator.delivered()).toMatchObject([
          { chatId: '15550000001@c.us', text: 'Your table is booked for 8.' },
        ]);

        // A second run is still one message and one edit.
        expect(JSON.parse((await example()).stdout)).toMatchObject(sent);
        expect(world.simulator.requests().filter(({ method }) => method === 'sendMessage')).toHaveLength(1);
        expect(world.simulator.requests().filter(({ method }) => method === 'editMessage').length).toBeLessThan(2);
      });
    },
);

itNeedsPython(
  'the Python example reports what is wrong with its input',
  (python) =>
    async ({ temporal, taskQueue }) => {
      const world = await aWorld({ temporal, taskQueue });
      await world.run(async () => {
        const place = ['--address', temporal.address, '--namespace', temporal.namespace, '--task-queue', taskQueue];
        const failed = python.run(EXAMPLE, [...place, '--to', '12', '--booking', randomUUID()]);

        const { code, stdout } = (await failed.catch((error: unknown) => error)) as ScriptFailure;

        expect(code).toBe(1);
        const { type, details } = JSON.parse(stdout) as { type: string; details: unknown };
        expect(type).toBe('INPUT_INVALID');
        expect(failureDetailsSchema.parse(details).problems).toMatchObject([{ path: 'to' }]);
        expect(world.simulator.delivered()).toEqual([]);
      });
    },
);

itNeedsPython(
  'the Python example encrypts for everpost, and reads what everpost encrypts',
  (python) =>
    async ({ temporal, taskQueue }) => {
      const keys = `2026b:${Buffer.alloc(32, 2).toString('base64')},2026a:${Buffer.alloc(32, 1).toString('base64')}`;
      const scan = new PrivateScan({ number: '15550000001', text: 'Your table' });
      const live = await aLiveApi(temporal, taskQueue, { encryption: parseEncryptionKeys(keys) });
      try {
        const place = ['--address', temporal.address, '--namespace', temporal.namespace, '--task-queue', taskQueue];
        const example = (to: string, booking: string) =>
          python.run(EXAMPLE, [...place, '--to', to, '--booking', booking], { EVERPOST_ENCRYPTION_KEYS: keys });

        const { stdout } = await example('15550000001', randomUUID());
        expect(JSON.parse(stdout)).toMatchObject({ reached: true, edit: 'edited', state: 'delivered' });
        expect(live.phoneOf('15550000001')).toMatchObject([{ text: 'Your table is booked for 8.' }]);

        const refused = await example('12', randomUUID()).catch((error: unknown) => error);
        const { stdout: told } = refused as ScriptFailure;
        expect(JSON.parse(told)).toMatchObject({
          type: 'INPUT_INVALID',
          message: expect.stringContaining('The message'),
        });

        expect(await scan.readTemporal({ client: live.client, taskQueues: [taskQueue] })).toContain('message');
        expect(scan.found).toEqual([]);
      } finally {
        await live.close();
      }
    },
);
