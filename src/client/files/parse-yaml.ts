import { Lexer, Parser, parseDocument } from 'yaml';
import { MAX_JSON_LEVELS } from '../../contract/index.js';

export type ReadYaml =
  { readonly value: unknown } | { readonly refused: string } | { readonly problems: readonly string[] };

/** A file that an operator writes has some hundred words and signs. */
const MAX_PARTS = 10_000;
/** An alias repeats what it names: a few lines of aliases of aliases would fill the memory. */
const MAX_ALIASES = 100;
const MAX_PROBLEMS = 10;

/** Reads one document of YAML. Depth and size are counted by the lexer, before anything calls itself for each level. */
export function parseYaml(text: string): ReadYaml {
  const refused = refusalOf(text);
  if (refused !== undefined) return { refused };
  // Its own pretty errors quote the text, and take quadratic time when there are many.
  const document = parseDocument(text, { prettyErrors: false });
  if (document.errors.length > 0) {
    const first = document.errors.slice(0, MAX_PROBLEMS);
    return { problems: first.map(({ message, pos }) => `${message} at line ${lineAt(text, pos[0])}`) };
  }
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (error) {
    // The library tells of too many aliases, and of one that names nothing, in this way.
    if (error instanceof ReferenceError) return { problems: [error.message] };
    throw error;
  }
}

function refusalOf(text: string): string | undefined {
  const parser = new Parser();
  let parts = 0;
  for (const lexeme of new Lexer().lex(text)) {
    // The tokens themselves are not needed here, only how deep the parser is in.
    for (const _ of parser.next(lexeme));
    parts += 1;
    if (parser.stack.length > MAX_JSON_LEVELS) return `is nested more than ${MAX_JSON_LEVELS} levels deep`;
    if (parts > MAX_PARTS) return `has more than ${MAX_PARTS} parts (words, signs and line ends)`;
  }
  return undefined;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
