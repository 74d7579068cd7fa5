import { VARIABLES, type Variable } from './variables.js';

/** Text of `.env.example`: every variable with what it decides and its default, commented out. */
export function envExample(): string {
  const blocks = Object.values<Variable<unknown>>(VARIABLES).map((variable) => {
    const unset = variable.unset === undefined ? [] : [`# Unset: ${variable.unset}.`];
    const file = variable.isSecret === true ? [`# Or in a file: ${variable.name}_FILE=`] : [];
    return [`# ${variable.meaning}`, ...unset, ...file, `# ${variable.name}=${variable.default ?? ''}`].join('\n');
  });
  return `# Every variable that everpost reads. Generated from src/config/variables.ts by: npm run generate\n\n${blocks.join('\n\n')}\n`;
}
