/**
 * The rules of the send protocol, each of which the model can do without. The numbers are those of docs/guarantees.md.
 * With all of them on the model finds no lost, doubled or falsely reported message; with any one off it finds one.
 */
export const RULES = {
  'PROTOCOL-1.intent-first': 'the attempt is durable before bytes leave',
  'PROTOCOL-1.no-blind-repeat': 'a POST without a response is not repeated by the client',
  'PROTOCOL-2.compare-and-set': 'only one claim takes a pending row',
  'PROTOCOL-2.text-of-the-claim': 'the text is read from the row in the claim',
  'PROTOCOL-2.edits-wait-after-claim': 'from the claim on an edit waits',
  'PROTOCOL-2.cancelled-is-not-claimed': 'what was cancelled while unknown is not pending again',
  'PROTOCOL-2.same-token-same-attempt': 'a claim whose commit was not heard is looked up',
  'PROTOCOL-3.posting-deadline': 'bytes leave before the deadline or not at all',
  'PROTOCOL-3.denied-after-settle': 'the reading that denies was begun when the request was accepted or never would be',
  'PROTOCOL-4.outcomes-from-anyone': 'an outcome is written whatever its source, however late',
  'PROTOCOL-4.one-owner-per-id': 'an id of the gateway belongs to one message',
  'PROTOCOL-5.identical-wait': 'of equal messages one at a time is sending or unknown',
  'PROTOCOL-5.unresolved-yields-to-identical':
    'an unresolved message adopts nothing while an equal one is sending or unknown',
  'PROTOCOL-6.adopt-equal-only': 'only what equals the attempt in chat, kind and body is adopted',
  'PROTOCOL-6.adopt-unaccounted-only': 'an id that is accounted for is not adopted',
  'PROTOCOL-6.adopt-api-only': 'what was sent from the phone is not adopted',
  'PROTOCOL-6.adopt-nothing-older': 'what was there before the claim is not adopted',
  'PROTOCOL-6.clock-by-its-lower-end': 'what the gateway dates is older only where its clock cannot be further behind',
  'PROTOCOL-6.compare-with-attempt': 'what is compared is the attempt, not the row as it is now',
  'PROTOCOL-6.deny-behind-preceding-only':
    'absence from the queue alone proves nothing: something that precedes has to be listed',
  'PROTOCOL-6.preceding-before-claim': 'what precedes was accepted before the claim',
  'PROTOCOL-6.deny-loosely': 'an unaccounted item of the kind forbids to deny, whatever its text',
  'PROTOCOL-6.listed-kinds-only': 'kinds that the queue does not list are never denied by it',
  'PROTOCOL-6.no-restart-since-claim': 'after a restart of the instance the order of the queue proves nothing',
  'PROTOCOL-6.presume-when-asked': 'a presumption sends again only where it was asked for',
  'PROTOCOL-6.successor-after-reconcile-time':
    'a presumption needs a successor claimed after the attempt could be reconciled',
  'PROTOCOL-7.forward-only': 'a receipt never takes a message back',
  'PROTOCOL-7.parked-receipts': 'a receipt that comes before its id is kept for it',
  'PROTOCOL-8.row-decides': 'a second run goes on from the row',
  'PROTOCOL-8.sweeper': 'an open row without a run gets one',
  'PROTOCOL-12.list-in-the-claim': 'the claim itself looks at the suppression list',
} as const;
export type Rule = keyof typeof RULES;

/** What the world is trusted with. Each can be withdrawn, and then even all rules together do not help. */
export const ASSUMPTIONS = {
  'ASSUME-1.fifo': 'what was accepted first leaves first',
  'ASSUME-2.settle': 'a request whose connection is gone is accepted within the settle time or never',
  'ASSUME-3.no-equal-unmatched':
    'no other sender of the account puts the same text into the same chat at the same time',
  'ASSUME-4.notices-arrive': 'notifications are on and reach us in the end',
} as const;
export type Assumption = keyof typeof ASSUMPTIONS;
