import { writeFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/**
 * Saves a history as test/histories/<name>.json. Removes what names the process, machine and folders of the recording,
 * which no replay reads. The name of a worker's sticky task queue begins with its identity.
 *
 * @param {Parameters<typeof historyToJSON>[0]} history
 * @param {string} name
 */
export async function saveHistory(history, name) {
  const kept = JSON.parse(historyToJSON(history), (key, value) => {
    if (key === 'stackTrace') return '';
    if (key === 'identity') return 'everpost';
    return value?.kind === 'TASK_QUEUE_KIND_STICKY' ? { ...value, name: 'everpost' } : value;
  });
  await writeFile(new URL(`../test/histories/${name}.json`, import.meta.url), JSON.stringify(kept, undefined, 2));
}
