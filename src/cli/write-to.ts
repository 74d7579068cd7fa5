import type { Terminal } from './terminal.js';

/** Writes text to the terminal as it comes in, line by line: of a last line that is not ended nothing is lost. */
export async function writeTo({ out }: Terminal, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) out(lines.join('\n'));
  }
  rest += decoder.decode();
  if (rest !== '') out(rest);
}
