/** `msg_` and a hash of instance and key, see docs/contract.md: a pure function, so the id is the idempotency. */
export type MessageId = string & { readonly __brand: 'MessageId' };
/** `edt_` and a hash of message id and key. */
export type EditId = string & { readonly __brand: 'EditId' };
/**
 * A campaign's name for good: lower case letters, digits, `-` and `_`, at most 64; chosen by operators or made from a
 * key.
 */
export type CampaignId = string & { readonly __brand: 'CampaignId' };
