/**
 * The rules of the send protocol, each of which the model can do without. The numbers are those of docs/guarantees.md.
 * With all of them on the model finds no lost, doubled or falsely reported message; with any one off it finds one.
 */
export const RULES = {
  'R1.intent-first': 'the attempt is durable before bytes leave',
  'R1.no-blind-repeat': 'a POST without an answer is not repeated by the client',
  'R2.compare-and-set': 'only one claim takes a pending row',
  'R2.text-of-the-claim': 'the text is read from the row in the claim',
  'R2.edits-wait-after-claim': 'from the claim on an edit waits',
  'R2.cancelled-is-not-claimed': 'what was cancelled while unknown is not pending again',
  'R2.same-token-same-attempt': 'a claim whose commit was not heard is looked up',
  'R3.posting-deadline': 'bytes leave before the deadline or not at all',
  'R3.denied-after-settle': 'the reading that denies was begun when the request was accepted or never would be',
  'R4.outcomes-from-anyone': 'an outcome is written whoever brings it, however late',
  'R4.one-owner-per-id': 'an id of the gateway belongs to one message',
  'R5.twins-wait': 'of equal messages one at a time is sending or unknown',
  'R5.unresolved-yields-to-its-twin': 'an unresolved message adopts nothing while an equal one is sending or unknown',
  'R6.adopt-equal-only': 'only what equals the attempt in chat, kind and body is adopted',
  'R6.adopt-unaccounted-only': 'an id that is accounted for is not adopted',
  'R6.adopt-api-only': 'what was sent from the phone is not adopted',
  'R6.adopt-nothing-older': 'what was there before the claim is not adopted',
  'R6.clock-by-its-lower-end': 'what the gateway dates is older only where its clock cannot be further behind',
  'R6.compare-with-attempt': 'what is compared is the attempt, not the row as it is now',
  'R6.deny-with-marker-only': 'absence from the queue alone proves nothing',
  'R6.marker-before-claim': 'a marker was accepted before the claim',
  'R6.deny-loosely': 'an unaccounted item of the kind forbids to deny, whatever its text',
  'R6.listed-kinds-only': 'kinds that the queue does not list are never denied by it',
  'R6.no-restart-since-claim': 'after a restart of the instance the order of the queue proves nothing',
  'R6.presume-when-asked': 'a presumption sends again only where it was asked for',
  'R6.successor-after-judgement': 'a presumption needs a successor claimed after the attempt could be judged',
  'R7.forward-only': 'a receipt never takes a message back',
  'R7.parked-receipts': 'a receipt that comes before its id is kept for it',
  'R8.row-decides': 'a second run goes on from the row',
  'R8.sweeper': 'an open row without a run gets one',
  'R12.list-in-the-claim': 'the claim itself looks at the suppression list',
} as const;
export type Rule = keyof typeof RULES;

/** What the world is trusted with. Each can be withdrawn, and then even all rules together do not help. */
export const ASSUMPTIONS = {
  'A1.fifo': 'what was accepted first leaves first',
  'A2.settle': 'a request whose connection is gone is accepted within the settle time or never',
  'A3.no-equal-strangers': 'no other sender of the account puts the same text into the same chat at the same time',
  'A4.notices-arrive': 'notifications are on and reach us in the end',
} as const;
export type Assumption = keyof typeof ASSUMPTIONS;
