/**
 * External inputs and their responses, as zod schemas. Import this file by its own name (`contract/schemas.js`), never
 * through the module's index, so that workflow code does not load zod into its sandbox.
 *
 * These schemas check which fields exist, their types, recipients and times. The gateway's limits (lengths, ranges,
 * byte order marks) are checked by each operation's contract in `src/gateway`.
 */
export * from './schemas/campaign.js';
export * from './schemas/campaign-content.js';
export * from './schemas/campaign-responses.js';
export * from './schemas/fields.js';
export * from './schemas/list-file.js';
export * from './schemas/message.js';
export * from './schemas/responses.js';
export * from './schemas/schedule.js';
export * from './schemas/sending-hours.js';
