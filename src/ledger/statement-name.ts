const NAME = /^\/\* (\w+) \*\//;

/**
 * The name of a statement that begins with one, as in `/* claim_message *\/ update …`. Such a statement is planned once
 * per connection, since to plan it costs more than to run it; the server's own lists show it by its name. Its text is
 * always the same, and it names the columns it returns, so that a newer version's migration cannot change what an old
 * plan yields.
 */
export function statementName(text: string): string | undefined {
  return NAME.exec(text)?.[1];
}
