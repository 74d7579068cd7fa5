export * from './account-states.js';
export * from './blockers.js';
export * from './campaign/beginning.js';
export * from './campaign/choose-account.js';
export * from './campaign/compare-variants.js';
export * from './campaign/life.js';
export * from './campaign/pool-changes.js';
export * from './campaign/variants.js';
export * from './cron.js';
export * from './edit-order.js';
export * from './folded-name.js';
export * from './group-data.js';
export * from './html.js';
export * from './instance-times.js';
export * from './local-time.js';
export {
  EDIT_LIFE,
  editChangesBy,
  type EditChange,
  type EditColumn,
  type EditFact,
  type EditStep,
} from './message/edit-life.js';
export { changesBy, type Change, type Fact, LIFE, type LifeColumn, refusalOf, stateAfter } from './message/life.js';
export { messageText } from './message-text.js';
export * from './open-hours.js';
export * from './open-times.js';
export * from './opt-out.js';
export * from './plan-input.js';
export * from './planned-pool.js';
export * from './planned-posts.js';
export * from './public-address.js';
export * from './read-input.js';
export * from './read-text.js';
export * from './received.js';
export * from './recipient-input.js';
export * from './recipients.js';
export * from './render-content.js';
export {
  SENSITIVE_KINDS,
  hideInJson,
  hideTexts,
  idMessagesIn,
  revealTexts,
  textsIn,
  type HiddenFields,
} from './sensitive.js';
export { timeBuckets, type TimeBuckets } from './time-buckets.js';
export { typingMsOf, typingProblems, withTyping } from './typing.js';
export { templateLimits, validateTemplate, withButtonList } from './template-rules/validate-template.js';
export { parameterFault, templateParameters, templateVariables } from './template-rules/texts.js';
export {
  ABSENCE_CONDITIONS,
  absence,
  decidableFrom,
  idsSeenBefore,
  isPossiblyInChat,
  isSurelyAnotherChat,
  type AbsenceCondition,
} from './reconcile/absence.js';
export { adoption, MOST_POSSIBLE_MATCHES, type KnownLids, type PossibleMatch } from './reconcile/adoption.js';
export { decide, type Decision, type Patience, type DecisionInput } from './reconcile/decide.js';
export {
  CLOCK_MARGIN_MS,
  RESTART_WAIT_MS,
  type AbsenceEvidence,
  type AccountedId,
  type ListedItem,
  type RecordedReading,
} from './reconcile/evidence.js';
export {
  LEAST_NOTIFIED,
  PRESUMPTION_CONDITIONS,
  RETRY_INTERVAL_MS,
  presumption,
  type NotificationHistory,
  type PresumptionCondition,
  type PresumptionEvidence,
} from './reconcile/presumption.js';
export { comparableText, comparableUrl, type ComparableMessage } from './comparable.js';
export { contentFacts } from './reconcile/kinds.js';
export {
  LISTED_KINDS,
  QUEUE_TYPE_NAMES,
  comparableCopy,
  isListedKind,
  journalObservation,
  listedItem,
  noticeObservation,
  queueObservation,
} from './reconcile/observations.js';
export {
  STATUS_CHAT,
  comparableOfAttempt,
  couldBe,
  isSame,
  type Observation,
  type Witness,
} from './reconcile/sameness.js';
export { evidenceSentence } from './message/evidence-text.js';
export { whyUndecided } from './reconcile/why-undecided.js';
export {
  asContent,
  asOperation,
  isSendOperation,
  pathInMessage,
  pathInOperation,
  SOME_CHAT,
} from './message/gateway-fields.js';
