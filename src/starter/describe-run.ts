import { isGrpcServiceError, type Client } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';

/** gRPC's number for it. */
const NOT_FOUND = 5;

/** By the numbers of Temporal's protocol; every other status is an end too. */
const STATUS: ReadonlyMap<number, RunDescription['status']> = new Map([
  [1, 'running'],
  // Paused.
  [8, 'running'],
  [4, 'cancelled'],
  [5, 'terminated'],
]);

export interface RunDescription {
  readonly status: 'running' | 'terminated' | 'cancelled' | 'ended';
  readonly startedAtMs: number;
  /** A search attribute that is a keyword. */
  attribute(name: string): string | undefined;
}

/**
 * The last run of a workflow id; undefined where there is none. The memo stays unread: another client may have encrypted
 * it with a key that is not configured here, and SDK's own description fails then.
 */
export async function describeRun(client: Client, workflowId: string): Promise<RunDescription | undefined> {
  const { namespace } = client.options;
  try {
    const { workflowExecutionInfo: info } = await client.workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId },
    });
    const fields = info?.searchAttributes?.indexedFields ?? {};
    return {
      status: STATUS.get(info?.status ?? 0) ?? 'ended',
      startedAtMs: Number(info?.startTime?.seconds ?? 0) * 1_000 + (info?.startTime?.nanos ?? 0) / 1e6,
      attribute: (name) => keywordIn(fields[name]),
    };
  } catch (error) {
    const { code }: { readonly code?: number } = isGrpcServiceError(error) ? error : {};
    if (code === NOT_FOUND) return undefined;
    throw error;
  }
}

/** Search attributes are never encrypted. */
function keywordIn(payload: Payload | undefined): string | undefined {
  if (payload === undefined) return undefined;
  const value: unknown = defaultPayloadConverter.fromPayload(payload);
  const [word] = Array.isArray(value) ? (value as unknown[]) : [value];
  return typeof word === 'string' ? word : undefined;
}
