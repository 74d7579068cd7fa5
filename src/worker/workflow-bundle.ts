import { fileURLToPath } from 'node:url';

/** Workflow code as a worker loads it: bundled at build time, or, in tests, bundled at start from its source. */
export type WorkflowSource = { readonly bundlePath: string } | { readonly workflowsPath: string };

/** Where the build puts the bundle: beside the modules, so that a copied `dist` is complete. */
export const BUILT_BUNDLE_PATH = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
