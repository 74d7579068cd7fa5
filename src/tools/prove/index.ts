export { account } from './account/account.js';
export { accountCampaigns } from './account/campaign-account.js';
export { ORDER_TEMPLATE } from './order-template.js';
export { PROVE_TIMES } from './plan/faults.js';
export { makePlan } from './plan/plan.js';
export { PRODUCT_COMMAND, killedAsAsked } from './product-process.js';
export { readCampaign, readRows } from './progress.js';
export { failuresOf, planLine, proofJson, proofTable } from './report.js';
export { WEAKNESSES, weakened, type Weakness } from './weakness.js';

/** Imported only when `prove` runs, so that other commands start without it. */
export const loadProve = () => import('./prove.js');
