import { SEARCH_ATTRIBUTES, TASK_QUEUE } from '../../contract/index.js';
import { temporalClient, type TemporalPlace } from '../compose/connect-temporal.js';
import { setupCommands } from '../server-setup.js';
import type { Finding } from './finding.js';

const ANSWER_MS = 3_000;

/** Looks at Temporal without changing anything: server, namespace, search attributes, and whether a worker polls. */
export async function checkTemporal(place: TemporalPlace): Promise<Finding[]> {
  const subject = 'temporal';
  const { namespace } = place;
  const { connection, close } = temporalClient(place);
  const address = connection.options.address;
  const commands = setupCommands({ namespace, searchAttributes: SEARCH_ATTRIBUTES });
  const ask = <Answer>(question: () => Promise<Answer>): Promise<Answer | Error> =>
    connection
      .withDeadline(Date.now() + ANSWER_MS, question)
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  try {
    const server = await ask(() => connection.workflowService.getSystemInfo({}));
    if (server instanceof Error) {
      const remedy = 'Start it (everpost dev brings one of its own), or set TEMPORAL_ADDRESS.';
      return [{ subject, verdict: 'broken', found: `no server answers at ${address}`, remedy }];
    }
    const described = await ask(() => connection.workflowService.describeNamespace({ namespace }));
    if (described instanceof Error) {
      const found = `${address} answers, but not for namespace "${namespace}"`;
      return [{ subject, verdict: 'broken', found, remedy: `Run: ${commands[0]}` }];
    }
    const findings: Finding[] = [{ subject, verdict: 'ok', found: `${address}, namespace "${namespace}"` }];

    const attributes = await ask(() => connection.operatorService.listSearchAttributes({ namespace }));
    const known = attributes instanceof Error ? undefined : attributes.customAttributes;
    const missing = Object.keys(SEARCH_ATTRIBUTES).filter((name) => known !== undefined && !(name in known));
    if (missing.length > 0) {
      const remedy = `Run: ${commands.filter((command) => missing.some((name) => command.includes(name))).join(' && ')}`;
      findings.push({ subject, verdict: 'broken', found: `search attributes missing: ${missing.join(', ')}`, remedy });
    }

    const taskQueue = { name: TASK_QUEUE };
    const queue = await ask(() => connection.workflowService.describeTaskQueue({ namespace, taskQueue }));
    const workers = queue instanceof Error ? [] : queue.pollers;
    findings.push(
      workers.length > 0
        ? { subject: 'worker', verdict: 'ok', found: `${workers.length} polling task queue "${TASK_QUEUE}"` }
        : {
            subject: 'worker',
            verdict: 'broken',
            found: `none polls task queue "${TASK_QUEUE}": messages are taken, and wait`,
            remedy: 'Start one: everpost worker (or everpost dev).',
          },
    );
    return findings;
  } finally {
    await close();
  }
}
