/**
 * @returns undefined for a text that is no URL. `URL.canParse` does not tell: Node 24 says yes to a host of 20,000
 *   characters
 * that `new URL` then throws at.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
