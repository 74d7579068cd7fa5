import { VARIABLES, type Variable } from '../../src/config/index.js';

/** The names of all variables that everpost reads. Of Temporal's own, the one that may be in a file. */
export const SETTINGS = [
  'TEMPORAL_API_KEY_FILE',
  ...Object.values<Variable<unknown>>(VARIABLES).flatMap(({ name, isSecret }) =>
    isSecret === true ? [name, `${name}_FILE`] : [name],
  ),
];
