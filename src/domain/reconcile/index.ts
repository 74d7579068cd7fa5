export {
  ABSENCE_CONDITIONS,
  absence,
  decidableFrom,
  idsSeenBefore,
  isPossiblyInChat,
  isSurelyAnotherChat,
  type AbsenceCondition,
  type AbsenceEvidence,
} from './absence.js';
export {
  adoption,
  decide,
  type AdoptionEvidence,
  type Decision,
  type Patience,
  type Question,
  type Undecided,
} from './decide.js';
export {
  CLOCK_MARGIN_MS,
  RESTART_WAIT_MS,
  listedItem,
  type AccountedId,
  type AttemptInDoubt,
  type ListedItem,
  type RecordedReading,
} from './evidence.js';
export {
  LEAST_NOTIFIED,
  PRESUMPTION_CONDITIONS,
  RETRY_INTERVAL_MS,
  presumption,
  type NotificationHistory,
  type PresumptionCondition,
  type PresumptionEvidence,
} from './presumption.js';
export {
  LISTED_KINDS,
  comparableCopy,
  isListedKind,
  journalObservation,
  noticeObservation,
  queueObservation,
} from './observations.js';
export {
  STATUS_CHAT,
  comparableChat,
  comparableOfAttempt,
  comparableText,
  comparableUrl,
  couldBe,
  isSame,
  type ComparableMessage,
  type Observation,
  type Witness,
} from './sameness.js';
