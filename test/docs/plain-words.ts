/** Characters that a shell interprets: it expands, connects or redirects. */
const SHELL_SIGN = /[|&;<>$`\\*?~(){}[\]]/;
const WORD = /(?:[^\s'"]|'[^']*'|"[^"]*")+/g;

/**
 * The words of a command in which a shell would expand nothing, without its comment.
 * @returns undefined when only a shell can interpret the command
 */
export function plainWords(command: string): string[] | undefined {
  const written = Array.from(command.replaceAll('\\\n', ' ').matchAll(WORD), ([word]) => word);
  const comment = written.findIndex((word) => word.startsWith('#'));
  const words = comment < 0 ? written : written.slice(0, comment);
  const isPlain = words.every((word) => {
    const unquoted = word.replaceAll(/'[^']*'/g, '').replaceAll(/"[^"$`\\]*"/g, '');
    return !SHELL_SIGN.test(unquoted) && !/^\w+=/.test(word);
  });
  return isPlain ? words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2')) : undefined;
}
