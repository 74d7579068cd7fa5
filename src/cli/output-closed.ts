import type { Writable } from 'node:stream';

/**
 * Calls `end` once when the reader of the output has gone, as in `everpost message show … | head -1`: output without a
 * reader needs no stack. Any other error of the stream is thrown.
 */
export function endWhenOutputCloses(output: Writable, end: () => void): void {
  let isEnding = false;
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!isEnding) end();
    isEnding = true;
  });
}
