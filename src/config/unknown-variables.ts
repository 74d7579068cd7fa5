/** Variables of the environment that everpost does not read: mostly misspelled ones, which would have no effect. */
import { readFileSync } from 'node:fs';
import type { Environment, Variable } from './variable.js';
import { VARIABLES } from './variables.js';

export interface UnknownVariable {
  readonly name: string;
  /** The variable that it may be meant to be. */
  readonly nearest?: string;
}

const PREFIX = 'EVERPOST_';
/** Names that operators choose themselves, for connection strings of schedules. */
const OWN_PREFIX = 'EVERPOST_SOURCE_';

const KNOWN = Object.values<Variable<unknown>>(VARIABLES).flatMap(({ name, isSecret }) =>
  isSecret === true ? [name, `${name}_FILE`] : [name],
);

/** @param instancesFile  its secrets may be in variables of any name */
export function unknownVariables(env: Environment, instancesFile: string | undefined): readonly UnknownVariable[] {
  const named = instancesFile === undefined ? '' : textOf(instancesFile);
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !name.startsWith(OWN_PREFIX) && !KNOWN.includes(name))
    .filter((name) => !named.includes(JSON.stringify(name)))
    .toSorted()
    .map((name) => {
      if (name.length > LONGEST_NAME) return { name };
      const known = KNOWN.map((one) => ({ nearest: one, edits: editsBetween(name, one) }));
      const [best] = known.toSorted((one, other) => one.edits - other.edits);
      return best !== undefined && best.edits <= MOST_EDITS ? { name, nearest: best.nearest } : { name };
    });
}

export function unknownVariableRemedy({ nearest }: UnknownVariable): string {
  const meant = nearest === undefined ? '' : `Did you mean ${nearest}? `;
  return `${meant}docs/configuration.md lists all variables.`;
}

/** An unreadable file is reported when the instances are opened. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Further away a name has probably another meaning. */
const MOST_EDITS = 4;
const LONGEST_NAME = 100;

/** How many characters have to be inserted, removed or replaced (Levenshtein). */
function editsBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [row, character] of one.split('').entries()) {
    const line = [row + 1];
    for (const [at, wanted] of other.split('').entries()) {
      const replaced = (above[at] ?? 0) + (character === wanted ? 0 : 1);
      line.push(Math.min(replaced, (above[at + 1] ?? 0) + 1, (line[at] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}
