import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { BUILT_BUNDLE_PATH } from './workflow-bundle.js';

// Run by the build, after the compiler: worker and bundle then come from the same SDK version and the same sources.
const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../workflows/index.js', import.meta.url)),
  logger: new DefaultLogger('WARN'),
});
await writeFile(BUILT_BUNDLE_PATH, code);
