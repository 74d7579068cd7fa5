export { comparableText } from './comparable-text.js';
export { ABSENCE_CONDITIONS, absence, decidableFrom, type AbsenceCondition, type AbsenceEvidence } from './absence.js';
export { adoption, type AdoptionEvidence } from './adoption.js';
export { decide, type Decision, type Patience, type Question, type Undecided } from './decide.js';
export {
  CLOCK_MARGIN_MS,
  RESTART_WAIT_MS,
  listedItem,
  type AccountedId,
  type AttemptInDoubt,
  type ListedItem,
  type RecordedReading,
} from './evidence.js';
export { comparableCopy, journalObservation, noticeObservation } from './message-observation.js';
export {
  LEAST_NOTIFIED,
  PRESUMPTION_CONDITIONS,
  RETRY_INTERVAL_MS,
  presumption,
  type NotificationHistory,
  type PresumptionCondition,
  type PresumptionEvidence,
} from './presumption.js';
export { idsSeenBefore, isPossiblyInChat, isSurelyAnotherChat } from './precede.js';
export { LISTED_KINDS, isListedKind, queueObservation } from './queue-observation.js';
export {
  STATUS_CHAT,
  comparableChat,
  comparableOfAttempt,
  comparableUrl,
  couldBe,
  isSame,
  type ComparableMessage,
  type Observation,
  type Witness,
} from './sameness.js';
