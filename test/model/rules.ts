/**
 * The rules of the send protocol, each of which can be disabled. The numbers are those of docs/guarantees.md. With all
 * rules the model finds no lost, doubled or falsely reported message; without any one of them it finds one.
 */
export const RULES = {
  'PROTOCOL-1.intent-first': 'the attempt is durable before bytes leave',
  'PROTOCOL-1.no-blind-repeat': 'a POST without a response is not repeated by the client',
  'PROTOCOL-2.compare-and-set': 'only one claim takes a pending row',
  'PROTOCOL-2.text-of-the-claim': 'the text is read from the row in the claim',
  'PROTOCOL-2.edits-wait-after-claim': 'after the claim an edit waits',
  'PROTOCOL-2.cancelled-is-not-claimed': 'a message that was cancelled while unknown does not become pending',
  'PROTOCOL-2.same-token-same-attempt': 'a claim whose commit response was lost is looked up',
  'PROTOCOL-3.posting-deadline': 'bytes leave before the deadline or not at all',
  'PROTOCOL-3.denied-after-settle': 'a reading that proves absence begins after the attempt has settled',
  'PROTOCOL-4.outcomes-from-anyone': 'an outcome of any source is recorded, however late',
  'PROTOCOL-4.one-owner-per-id': 'an id of the gateway belongs to one message',
  'PROTOCOL-5.identical-wait': 'only one of several identical messages is sending or unknown at a time',
  'PROTOCOL-5.unresolved-yields-to-identical':
    'an unresolved message adopts no id while an identical one is sending or unknown',
  'PROTOCOL-6.adopt-equal-only': 'only a message that equals the attempt in chat, kind and body is adopted',
  'PROTOCOL-6.adopt-unaccounted-only': 'an id that is accounted for is not adopted',
  'PROTOCOL-6.adopt-api-only': 'a message sent from the phone is not adopted',
  'PROTOCOL-6.adopt-nothing-older': 'a message older than the claim is not adopted',
  'PROTOCOL-6.clock-by-its-lower-end':
    'a message is older by the gateway’s clock only if that clock cannot be further behind',
  'PROTOCOL-6.compare-with-attempt': 'observations are compared with the attempt, not with the current row',
  'PROTOCOL-6.deny-behind-preceding-only':
    'absence from the queue alone proves nothing: a preceding item has to be listed',
  'PROTOCOL-6.preceding-before-claim': 'a preceding item was accepted before the claim',
  'PROTOCOL-6.deny-loosely': 'an unaccounted item of the kind prevents a proof of absence, whatever its text',
  'PROTOCOL-6.listed-kinds-only': 'the queue proves no absence of kinds that it does not list',
  'PROTOCOL-6.no-restart-since-claim': 'after a restart of the instance the order of the queue proves nothing',
  'PROTOCOL-6.presume-when-asked': 'a presumption sends again only with permission',
  'PROTOCOL-6.successor-after-reconcile-time':
    'a presumption needs a successor claimed after the attempt could be reconciled',
  'PROTOCOL-7.forward-only': 'a receipt never moves a message to an earlier state',
  'PROTOCOL-7.parked-receipts': 'a receipt that comes before its id is kept for it',
  'PROTOCOL-8.row-decides': 'a second run continues from the row',
  'PROTOCOL-8.sweeper': 'an unfinished row without a run gets one',
  'PROTOCOL-12.list-in-the-claim': 'the claim itself checks the suppression list',
} as const;
export type Rule = keyof typeof RULES;

/** Assumptions about the world. Without one of them even all rules together are not enough. */
export const ASSUMPTIONS = {
  'ASSUME-1.fifo': 'the message that is accepted first leaves first',
  'ASSUME-2.settle': 'a request whose connection is gone is accepted within the settle time or never',
  'ASSUME-3.no-equal-unmatched':
    'no other sender of the account puts the same text into the same chat at the same time',
  'ASSUME-4.notices-arrive': 'notifications are on and arrive in the end',
} as const;
export type Assumption = keyof typeof ASSUMPTIONS;
