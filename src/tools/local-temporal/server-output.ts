/*
 * What Temporal's dev server writes. Once it listens, a line with its address; before it ends without having been asked
 * to:
 *
 * - `Error: …`, one line, for what it checks itself, with exit code 1
 * - `level=ERROR …`, then a Go panic with its stack, and exit code 2: for a taken port among those it picks for itself
 * - a JSON line with `"level":"FATAL"`: for the port of its Web UI
 */
const LINES = 3;
const LINE_CHARACTERS = 300;
/** In Go the cause of an error stands at its end. */
const END_CHARACTERS = 200;

/** True once the server listens itself; some releases leave out the first word. */
export function saysThatItListens(output: string): boolean {
  return linesOf(output).some((line) => line.startsWith('Temporal Server:') || line.startsWith('Server:'));
}

/** True when a port was taken, in whatever form the server says so. */
export function namesTakenPort(output: string): boolean {
  return output.includes('address already in use');
}

/** Its own `Error:` line. */
export function errorLine(output: string): string | undefined {
  const line = linesOf(output).findLast((each) => each.startsWith('Error:'));
  return line === undefined ? undefined : cut(line.slice('Error:'.length).trim());
}

/** Its last lines, without the stack of a panic. Empty when it wrote nothing. */
export function lastLines(output: string): string {
  const lines = linesOf(output);
  const stack = lines.findIndex((line) => line.startsWith('goroutine '));
  return lines
    .slice(0, stack < 0 ? lines.length : stack)
    .slice(-LINES)
    .map(cut)
    .join(' | ');
}

function linesOf(output: string): string[] {
  return output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function cut(line: string): string {
  if (line.length <= LINE_CHARACTERS) return line;
  return `${line.slice(0, LINE_CHARACTERS - END_CHARACTERS)} … ${line.slice(-END_CHARACTERS)}`;
}
