// Generates the types of the ledger's tables from the tables and comments that the migrations create. The maps below
// add what a table does not define: the texts and the JSON of a column.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, sql } from 'kysely';
import * as prettier from 'prettier';
import { migrate } from '../dist/ledger/storage/migrate.js';
import { pgliteDialect } from '../dist/ledger/storage/pglite-dialect.js';

const FILE = fileURLToPath(new URL('../src/ledger/storage/schema.ts', import.meta.url));

/** Columns with these names have the same type in every table. */
/** @type {Record<string, string>} */
const BY_NAME = {
  message_id: 'MessageId',
  campaign_id: 'CampaignId',
  kind: 'MessageKind',
  seq: 'Sequence',
};
/** @type {Record<string, string>} */
const BY_COLUMN = {
  'amendments.content': 'Json<ContentTemplate>',
  'amendments.content_before': 'Json<ContentTemplate>',
  'amendments.counts_after': 'OptionalJson',
  'amendments.counts_before': 'Json',
  'api_keys.instances': 'OptionalJson<readonly string[]>',
  'api_keys.scopes': 'Json<readonly Scope[]>',
  'attempts.content': 'Json<MessageContent>',
  'attempts.outcome': "AttemptOutcome['kind'] | null",
  'audiences.no': 'Sequence',
  'campaign_accounts.out_why': 'AccountOut | null',
  'campaign_counts.state': 'MessageState',
  'campaigns.content': 'Json<ContentTemplate>',
  'campaigns.definition': 'Json<CampaignDefinition>',
  'campaigns.id': 'CampaignId',
  'campaigns.limits': 'OptionalJson<CampaignLimits>',
  'campaigns.sending_windows': 'OptionalJson<LocalHours>',
  'campaigns.state': 'CampaignState',
  'campaigns.variants': 'OptionalJson<readonly CampaignVariant[]>',
  'campaigns.state_without_message': "Generated<'pending' | 'cancelled' | 'expired'>",
  'commands.asked': 'Sequence',
  'commands.kind': 'string',
  'commands.result': 'OptionalJson',
  'dispatchers.delays': 'OptionalJson<Readonly<Record<string, number>>>',
  'dispatchers.former_runs': 'Generated<string[]>',
  'edits.id': 'EditId',
  'edits.state': 'EditState',
  'edits.step': 'EditStep | null',
  'edits.via': "'before_send' | 'gateway' | null",
  'erasures.rows': 'ColumnType<Readonly<Record<string, number>>, string | undefined, string>',
  'erasures.kept':
    'ColumnType<Readonly<Record<string, { count: number; ids: readonly string[] }>>, string | undefined, string>',
  'erasures.waiting': 'ColumnType<Readonly<Record<string, number>>, string | undefined, string>',
  'event_endpoints.events': 'string[]',
  'event_endpoints.secrets': 'Json',
  'events.data': 'Json',
  'events.message_id': 'MessageId | null',
  'events.type': 'EventType',
  'evidence.detail': 'OptionalJson',
  'gateway_clocks.highest_offset_ms': 'ColumnType<Big, number, number>',
  'gateway_clocks.lowest_offset_ms': 'ColumnType<Big, number, number>',
  'group_snapshots.data': 'Json<GroupData>',
  'instance_pauses.reason': 'PauseReason',
  'instance_pauses.resumed_by': 'ResumedBy | null',
  'instance_settings.settings': 'Json<InstanceSettings>',
  'known_lids.source': "'group' | 'notification'",
  'message_counts.from_state': 'MessageState | null',
  'message_counts.state': 'MessageState',
  'message_ids.role': "'message' | 'edit'",
  'messages.content': 'Json<MessageContent>',
  'messages.id': 'MessageId',
  'notifications.about': 'MessageId | null',
  'observations.about': 'MessageId | null',
  'messages.run': 'Generated<RunState>',
  'messages.state': 'MessageState',
  'messages.test_of': 'CampaignId | null',
  'messages.trace_context': 'OptionalJson<TraceContext>',
  'outbox.message_id': 'MessageId | null',
  'outbox.campaign_id': 'CampaignId | null',
  'outbox.edit_id': 'EditId | null',
  'outbox.until': 'MessageState[] | null',
  'possible_opt_outs.state': "PossibleOptOutState | 'repeated'",
  'notifications.body': 'Json',
  'notifications.id': 'Sequence',
  'notifications.kind': 'string | null',
  'notifications.oddity': 'Oddity | null',
  'observations.notification': 'Json',
  'operations.queue_before': 'OptionalJson',
  'operations.request': 'OptionalJson',
  'operations.result': 'OptionalJson',
  'operations.state': 'OperationState',
  'parked_receipts.receipt': 'Json',
  'queue_readings.items': 'Json<readonly ListedItem[]>',
  'recipients.values': 'Json<RecipientValues>',
  'audiences.additions': 'ColumnType<readonly Addition[], string | undefined, string>',
  'audiences.columns': 'OptionalJson<Columns>',
  'audiences.reject_columns': 'OptionalJson<readonly string[]>',
  'audiences.verdicts': 'OptionalJson<VerdictCounts>',
  'recipient_rejects.columns': 'Json<RecipientValues>',
  'replays.outcomes': 'ColumnType<Readonly<Record<string, number>>, string | undefined, string>',
  'recurring_jobs.every_ms': 'ColumnType<Big, number, number>',
  'recurring_jobs.kind': 'JobKind',
  'stories.story': 'Json<Readonly<Record<string, unknown>>>',
  'schedule_runs.kind': 'ScheduleRunKind',
  'schedule_runs.schedule_id': 'ScheduleId',
  'schedule_runs.state': 'ScheduleRunState',
  'schedules.definition': 'Json<ScheduleDefinition>',
  'schedules.id': 'ScheduleId',
  'schedules.state': 'ScheduleState',
  'streams.id': 'Sequence',
  'suppressions.removed_by': "'start_word' | 'operator' | null",
  'suppressions.scope': 'SuppressionScope',
  'suppressions.source': 'SuppressionSource',
  'template_changes.detail': 'OptionalJson',
  'templates.definition': 'Json<TemplateDefinition>',
  'templates.state': 'TemplateState',
};

/** The module of each type that is not in the contract. @type {Record<string, string>} */
const MODULES = {
  Big: './column-types.js',
  ColumnType: 'kysely',
  Generated: 'kysely',
  Json: './column-types.js',
  EditStep: '../../domain/index.js',
  ListedItem: '../../domain/index.js',
  Oddity: './column-types.js',
  OperationState: './column-types.js',
  OptionalJson: './column-types.js',
  RunState: './column-types.js',
  Sequence: './column-types.js',
};
const BUILT_IN = new Set(['Date', 'Readonly', 'Record', 'Uint8Array']);

/** @type {Record<string, string>} */
const BY_TYPE = {
  bool: 'boolean',
  bytea: 'Uint8Array',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'Big',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
};

const db = new Kysely({ dialect: pgliteDialect(await PGlite.create()) });
await migrate(db);
const tables = await db.introspection.getTables();
/** @type {import('kysely').RawBuilder<{ table: string, comment: string | null }>} */
const commentsOfTables = sql`
  select relname as table, obj_description(oid, 'pg_class') as comment from pg_class where relkind = 'r'`;
const { rows: comments } = await commentsOfTables.execute(db);
const commentOf = new Map(comments.map(({ table, comment }) => [table, comment]));
await db.destroy();

const known = new Set(tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)));
const unknown = Object.keys(BY_COLUMN).filter((column) => !known.has(column));
if (unknown.length > 0) throw new Error(`BY_COLUMN names columns that do not exist: ${unknown.join(', ')}`);

const interfaces = tables.map(({ name: table, columns }) =>
  [
    ...jsDoc(commentOf.get(table)),
    `export interface ${interfaceOf(table)} {`,
    ...columns.flatMap((column) => [...jsDoc(column.comment), `${column.name}: ${typeOf(table, column)};`]),
    '}',
  ].join('\n'),
);

const types = new Set(
  tables.flatMap(({ name, columns }) => columns.flatMap((column) => namesIn(typeOf(name, column)))),
);
/** @param {string} type */
const moduleOf = (type) => MODULES[type] ?? '../../contract/index.js';
const imports = [...new Set([...types].map(moduleOf))].map((module) => {
  const names = [...types].filter((type) => moduleOf(type) === module).toSorted();
  return `import type { ${names.join(', ')} } from '${module}';`;
});
const source = [
  '// Generated from the migrations by `npm run generate`. Do not edit.',
  imports.join('\n'),
  `export interface Schema {\n${tables.map(({ name }) => `${name}: ${interfaceOf(name)};`).join('\n')}\n}`,
  ...interfaces,
].join('\n\n');
const config = await prettier.resolveConfig(FILE);
await writeFile(FILE, await prettier.format(source, { ...config, parser: 'typescript' }));

/** @param {string} table @returns {string} e.g. `MessageIdsTable` for `message_ids` */
function interfaceOf(table) {
  return `${table.replace(/(?:^|_)(\w)/g, (_, first) => first.toUpperCase())}Table`;
}

/** @param {string} table @param {import('kysely').ColumnMetadata} column @returns {string} */
function typeOf(table, { name, dataType, isNullable, hasDefaultValue }) {
  const exact = BY_COLUMN[`${table}.${name}`];
  if (exact !== undefined) return exact;
  const type = BY_NAME[name] ?? BY_TYPE[dataType];
  if (type === undefined)
    throw new Error(`Add ${table}.${name} to BY_COLUMN: its type does not follow from ${dataType}.`);
  if (isNullable) return `${type} | null`;
  return hasDefaultValue && type !== 'Sequence' ? `Generated<${type}>` : type;
}

/** @param {string} type @returns {string[]} the names in the type that must be imported */
function namesIn(type) {
  return (type.replace(/'[^']*'/g, '').match(/\b[A-Z]\w+/g) ?? []).filter((name) => !BUILT_IN.has(name));
}

/** @param {string | null | undefined} comment @returns {string[]} */
function jsDoc(comment) {
  return comment ? [`/** ${comment} */`] : [];
}
