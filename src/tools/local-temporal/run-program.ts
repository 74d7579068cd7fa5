import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

export interface ProgramResult {
  readonly succeeded: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, or kills it after `timeoutMs`. Never rejects; a failed start has `succeeded: false`. */
export function runProgram(file: string, args: readonly string[], timeoutMs: number): Promise<ProgramResult> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: timeoutMs, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      resolve({ succeeded: error === null, stdout, stderr: stderr === '' && error !== null ? error.message : stderr });
    });
  });
}

/** All executables with this name on `searchPath`, in its order. `searchPath` has the form of PATH. */
export async function findOnPath(command: string, searchPath: string): Promise<string[]> {
  const fileName = process.platform === 'win32' ? `${command}.exe` : command;
  const candidates = searchPath
    .split(delimiter)
    .filter((dir) => dir !== '')
    .map((dir) => join(dir, fileName));
  const executable = await Promise.all(candidates.map(isExecutable));
  return candidates.filter((_, index) => executable[index]);
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
