import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ACCOUNT_OUT,
  CAMPAIGN_STATES,
  EDIT_STATES_UNDER_WAY,
  EditState,
  EVENT_TYPES,
  JOB_KINDS,
  MESSAGE_STATES,
  MessageState,
  PAUSE_REASONS,
  PossibleOptOutState,
  RESUMED_BY,
  SCHEDULE_RUN_KINDS,
  SCHEDULE_RUN_STATES,
  SCHEDULE_STATES,
  SuppressionScope,
  SuppressionSource,
  statesIn,
  TEMPLATE_STATES,
  type AttemptOutcome,
} from '../../src/contract/index.js';
import type { WentBack } from '../../src/ledger/index.js';
import type { Oddity, OperationState, RunState } from '../../src/ledger/storage/column-types.js';
import type {
  CampaignsTable,
  EditsTable,
  KnownLidsTable,
  MessageIdsTable,
  StreamsTable,
  SuppressionsTable,
} from '../../src/ledger/storage/schema.js';

/** The words of a type without a list: the compiler rejects a missing word, and one too many. */
function words<Word extends string>(all: Readonly<Record<Word, true>>): readonly string[] {
  return Object.keys(all);
}

/** The values that the code writes to each column with a list in its constraint. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  'attempts.outcome': words<AttemptOutcome['kind']>({
    accepted: true,
    rejected: true,
    not_accepted: true,
    unknown: true,
  }),
  'campaign_accounts.out_why': Object.keys(ACCOUNT_OUT),
  'campaigns.state': CAMPAIGN_STATES,
  'campaigns.state_without_message': words<CampaignsTable['state_without_message']['__select__']>({
    pending: true,
    cancelled: true,
    expired: true,
  }),
  'edits.state': Object.values(EditState),
  'edits.step': words<NonNullable<EditsTable['step']>>({ post: true, read: true }),
  'edits.via': words<NonNullable<EditsTable['via']>>({ before_send: true, gateway: true }),
  'events.type': Object.keys(EVENT_TYPES),
  'instance_pauses.reason': PAUSE_REASONS,
  'instance_pauses.resumed_by': RESUMED_BY,
  'message_ids.role': words<MessageIdsTable['role']>({ message: true, edit: true }),
  'known_lids.source': words<KnownLidsTable['source']>({ group: true, notification: true }),
  'messages.run': words<RunState>({ none: true, wanted: true, started: true }),
  'messages.state': MESSAGE_STATES,
  'notifications.oddity': words<Oddity>({
    cut: true,
    malformed: true,
    another_instance: true,
    unknown_kind: true,
    incomplete: true,
    unreadable_chat: true,
    unknown_message_type: true,
  }),
  'operations.state': words<OperationState>({
    pending: true,
    sending: true,
    done: true,
    failed: true,
    may_have_happened: true,
  }),
  'recurring_jobs.kind': JOB_KINDS,
  'restores.found_by': words<WentBack['foundBy']>({ command: true, database: true, dispatcher: true }),
  'possible_opt_outs.state': [...Object.values(PossibleOptOutState), 'repeated'],
  'schedule_runs.kind': SCHEDULE_RUN_KINDS,
  'schedule_runs.state': SCHEDULE_RUN_STATES,
  'schedules.state': SCHEDULE_STATES,
  'streams.closed_by': ['SENDING_WINDOW_CLOSED', 'QUIET_HOURS'] satisfies readonly NonNullable<
    StreamsTable['closed_by']
  >[],
  'suppressions.removed_by': words<NonNullable<SuppressionsTable['removed_by']>>({ start_word: true, operator: true }),
  'suppressions.scope': Object.values(SuppressionScope),
  'suppressions.source': Object.values(SuppressionSource),
  'templates.state': TEMPLATE_STATES,
};

const schema = readFileSync(new URL('../../src/ledger/storage/schema.sql', import.meta.url), 'utf8');
const tables = [...schema.matchAll(/^create table (\w+) \(\n(.*?)^\);/gms)];
/** The words that PostgreSQL accepts in a column. */
const accepted = new Map(
  tables.flatMap(([, table = '', body = '']) =>
    [...body.matchAll(/CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)\)/g)].map(
      ([, column = '', list = '']): [string, string[]] => [
        `${table}.${column}`,
        Array.from(list.matchAll(/'([^']*)'/g), ([, word = '']) => word),
      ],
    ),
  ),
);

describe('a column with a list of words in its constraint', () => {
  it.each(Object.entries(WRITTEN))('%s accepts what the code writes, and nothing else', (column, written) => {
    const [table] = column.split('.');
    const found = accepted.get(column)?.toSorted();
    expect(found, `Change the check of ${column} where src/ledger/migrations creates ${table}.`).toEqual(
      written.toSorted(),
    );
  });

  it('is that of the index of unsettled edits, too', () => {
    const [, list = ''] = /INDEX edits_under_way .* WHERE (.*);/.exec(schema) ?? [];
    const found = Array.from(list.matchAll(/'([^']*)'/g), ([, word = '']) => word);
    expect(found.toSorted(), 'Change the index edits_under_way in src/ledger/migrations.').toEqual(
      EDIT_STATES_UNDER_WAY.toSorted(),
    );
  });

  it('is compared here', () => {
    expect([...accepted.keys()].toSorted(), 'Add the column to WRITTEN.').toEqual(Object.keys(WRITTEN).toSorted());
  });
});

/**
 * The lists of message states in constraints, indexes and triggers, which migrations do not generate from the phases.
 */
const lists = [...schema.matchAll(/(?:ARRAY\[|\bin \()('[^\])]*)[\])]/g)]
  .map(([, list = '']) => Array.from(list.matchAll(/'(\w+)'/g), ([, word = '']) => word))
  .filter((states) => states.length > 1 && states.every((word) => Object.hasOwn(MessageState, word)));

/** A recipient without a message. */
const WITHOUT_MESSAGE = ['pending', 'cancelled', 'expired'];
const LISTS: readonly (readonly string[])[] = [
  MESSAGE_STATES,
  WITHOUT_MESSAGE,
  statesIn('in_flight'),
  statesIn('pending', 'in_flight', 'unresolved', 'accepted'),
  statesIn('taken'),
  [...statesIn('taken', 'undeliverable'), 'rejected'],
];
const KNOWN = LISTS.map((states) => states.toSorted().join(' '));

it('the schema lists message states only as phases do', () => {
  expect(new Set(lists.map((states) => states.toSorted().join(' ')))).toEqual(new Set(KNOWN));
});
