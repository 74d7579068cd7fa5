import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { describe, expect } from 'vitest';
import { ensureServerSetup, setupCommands, type ServerSetup } from '../../src/compose/temporal.js';
import { test } from '../support/temporal/temporal.js';

const SETUP: Omit<ServerSetup, 'namespace'> = {
  searchAttributes: { EverpostInstance: 'Keyword', EverpostState: 'Keyword' },
};

/** A Temporal that answers each call with the gRPC status that the last part of the path names. */
async function refusingTemporal(
  statusOf: (method: string) => number,
): Promise<{ server: Http2Server; address: string }> {
  const server = createServer();
  server.on('stream', (stream, headers) => {
    const method = String(headers[':path']).split('/').at(-1) ?? '';
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': String(statusOf(method)) },
      { endStream: true },
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('the setup of a Temporal server', () => {
  test('registers namespace and attributes, which can be used at once, and changes nothing the second time', async ({
    temporal,
    taskQueue,
  }) => {
    const setup = { ...SETUP, namespace: taskQueue };
    await ensureServerSetup(temporal.connection, setup);
    const described = () => temporal.connection.workflowService.describeNamespace({ namespace: taskQueue });
    const first = await described();
    expect(Number(first.config?.workflowExecutionRetentionTtl?.seconds)).toBe(72 * 3600);

    const client = new Client({ connection: temporal.connection, namespace: taskQueue });
    const key = defineSearchAttributeKey('EverpostInstance', 'KEYWORD');
    await client.workflow.start('anything', {
      workflowId: 'w1',
      taskQueue,
      typedSearchAttributes: [{ key, value: 'main' }],
    });
    await ensureServerSetup(temporal.connection, setup);
    expect(await described()).toEqual(first);
  });

  test('may run in several workers at the same time', async ({ temporal, taskQueue }) => {
    const setup = { ...SETUP, namespace: taskQueue };
    await Promise.all([1, 2, 3].map(() => ensureServerSetup(temporal.connection, setup)));
    const { customAttributes } = await temporal.connection.operatorService.listSearchAttributes(setup);
    expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(Object.keys(SETUP.searchAttributes)));
  });

  test('fails for an attribute of another type, and names the remedy', async ({ temporal, taskQueue }) => {
    await ensureServerSetup(temporal.connection, {
      namespace: taskQueue,
      searchAttributes: { EverpostState: 'Text' },
    });
    await expect(ensureServerSetup(temporal.connection, { ...SETUP, namespace: taskQueue })).rejects.toMatchObject({
      code: 'TEMPORAL_SETUP_NEEDED',
      message: expect.stringMatching(
        /EverpostState \(must be Keyword\).*TEMPORAL_NAMESPACE.*remove .*--name EverpostState/,
      ),
    });
  });

  test('fails without permission to register, and names the commands', async () => {
    const notFound = 5;
    const denied = 7;
    const { server, address } = await refusingTemporal((method) =>
      method === 'DescribeNamespace' ? notFound : denied,
    );
    const connection = Connection.lazy({ address });
    const setup = { ...SETUP, namespace: 'acme' };
    try {
      const error: unknown = await ensureServerSetup(connection, setup).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'TEMPORAL_SETUP_NEEDED' });
      for (const command of setupCommands(setup)) expect(String(error)).toContain(command);
    } finally {
      await connection.close();
      server.close();
    }
    expect(setupCommands(setup)).toEqual([
      'temporal operator namespace create --namespace acme --retention 72h',
      'temporal operator search-attribute create --namespace acme --name EverpostInstance --type Keyword',
      'temporal operator search-attribute create --namespace acme --name EverpostState --type Keyword',
    ]);
  });

  test('has another error for a server that refuses access than for one that is not set up', async () => {
    const unauthenticated = 16;
    const { server, address } = await refusingTemporal(() => unauthenticated);
    const connection = Connection.lazy({ address });
    try {
      await expect(ensureServerSetup(connection, { ...SETUP, namespace: 'acme' })).rejects.toMatchObject({
        code: 'TEMPORAL_UNAVAILABLE',
        message: expect.stringMatching(new RegExp(`Temporal at ${address} .*16 UNAUTHENTICATED.*TEMPORAL_API_KEY`)),
      });
    } finally {
      await connection.close();
      server.close();
    }
  });
});
