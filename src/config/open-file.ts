import { statSync } from 'node:fs';

const GROUP_AND_OTHERS = 0o077;

/**
 * The finding about an instances file that other users of this machine can read or write.
 * @returns undefined when they cannot, or when there is no such file
 */
export function openInstancesFile(filePath: string): { readonly found: string; readonly remedy: string } | undefined {
  const mode = statSync(filePath, { throwIfNoEntry: false })?.mode ?? 0;
  // On Windows modes do not show the rights.
  if (process.platform === 'win32' || (mode & GROUP_AND_OTHERS) === 0) return undefined;
  const shown = (mode & 0o777).toString(8);
  return {
    found: `Other users can read the instances file ${filePath} (mode ${shown}), and with it the tokens of the accounts.`,
    remedy: `chmod 600 ${filePath}`,
  };
}
