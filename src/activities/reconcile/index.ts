export {
  decide,
  type AccountedId,
  type AttemptUnderQuestion,
  type Decision,
  type Patience,
  type Question,
} from './decide.js';
export { applyLateEvidence } from './late-evidence.js';
export { reconcileActivity } from './reconcile-message.js';
export { couldBe, isSame, likenessOfAttempt, type Likeness, type Sighting } from './sameness.js';
export { copyLikeness, journalSighting, noticeSighting } from './message-sighting.js';
export { queueSighting } from './queue-sighting.js';
