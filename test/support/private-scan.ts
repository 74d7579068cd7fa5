/** Searches planted words in everything that Temporal shows of a task queue. */
import type { Client } from '@temporalio/client';

export interface Found {
  readonly what: string;
  readonly where: string;
  /** The text around it. */
  readonly context: string;
}

export class PrivateScan {
  readonly #planted: Record<string, string>;
  readonly found: Found[] = [];
  /** Characters read, so that a scan of nothing is noticed. */
  read = 0;

  /** @param planted words that must not be found, by their names */
  constructor(planted: Readonly<Record<string, string>>) {
    this.#planted = { ...planted };
  }

  /** Adds a word that must not be found from now on. */
  plant(what: string, word: string): void {
    this.#planted[what] = word;
  }

  /** Bytes are read as text, at any depth. */
  look(where: string, value: unknown): void {
    const text = textOf(value);
    this.read += text.length;
    for (const [what, word] of Object.entries(this.#planted)) {
      const at = text.indexOf(word);
      if (at >= 0) this.found.push({ what, where, context: text.slice(Math.max(0, at - 200), at + 200) });
    }
  }

  /** Histories, visibility and descriptions of all workflows, activities and schedules of these task queues. */
  async readTemporal({ client, taskQueues }: { client: Client; taskQueues: readonly string[] }): Promise<string[]> {
    const seen: string[] = [];
    const query = taskQueues.map((queue) => `TaskQueue = '${queue}'`).join(' OR ');
    for await (const run of client.workflow.list({ query })) {
      const handle = client.workflow.getHandle(run.workflowId, run.runId);
      const history = await handle.fetchHistory();
      this.look(`visibility of ${run.type} ${run.workflowId}`, run.raw);
      this.look(`description of ${run.type} ${run.workflowId}`, (await handle.describe()).raw);
      for (const event of history.events ?? []) this.look(`history of ${run.type}: ${event.eventType}`, event);
      seen.push(run.type);
    }
    for await (const activity of client.activity.list(query)) {
      const described = await client.activity.getHandle(activity.activityId).describe();
      this.look(`activity ${activity.activityType}`, described);
      seen.push(activity.activityType);
    }
    return seen;
  }
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'bigint') return String(inner);
    if (inner instanceof Error) return `${inner.stack ?? ''} ${JSON.stringify(Object.entries(inner))}`;
    return isBytes(inner) ? bytesOf(inner).toString() : inner;
  });
}

/** Buffers are objects by the time a replacer gets them. */
function isBytes(value: unknown): value is Uint8Array | { readonly data: number[] } {
  if (value instanceof Uint8Array) return true;
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
}

function bytesOf(value: Uint8Array | { readonly data: number[] }): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(value.data);
}
