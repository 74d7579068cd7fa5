import { sql, type Kysely } from 'kysely';

/** Ids that are found by their beginning, with the columns that refer to them: those are compared with them in joins. */
const ID_COLUMNS = {
  messages: ['id', 'campaign_id'],
  attempts: ['message_id'],
  callbacks: ['message_id'],
  edits: ['message_id'],
  evidence: ['message_id'],
  message_ids: ['message_id'],
  pending_signals: ['message_id'],
  requests: ['message_id'],
  waiting_messages: ['message_id'],
  campaigns: ['id'],
  audiences: ['campaign_id'],
  feeding_turns: ['campaign_id'],
  operations: ['id'],
  templates: ['element_name'],
  template_changes: ['element_name'],
} as const;

/**
 * Short ids that are found by their beginning, and campaigns with a name.
 *
 * Ids are ordered byte by byte: in the order of a language what begins alike does not stand together (`ch` comes after `h` in
 * Czech, `z` before `t` in Estonian), and a primary key could not serve a range of beginnings.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const [table, columns] of Object.entries(ID_COLUMNS)) {
    const changes = columns.map((column) => sql`alter column ${sql.ref(column)} type text collate "C"`);
    await sql`alter table ${sql.table(table)} ${sql.join(changes)}`.execute(db);
  }
  const statements = [
    sql`alter table campaigns add column name text`,
    // Message ids have 30 bits for the line.
    sql`alter table recipients add constraint recipients_line_check check (line < 1073741824)`,
    // Accepted and not heard of, by line: message ids of a campaign are not in the order of its lines.
    sql`create index messages_unheard on messages (campaign_id, line)
      where campaign_id is not null and state = 'accepted' and ended_at is null`,
  ];
  for (const statement of statements) await statement.execute(db);
}
