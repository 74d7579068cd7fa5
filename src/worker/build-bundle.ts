import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const PACKAGE_DIR = fileURLToPath(new URL('../..', import.meta.url));
const INLINE_MAP = /(?<=\/\/# sourceMappingURL=data:application\/json;charset=utf-8;base64,)[A-Za-z0-9+/=]+/;

// The build runs this after the compiler, so that worker and bundle come from the same SDK version and sources.
const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../workflows/index.js', import.meta.url)),
  workflowInterceptorModules: [fileURLToPath(new URL('../workflows/trace-header.js', import.meta.url))],
  failureConverterPath: fileURLToPath(new URL('../workflows/failure-converter.js', import.meta.url)),
  logger: new DefaultLogger('WARN'),
});
// Workers read it there.
// The bundler's source map contains full paths. The package must not publish the build machine's folders.
await writeFile(
  new URL('../workflow-bundle.js', import.meta.url),
  code.replace(INLINE_MAP, (map) => {
    const json = Buffer.from(map, 'base64').toString();
    return Buffer.from(json.replaceAll(PACKAGE_DIR, 'everpost/')).toString('base64');
  }),
);
