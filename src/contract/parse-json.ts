/** The deepest nesting that is read. The gateway's own bodies have five levels, ours have ten. */
export const MAX_JSON_LEVELS = 100;

/** Thrown in place of a SyntaxError, so that a reader can name the reason. */
export class JsonTooDeepError extends Error {
  override readonly name = 'JsonTooDeepError';

  constructor() {
    super(`is nested more than ${MAX_JSON_LEVELS} levels deep`);
  }
}

/**
 * JSON.parse for text from elsewhere. The depth is counted before parsing: functions that walk through a value call
 * themselves for each level, and a text of 20,000 brackets would exhaust their stack.
 * @throws JsonTooDeepError | SyntaxError
 */
export function parseJson(text: string): unknown {
  if (text.length > MAX_JSON_LEVELS && isTooDeep(text)) throw new JsonTooDeepError();
  return JSON.parse(text) as unknown;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

function isTooDeep(text: string): boolean {
  let levels = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isQuoted) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isQuoted = false;
    } else if (code === QUOTE) isQuoted = true;
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) levels += 1;
    else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) levels -= 1;
    if (levels > MAX_JSON_LEVELS) return true;
  }
  return false;
}
