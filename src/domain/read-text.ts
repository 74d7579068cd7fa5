/**
 * The text of a file that must be in UTF-8, with or without a byte order mark. UTF-16 with a mark is read too.
 * @returns the number of the first line that is not UTF-8, if there is one
 */
export function readText(bytes: Uint8Array): { readonly text: string } | { readonly badLine: number } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes) };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes) };
  const text = new TextDecoder('utf-8').decode(bytes);
  if (!text.includes('\uFFFD')) return { text };
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  // An LF is never part of another character.
  for (let from = 0, to = 0; from <= bytes.byteLength; from = to + 1, line += 1) {
    const end = bytes.indexOf(LF, from);
    to = end === -1 ? bytes.byteLength : end;
    try {
      decoder.decode(bytes.subarray(from, to));
    } catch {
      return { badLine: line };
    }
  }
  return { text };
}

const LF = 10;
