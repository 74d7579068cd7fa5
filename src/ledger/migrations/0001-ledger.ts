import { sql, type Kysely } from 'kysely';
import { createAccounts } from './accounts.js';
import { createCampaigns } from './campaigns.js';
import { COMMENTS } from './comments.js';
import { createDispatch } from './dispatch.js';
import { createErasureTables } from './erasure-tables.js';
import { createEvents } from './events.js';
import { createInstallation } from './installation.js';
import { createMessages } from './messages.js';
import { createNotifications } from './notifications.js';
import { createSuppressions } from './suppressions.js';
import { createTriggers } from './triggers.js';
import { createMessageCounts } from './message-counts.js';

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
