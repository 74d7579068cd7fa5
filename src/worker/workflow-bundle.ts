import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The path of the bundle that the build writes, beside the modules, so that a copied `dist` is complete. */
export const BUILT_BUNDLE_PATH = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));

const PLAIN = 'everpost:plain-failures';
const ENCODED = 'everpost:encoded-failures';

/** Reads the workflow code for a worker. With `encodesFailures`, messages and stacks of failures are encrypted too. */
export async function readBundle(
  path: string,
  { encodesFailures }: { readonly encodesFailures: boolean },
): Promise<{ readonly codePath: string } | { readonly code: string }> {
  if (!encodesFailures) return { codePath: path };
  const code = await readFile(path, 'utf8');
  if (!code.includes(PLAIN)) throw new Error(`The workflow bundle ${path} cannot encode failures. Build it again.`);
  return { code: code.replace(PLAIN, ENCODED) };
}
