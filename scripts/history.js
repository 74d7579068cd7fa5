// Replays and saves histories of workflows, to check that the current code still replays them.
//
//   npm run history -- replay <workflow id>         replays it from the server against the built workflows
//   npm run history -- save <workflow id> <name>    saves it as test/histories/<name>.json, which the tests replay
//
// Temporal's own variables name the server (TEMPORAL_ADDRESS …), by default 127.0.0.1:7233. Encrypted payloads are read
// with EVERPOST_ENCRYPTION_KEYS.
import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { Worker } from '@temporalio/worker';
import { dataConverter } from '../dist/codec/index.js';
import { parseEncryptionKeys } from '../dist/contract/index.js';
import { saveHistory } from './save-history.js';

const [command, workflowId, name] = process.argv.slice(2);
const isUsable = workflowId !== undefined && (command === 'replay' || (command === 'save' && name !== undefined));
if (isUsable) await run(workflowId);
else {
  console.error('Usage: npm run history -- replay <workflow id>, or npm run history -- save <workflow id> <name>');
  process.exitCode = 2;
}

/** @param {string} id */
async function run(id) {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = await Connection.connect(connectionOptions);
  try {
    const history = await new Client({ connection, namespace }).workflow.getHandle(id).fetchHistory();
    if (command === 'save' && name !== undefined) {
      await saveHistory(history, name);
      return;
    }
    const codePath = new URL('../dist/workflow-bundle.js', import.meta.url).pathname;
    const { EVERPOST_ENCRYPTION_KEYS: keys } = process.env;
    const encryption = keys === undefined ? undefined : parseEncryptionKeys(keys);
    await Worker.runReplayHistory(
      { workflowBundle: { codePath }, dataConverter: dataConverter(encryption) },
      history,
      id,
    );
    console.log(`Replayed ${id}: ${history.events?.length ?? 0} events, no difference.`);
  } finally {
    await connection.close();
  }
}
