/** Whether each version replays the saved histories of the other one, so that runs survive upgrade and rollback. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

/** Workflows report fault points of `everpost prove`, and the SDK logs an error without this. */
const SINKS = { faultPoints: { reached: { fn: () => undefined, callDuringReplay: false } } };

/**
 * @typedef {import('./versions.js').Version} Version
 * @param {Version} before
 * @param {Version} now
 * @param {(line: string) => void} say
 */
export async function replayEachOther(before, now, say) {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const upgraded = await replay(before, now);
  say(`the new version replays ${upgraded.replayed} histories of the old one`);
  const rolledBack = await replay(now, before);
  say(`the old version replays ${rolledBack.replayed} histories of the new one`);
  const failures = [...upgraded.failures, ...rolledBack.failures];
  for (const failure of failures) say(`FAILED: ${failure}`);
  return failures.length === 0 && upgraded.replayed > 0 && rolledBack.replayed > 0;
}

/**
 * @param {Version} recorded  whose histories are replayed
 * @param {Version} replaying
 */
async function replay(recorded, replaying) {
  const dir = join(recorded.dir, 'test/histories');
  const names = (await readdir(dir)).filter((name) => name.endsWith('.json'));
  async function* histories() {
    for (const name of names) yield { workflowId: name, history: JSON.parse(await readFile(join(dir, name), 'utf8')) };
  }
  const workflowBundle = { codePath: join(replaying.dir, 'dist/workflow-bundle.js') };
  const failures = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle, sinks: SINKS }, histories()))
    if (error !== undefined) failures.push(`${workflowId}: ${error}`);
  return { replayed: names.length - failures.length, failures };
}
