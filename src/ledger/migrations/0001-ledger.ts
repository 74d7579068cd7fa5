import { sql, type Kysely } from 'kysely';
import { createAccounts, createInstallation } from './accounts.js';
import { createCampaigns, createDispatch } from './campaigns.js';
import { COMMENTS } from './comments.js';
import { createErasureTables, createSuppressions } from './suppressions.js';
import { createEvents, createNotifications } from './notifications.js';
import { createMessageCounts, createMessages, createTriggers } from './messages.js';

/** Every table of the ledger, as `schema.sql` shows them. */
export async function up(db: Kysely<never>): Promise<void> {
  // One sequence for claims, outcomes and evidence gives their order without clocks.
  await sql`create sequence ledger_seq`.execute(db);
  await createMessages(db);
  await createNotifications(db);
  await createAccounts(db);
  await createCampaigns(db);
  await createDispatch(db);
  await createSuppressions(db);
  await createInstallation(db);
  await createTriggers(db);
  await createErasureTables(db);
  await createEvents(db);
  await createMessageCounts(db);

  for (const [subject, comment] of Object.entries(COMMENTS)) {
    const kind = subject.includes('.') ? sql`column` : sql`table`;
    await sql`comment on ${kind} ${sql.ref(subject)} is ${sql.lit(comment)}`.execute(db);
  }
}
