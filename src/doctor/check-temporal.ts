import type { Client, Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, type Finding, type SearchAttributeKind } from '../contract/index.js';
import { checkRuns, isNotFound, type Ask } from './check-runs.js';
import { checkTaskQueues } from './check-task-queues.js';
import { noResponseFinding, unknownFinding } from './finding.js';

const RESPONSE_MS = 5_000;

export interface TemporalDependencies {
  readonly client: Client;
  readonly connection: Connection;
  /** The commands that create what a namespace needs. */
  readonly setupCommands: (needed: {
    readonly namespace: string;
    readonly searchAttributes: Readonly<Record<string, SearchAttributeKind>>;
  }) => readonly string[];
}

/**
 * Checks Temporal without changing anything: server, namespace, search attributes, polling workers, failing runs.
 */
export async function checkTemporal(dependencies: TemporalDependencies): Promise<Finding[]> {
  const { client, connection } = dependencies;
  const ask: Ask = (question) =>
    connection
      .withDeadline(Date.now() + RESPONSE_MS, question)
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  const { namespace } = client.options;
  const server = await checkServer({ ...dependencies, namespace }, ask);
  if (server.verdict !== 'ok') {
    const why = 'Temporal does not respond, see above';
    return [server, ...['worker', 'runs'].map((subject) => unknownFinding(subject, { why }))];
  }
  const others = await Promise.all([
    checkAttributes({ ...dependencies, namespace }, ask),
    checkTaskQueues(client, ask),
    checkRuns(client, ask),
  ]);
  return [server, ...others.flat()];
}

interface Checked extends Pick<TemporalDependencies, 'setupCommands'> {
  readonly connection: Pick<Connection, 'options' | 'workflowService' | 'operatorService'>;
  readonly namespace: string;
}

/** Whether the server responds, and has the namespace. */
export async function checkServer({ connection, namespace, setupCommands }: Checked, ask: Ask): Promise<Finding> {
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
    const [remedy] = setupCommands({ namespace, searchAttributes: SEARCH_ATTRIBUTES });
    return { subject, verdict: 'broken', found, remedy: `Run: ${remedy}` };
  }
  return { subject, verdict: 'ok', found: `${address} responds for namespace "${namespace}"` };
}

async function checkAttributes({ connection, namespace, setupCommands }: Checked, ask: Ask): Promise<Finding> {
  const subject = 'temporal';
  const attributes = await ask(() => connection.operatorService.listSearchAttributes({ namespace }));
  if (attributes instanceof Error) return noResponseFinding(subject, 'the list of search attributes', attributes);
  const names = Object.keys(SEARCH_ATTRIBUTES);
  const missing = names.filter((name) => !(name in (attributes.customAttributes ?? {})));
  if (missing.length === 0) return { subject, verdict: 'ok', found: `has the search attributes ${names.join(', ')}` };
  const commands = setupCommands({ namespace, searchAttributes: SEARCH_ATTRIBUTES });
  const remedy = `Run: ${commands.filter((command) => missing.some((name) => command.includes(name))).join(' && ')}`;
  return { subject, verdict: 'broken', found: `search attributes missing: ${missing.join(', ')}`, remedy };
}
