export { feedActivity } from './feed-campaign.js';
export type { FeedParts } from './feed-round.js';
export { createOpenQuestions } from './settle-open.js';
