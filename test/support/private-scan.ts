/** Searches planted words in everything that Temporal shows of a task queue. */
import type { Client } from '@temporalio/client';

/** Temporal's own query for the current details that the Web UI shows. */
const METADATA_QUERY = '__temporal_workflow_metadata';

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

  look(where: string, value: unknown): void {
    const text = textOf(value);
    this.read += text.length;
    for (const [what, word] of Object.entries(this.#planted)) {
      const at = text.indexOf(word);
      if (at >= 0) this.found.push({ what, where, context: text.slice(Math.max(0, at - 200), at + 200) });
    }
  }

  /**
   * Histories, visibility, descriptions and details of all workflows, and activities of these task queues. A description
   * has the memo, the summary, and the heartbeats and failures of pending activities.
   */
  async readTemporal({ client, taskQueues }: { client: Client; taskQueues: readonly string[] }): Promise<string[]> {
    const seen: string[] = [];
    const query = taskQueues.map((queue) => `TaskQueue = '${queue}'`).join(' OR ');
    for await (const run of client.workflow.list({ query })) {
      const handle = client.workflow.getHandle(run.workflowId, run.runId);
      const history = await handle.fetchHistory();
      this.look(`visibility of ${run.type} ${run.workflowId}`, run.raw);
      this.look(`description of ${run.type} ${run.workflowId}`, (await handle.describe()).raw);
      const details = await handle.query<unknown>(METADATA_QUERY);
      this.look(`details of ${run.type} ${run.workflowId}`, details);
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

/**
 * Every text and every number in the value, at any depth. It reads fields by itself: the messages of Temporal's protocol
 * become JSON with their bytes in base64, in which no word is found.
 */
function textOf(value: unknown): string {
  const texts: string[] = [];
  const seen = new Set<object>();
  const read = (inner: unknown): void => {
    if (inner === null || typeof inner !== 'object') texts.push(String(inner));
    else if (inner instanceof Uint8Array) texts.push(Buffer.from(inner).toString());
    else if (!seen.has(inner)) {
      seen.add(inner);
      // The message and stack of an error are not enumerable.
      for (const name of Object.getOwnPropertyNames(inner)) {
        texts.push(name);
        read(Reflect.get(inner, name));
      }
    }
  };
  read(value);
  return texts.join('\n');
}
