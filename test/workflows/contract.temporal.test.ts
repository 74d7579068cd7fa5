/**
 * The workflow `message` as docs/contract.md promises it, from raw JSON: through Temporal’s CLI, and its clients
 * without our types.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { editResultSchema, messageResultSchema, waitForResultSchema } from '../../src/contract/workflow-schemas.js';
import { messageWorkflowId } from '../../src/contract/index.js';
import { messageId } from '../../src/starter/index.js';
import { requestHash } from '../../src/starter/ids.js';
import { temporalCli } from '../support/temporal/temporal-cli.js';
import { test } from './in-world.js';
import { ALICE, HELLO, failureOf, pathsOf, posts, start, waitFor } from './raw-start.js';
import { aWorld } from './world.js';
import { eventually } from '../support/eventually.js';

describe('a message started with raw JSON by Temporal’s CLI', () => {
  test('is sent, waited for until it is delivered, and edited', ({ inWorld }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      const cli = await temporalCli(temporal);
      const workflowId = `order-${randomUUID()}`;
      const message = ['--type', 'message', '--task-queue', taskQueue, '--workflow-id', workflowId];
      await cli('workflow', 'start', ...message, '--input', JSON.stringify(HELLO));
      const updating = ['workflow', 'update', 'execute', '--workflow-id', workflowId, '--name'];
      const update = async (name: string, input: object) =>
        (await cli(...updating, name, '--input', JSON.stringify(input))).json;

      const { result: arrived } = (await update('waitFor', { state: 'delivered' })) as { result: unknown };
      expect(waitForResultSchema.parse(arrived)).toMatchObject({ reached: true, state: 'delivered' });
      const { result: edited } = (await update('edit', { text: 'Hello again' })) as { result: unknown };
      expect(editResultSchema.parse(edited)).toMatchObject({ outcome: 'edited', via: 'gateway' });

      expect(world.simulator.delivered()).toMatchObject([{ chatId: `${ALICE}@c.us`, text: 'Hello again' }]);
    }));

  test('that is wrong in several fields ends failed at once, with each of them named', ({ inWorld }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      const cli = await temporalCli(temporal);
      const input = { instance: 'shop', to: '12', content: { kind: 'text', text: '' }, prio: 'high', key: '' };
      const workflow = ['--type', 'message', '--task-queue', taskQueue, '--workflow-id', `order-${randomUUID()}`];
      const { json, stderr } = await cli('workflow', 'execute', ...workflow, '--input', JSON.stringify(input));
      expect(stderr).toContain('workflow failed');
      expect(json).toMatchObject({
        status: 'FAILED',
        closeEvent: {
          workflowExecutionFailedEventAttributes: {
            failure: {
              message: expect.stringMatching(/^The message is refused: .*content\.text .*nothing was begun\.$/),
              applicationFailureInfo: { type: 'INPUT_INVALID', nonRetryable: true },
            },
          },
        },
      });
      const paths = JSON.stringify(json).matchAll(/"path":"([^"]*)"/g);
      const found = [...paths].map(([, path = '']) => path).toSorted();
      expect(found).toEqual(['content.text', 'instance', 'key', 'prio', 'to']);
      expect(posts(world)).toBe(0);
      expect((await world.ledger.views.messages({})).items).toEqual([]);
    }));

  test('gets an error with the name when it waits for an unknown state', ({ inWorld }) =>
    inWorld(async (_world, place) => {
      const cli = await temporalCli(place.temporal);
      const { workflowId } = await start(place, HELLO);
      const update = ['workflow', 'update', 'execute', '--workflow-id', workflowId, '--name', 'waitFor'];
      const { stderr } = await cli(...update, '--input', '{"state":"arrived","timeout":1}');
      expect(stderr).toMatch(/state "arrived" is no state: give one of .*delivered.*timeout is not a known field/);
      expect(stderr).toContain('INPUT_INVALID');
    }));
});

describe('the input of a message', () => {
  test('fails the run when it is no message at all, whatever it is', ({ inWorld }) =>
    inWorld(async (world, place) => {
      const deep: unknown = JSON.parse(`{"content":${'['.repeat(500)}${']'.repeat(500)}}`);
      for (const input of [undefined, null, 'hello', 7, [HELLO], deep]) {
        expect(await pathsOf(await start(place, input))).toEqual(['']);
      }
      expect(await pathsOf(await start(place, {}))).toEqual(['content', 'instance']);
      expect(await pathsOf(await start(place, { ...HELLO, to: undefined }))).toEqual(['to']);
      expect(await pathsOf(await start(place, { ...HELLO, expiresAt: '2001-01-01T00:00:00Z' }))).toEqual(['expiresAt']);
      expect(await pathsOf(await start(place, { ...HELLO, content: { kind: 'text', text: 'a\0b' } }))).toEqual([
        'content.text',
      ]);
      const large = {
        ...HELLO,
        content: { kind: 'file', url: `https://a.example/${'x'.repeat(110_000)}`, fileName: 'a.pdf' },
      };
      expect(await pathsOf(await start(place, large))).toContain('');
      const unknownTemplate = { ...HELLO, content: { kind: 'template', elementName: 'never_submitted' } };
      expect(await pathsOf(await start(place, unknownTemplate))).toEqual(['content.elementName']);
      expect(posts(world)).toBe(0);
    }));

  test('is refused under a workflow id that belongs to another message', ({ inWorld }) =>
    inWorld(async (_world, place) => {
      expect(await pathsOf(await start(place, HELLO, `message:order-${randomUUID()}`))).toEqual(['']);
      const id = messageId('main', randomUUID());
      expect(await pathsOf(await start(place, { id }))).toEqual(['']);
      expect(await failureOf(await start(place, { id }, `message:${id}`))).toMatchObject({ type: 'MESSAGE_NOT_FOUND' });
      expect(await pathsOf(await start(place, { id: 'msg_1' }))).toEqual(['id']);
    }));

  test('refuses the updates that came with it when it is invalid', async ({ temporal, taskQueue }) => {
    const world = await aWorld({ temporal, taskQueue });
    const handle = await start({ temporal, taskQueue }, { ...HELLO, to: '12' });
    const asked = Promise.allSettled([
      handle.executeUpdate('edit', { args: [{ text: 'New' }] }),
      handle.executeUpdate('cancel'),
      waitFor(handle, 'delivered'),
    ]);
    await world.run(async () => {
      for (const response of await asked) {
        expect(response).toMatchObject({ status: 'rejected', reason: { cause: { type: 'INPUT_INVALID' } } });
      }
      expect(await pathsOf(handle)).toEqual(['to']);
    });
  });

  test('is not validated again once the API has accepted it, though its instance no longer exists', ({ inWorld }) =>
    inWorld(async (world, place) => {
      const key = randomUUID();
      const input = { ...HELLO, instance: 'moved-away', key };
      const request = { instance: 'moved-away', chatId: `${ALICE}@c.us`, content: HELLO.content } as const;
      const id = messageId('moved-away', key);
      const nowMs = world.clock.nowMs();
      const accepted = { id, request, requestHash: requestHash(request), expiresAtMs: nowMs + 60_000, nowMs };
      await world.ledger.intake.open(accepted);
      const handle = await start(place, input, messageWorkflowId(id));
      expect(await waitFor(handle, 'pending')).toMatchObject({ reached: true });
      expect(await world.ledger.messages.snapshot(id)).toMatchObject({ state: 'pending' });
      await handle.terminate('the test has ended');
    }));
});

describe('the key of a message', () => {
  test('determines the same message as through the HTTP API, and a second start is told which run sends it', ({
    inWorld,
  }) =>
    inWorld(async (world, place) => {
      const key = randomUUID();
      const first = await start(place, { ...HELLO, key });
      await waitFor(first, 'delivered');
      const id = messageId('main', key);
      expect(await world.ledger.messages.snapshot(id)).toMatchObject({
        state: 'delivered',
        workflowId: first.workflowId,
      });

      const second = await failureOf(await start(place, { ...HELLO, key }));
      expect(second).toMatchObject({
        type: 'MESSAGE_ALREADY_STARTED',
        details: { messageId: id, workflowId: first.workflowId },
      });
      expect(second.message).toContain(first.workflowId);
      const other = await start(place, { ...HELLO, content: { kind: 'text', text: 'Other' }, key });
      expect(await failureOf(other)).toMatchObject({ type: 'IDEMPOTENCY_MISMATCH' });
      expect(posts(world)).toBe(1);
    }));

  test('gives a start after the end the result of the one message', ({ inWorld }) =>
    inWorld(async (world, place) => {
      const input = { ...HELLO, key: randomUUID() };
      const rejecting = { method: 'sendMessage', kind: 'status', status: 400, accepted: false, times: 1 };
      await world.control('POST', 'faults', rejecting);
      const first = messageResultSchema.parse(await (await start(place, input)).result());
      expect(first).toMatchObject({ state: 'rejected', id: messageId('main', input.key) });
      expect(messageResultSchema.parse(await (await start(place, input)).result())).toEqual(first);
      expect(posts(world)).toBe(1);
    }));

  test('is the first run’s by default: a reset sends nothing again, another start does', ({ inWorld }) =>
    inWorld(async (world, place) => {
      const handle = await start(place, HELLO);
      const before = waitForResultSchema.parse(await waitFor(handle, 'delivered'));
      const { runId } = await handle.describe();
      const cli = await temporalCli(place.temporal);
      const { workflowId } = handle;
      await cli('workflow', 'reset', '--workflow-id', workflowId, '--type', 'FirstWorkflowTask', '--reason', 'a test');
      const reset = place.temporal.client.workflow.getHandle(handle.workflowId);
      const after = waitForResultSchema.parse(await waitFor(reset, 'delivered'));
      expect((await reset.describe()).runId).not.toBe(runId);
      expect(after.id).toBe(before.id);
      expect(posts(world)).toBe(1);

      const another = waitForResultSchema.parse(await waitFor(await start(place, HELLO), 'delivered'));
      expect(another.id).not.toBe(before.id);
      expect(posts(world)).toBe(2);
    }));
});

describe('a message under its starter’s workflow id', () => {
  test('is found by its search attributes, though the start set none', ({ inWorld }) =>
    inWorld(async (_world, place) => {
      const handle = await start(place, HELLO);
      await waitFor(handle, 'delivered');
      await eventually(async () => {
        const { searchAttributes } = await handle.describe();
        expect(searchAttributes).toMatchObject({
          EverpostInstance: ['main'],
          EverpostKind: ['text'],
          EverpostState: [expect.stringMatching(/^(sent|delivered|read)$/)],
        });
      });
    }));

  test('ignores unknown signals', ({ inWorld }) =>
    inWorld(async (_world, place) => {
      const handle = await start(place, HELLO);
      for (const junk of [undefined, null, 'junk', { state: 'read' }]) {
        await handle.signal('messageChanged', junk);
      }
      expect(waitForResultSchema.parse(await waitFor(handle, 'delivered'))).toMatchObject({ state: 'delivered' });
    }));
});
