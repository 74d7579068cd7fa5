export { feedActivity } from './feed-campaign.js';
export type { FeedDependencies } from './feed-round.js';
export { createOpenQuestions } from './settle-open.js';
