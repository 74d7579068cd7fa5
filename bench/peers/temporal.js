// Plain Temporal: variants `message`, `activities` and `batches`, see temporal-workflows.js.
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { concurrently, CONCURRENCY, gateway, numbersBelow, serve } from './role.js';

const TASK_QUEUE = 'messages';
const RUNNING = "ExecutionStatus = 'Running'";

await serve({
  client: async ({ messages, temporalAddress: address, variant }) => {
    const { workflow } = new Client({ connection: await Connection.connect({ address }) });
    /**
     * @param {string} workflowId
     * @param {number[]} args
     */
    const start = (workflowId, args) => workflow.start(variant, { workflowId, taskQueue: TASK_QUEUE, args });
    return {
      handOver: async () => {
        if (variant === 'message') {
          await concurrently(numbersBelow(messages), (number) => start(`message-${number}`, [number]));
        } else {
          await start(variant, [0, messages]);
        }
      },
      open: async () => (await workflow.count(RUNNING)).count,
      waiting: async () => {
        const numbers = [];
        for await (const { workflowId } of workflow.list({ query: RUNNING })) {
          if (variant !== 'message') return numbersBelow(messages);
          numbers.push(Number(workflowId.slice('message-'.length)));
        }
        return numbers;
      },
    };
  },
  worker: async ({ gatewayUrl, temporalAddress: address, bundlePath: codePath = '' }) => {
    const { post } = gateway(gatewayUrl);
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    const worker = await Worker.create({
      connection: await NativeConnection.connect({ address }),
      taskQueue: TASK_QUEUE,
      workflowBundle: { codePath },
      activities: { post, postAll: (/** @type {number[]} */ numbers) => concurrently(numbers, post) },
      maxConcurrentActivityTaskExecutions: CONCURRENCY,
    });
    void worker.run();
  },
});
