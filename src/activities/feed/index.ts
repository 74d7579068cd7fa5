export { feedActivity } from './feed-campaign.js';
export { createFeedRound, type FeedParts } from './feed-round.js';
export { createOpenQuestions } from './settle-open.js';
