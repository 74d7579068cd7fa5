/** Texts that are cheap to send and expensive for a careless parser, in any length. */

/** Repeats a piece up to a length. */
function filled(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** A long run of one piece, then an end that makes a match fail late. */
function almost(head: string, piece: string, tail: string): (length: number) => string {
  return (length) => head + filled(piece, Math.max(0, length - head.length - tail.length)) + tail;
}

export const ADVERSARIAL_TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'blanks, then a letter': almost('', ' ', 'x'),
  'blanks between letters': almost('x', ' ', 'x'),
  'tabs and blanks': almost('', ' \t', 'x'),
  'line ends': almost('', '\n', ''),
  'line ends of Windows': almost('', '\r\n', 'x'),
  'one letter': almost('', 'a', '!'),
  'capital letters': almost('', 'A', ''),
  digits: almost('', '1', 'x'),
  'digits with hyphens': almost('', '1-', 'x'),
  'digits with blanks': almost('+', '1 ', 'x'),
  'a sign and digits': almost('+', '1', ''),
  'at signs': almost('1', '@', ''),
  'chat ids': almost('', '1@c.us', '1'),
  commas: almost('phone', ',', ''),
  'columns with names': (length) => {
    let text = 'phone';
    for (let at = 0; text.length < length; at += 1) text += `,c${at}`;
    return text.slice(0, length);
  },
  quotes: almost('', '"', ''),
  'quotes that open and do not close': almost('phone,text\n', '1,"a\n', ''),
  'quotes inside of fields': almost('phone,text\n', 'x"\n', ''),
  'doubled quotes': almost('"', '""', ''),
  'opening braces': almost('', '{{', ''),
  'closing braces': almost('', '}}', ''),
  'opened variables': almost('', '{{a', ''),
  'a variable of blanks': almost('{{', ' ', ''),
  'a name and blanks': almost('{{a', ' ', '{'),
  'names with blanks': almost('{{', 'a ', ''),
  'a fallback that does not end': almost('{{a|', ' ', ''),
  'many variables': almost('', '{{a}} ', ''),
  'open brackets': almost('', '[', ''),
  'nested lists': (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'nested objects': (length) => '{"a":'.repeat(length / 6) + '1' + '}'.repeat(length / 6),
  'open objects': almost('', '{"a":', ''),
  'an object of many fields': (length) => {
    let text = '{"a":1';
    for (let at = 0; text.length < length - 20; at += 1) text += `,"b${at}":1`;
    return `${text}}`;
  },
  'nested lists of YAML': almost('', '- ', 'x'),
  'nested keys of YAML': almost('', '? ', 'x'),
  'lines of YAML': (length) => {
    let text = '';
    for (let at = 0; text.length < length; at += 1) text += `k${at}: 1\n`;
    return text;
  },
  'aliases of YAML': (length) => {
    let text = 'a0: &a0 [x, x]\n';
    for (let at = 1; text.length < Math.min(length, 2_000); at += 1)
      text += `a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}*a${at - 1}]\n`;
    return text;
  },
  slashes: almost('http://a/', '/', 'x'),
  backslashes: almost('', '\\', 'x'),
  dots: almost('', '.', ' '),
  colons: almost('', ':', ''),
  'IPv6 groups': almost('http://[', '1:', ']'),
  'percent signs': almost('', '%25', ''),
  'a percent sign encoded over and over': almost('%', '25', ''),
  entities: almost('', '&#x0', ''),
  'an entity of noughts': almost('&#x', '0', ''),
  'paths of the gateway': almost('', 'waInstance1/', ''),
  'a path of the gateway': almost('waInstance1/a', '%2f', ''),
  'opened tags': almost('<html>', '<title>', ''),
  'words of a refusal': almost('', 'instance account ', ''),
  'Bearer and blanks': almost('Bearer ', ' ', 'x'),
  'Bearer, a token and blanks': almost('Bearer x', ' ', 'x'),
  'Bearer over and over': almost('', 'Bearer ', ''),
  'Basic and Bearer': almost(' ', 'basic  bearer ', ''),
  'accents out of order': (length) => `a${'\u0301'.repeat(length / 2)}${'\u0323'.repeat(length / 2)}`,
  'accents by turns': almost('a', '\u0301\u0323', ''),
  emoji: almost('', '👨‍👩‍👧', ''),
  'half of a surrogate pair': almost('', '\uD83D', ''),
  'signs that cannot be seen': almost('', '\u200B', 'a'),
  'equals signs': almost('', '=', ''),
  'lines of a card': almost('', 'TEL;a', ':'),
  'continued lines of a card': almost('TEL:', '\n ', ''),
};
