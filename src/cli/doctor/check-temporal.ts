import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../contract/index.js';
import { loadTemporal, type TemporalPlace } from '../../compose/index.js';
import { checkRuns, isNotFound, type Ask } from './check-runs.js';
import { checkTaskQueues } from './check-task-queues.js';
import { noResponseFinding, unknownFinding, type Finding } from './finding.js';

const RESPONSE_MS = 5_000;

/**
 * Checks Temporal without changing anything: server, namespace, search attributes, polling workers, failing runs.
 */
export async function checkTemporal(place: TemporalPlace): Promise<Finding[]> {
  const { namespace } = place;
  const { temporalClient } = await loadTemporal();
  const { client, connection, close } = temporalClient(place);
  const ask: Ask = (question) =>
    connection
      .withDeadline(Date.now() + RESPONSE_MS, question)
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  try {
    const server = await checkServer(connection, namespace, ask);
    if (server.verdict !== 'ok') {
      const why = 'Temporal does not respond, see above';
      return [server, ...['worker', 'runs'].map((subject) => unknownFinding(subject, { why }))];
    }
    const others = await Promise.all([
      checkAttributes(connection, namespace, ask),
      checkTaskQueues(client, ask),
      checkRuns(client, ask),
    ]);
    return [server, ...others.flat()];
  } finally {
    await close();
  }
}

/** Whether the server responds, and has the namespace. */
export async function checkServer(
  connection: Pick<Connection, 'options' | 'workflowService'>,
  namespace: string,
  ask: Ask,
): Promise<Finding> {
  const subject = 'temporal';
  const { address } = connection.options;
  const server = await ask(() => connection.workflowService.getSystemInfo({}));
  if (server instanceof Error) {
    const remedy = 'Start it (everpost dev starts its own server), or set TEMPORAL_ADDRESS.';
    return { subject, verdict: 'broken', found: `no server responds at ${address} (${server.message})`, remedy };
  }
  const described = await ask(() => connection.workflowService.describeNamespace({ namespace }));
  if (described instanceof Error && !isNotFound(described)) {
    const found = `${address} responds, but cannot read namespace "${namespace}" (${described.message})`;
    const remedy = "Check Temporal's own database, which may be down, and the log of the Temporal server.";
    return { subject, verdict: 'broken', found, remedy };
  }
  if (described instanceof Error) {
    const found = `${address} responds, and has no namespace "${namespace}"`;
    const { setupCommands } = await loadTemporal();
    const [remedy] = setupCommands({ namespace, searchAttributes: SEARCH_ATTRIBUTES });
    return { subject, verdict: 'broken', found, remedy: `Run: ${remedy}` };
  }
  return { subject, verdict: 'ok', found: `${address} responds for namespace "${namespace}"` };
}

async function checkAttributes(connection: Connection, namespace: string, ask: Ask): Promise<Finding> {
  const subject = 'temporal';
  const attributes = await ask(() => connection.operatorService.listSearchAttributes({ namespace }));
  if (attributes instanceof Error) return noResponseFinding(subject, 'the list of search attributes', attributes);
  const names = Object.keys(SEARCH_ATTRIBUTES);
  const missing = names.filter((name) => !(name in (attributes.customAttributes ?? {})));
  if (missing.length === 0) return { subject, verdict: 'ok', found: `has the search attributes ${names.join(', ')}` };
  const { setupCommands } = await loadTemporal();
  const commands = setupCommands({ namespace, searchAttributes: SEARCH_ATTRIBUTES });
  const remedy = `Run: ${commands.filter((command) => missing.some((name) => command.includes(name))).join(' && ')}`;
  return { subject, verdict: 'broken', found: `search attributes missing: ${missing.join(', ')}`, remedy };
}
