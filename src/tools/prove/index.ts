export { PROVE_TIMES } from './plan/faults.js';
export { makePlan } from './plan/plan.js';
export { PRODUCT_COMMAND, killedAsAsked } from './under-test/product-process.js';
export { failuresOf, planLine, proofJson, proofTable, verdictLines } from './report.js';
export { WEAKNESSES, weakened, type Weakness } from './weakness.js';

/** Loaded when it runs: other commands do not wait for all of it to load. */
export const loadProve = () => import('./prove.js');
