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
export { couldBe, isSame, comparableOfAttempt, type ComparableMessage, type Observation } from './sameness.js';
export { comparableCopy, journalObservation, noticeObservation } from './message-observation.js';
export { queueObservation } from './queue-observation.js';
