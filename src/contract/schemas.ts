/**
 * Inputs at the edges and the responses to them, as zod schemas. Import this file by its own name
 * (`contract/schemas.js`), never through the module's index: workflow code must not drag zod into its sandbox.
 *
 * Two kinds of rules meet at an edge. Here: which fields exist, their types, recipients and times. Not here: the
 * gateway's limits (lengths, ranges, byte order marks), which live with each operation's contract in `src/gateway`.
 */
export * from './schemas/campaign.js';
export * from './schemas/campaign-responses.js';
export * from './schemas/fields.js';
export * from './schemas/message.js';
export * from './schemas/responses.js';
export * from './schemas/schedule.js';
export * from './schemas/sending-hours.js';
