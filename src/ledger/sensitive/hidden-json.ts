/** Hides the texts of sensitive messages in JSON of the gateway before it is stored or shown. */
import { sql } from 'kysely';
import { AppError, groupBy, type MessageId } from '../../contract/index.js';
import { hideInJson, idMessagesIn, textsIn } from '../../domain/index.js';
import { EDITS_UNDER_WAY } from '../storage/state-lists.js';
import { jsonText } from '../storage/statements.js';
import type { Db } from '../storage/store.js';
import type { Texts } from './texts.js';

/** JSON as it is stored. */
export interface StoredJson {
  /** As it is shown. */
  readonly json: unknown;
  /** The sensitive message whose text is hidden in it. */
  readonly about?: MessageId;
  /** The JSON with the text, sealed. Absent once the text of the message was removed. */
  readonly hidden?: string;
}

interface KnownRow {
  readonly instance: string;
  readonly id_message: string | null;
  readonly id: MessageId;
  readonly hidden: string | null;
}

/**
 * One statement for many values. A message in doubt may get its id at any time, so ids and texts are read together. The
 * ids are looked up one by one: the planner expects a hundred of them, and reads every message of a small ledger instead.
 */
export async function hideTextsIn(
  db: Db,
  texts: Texts,
  given: readonly { readonly instance: string; readonly json: unknown }[],
): Promise<StoredJson[]> {
  const named = given.flatMap(({ instance, json }) =>
    [...new Set(idMessagesIn(json))].map((id_message) => ({ instance, id_message })),
  );
  const instances = [...new Set(named.map(({ instance }) => instance))];
  if (instances.length === 0) return given.map(({ json }) => ({ json }));
  const { rows } = await sql<KnownRow>`/* sensitive_messages */
    select i.instance, i.id_message, m.id, m.hidden
    from json_to_recordset(${jsonText(named)}::json) as w(instance text, id_message text)
    cross join lateral (
      select i.* from message_ids i where i.instance = w.instance and i.id_message = w.id_message offset 0) i
    cross join lateral (
      select m.* from messages m where m.id = i.message_id and m.text_length is not null offset 0) m
    union all
    select m.instance, null, m.id, a.hidden
    from attempts a join messages m on m.id = a.message_id
    where a.hidden is not null and (a.outcome is null or a.outcome = 'unknown') and m.instance = any(${instances}::text[])
    union all
    select m.instance, null, m.id, e.hidden
    from edits e join messages m on m.id = e.message_id
    where e.state in ${EDITS_UNDER_WAY} and e.hidden is not null and m.instance = any(${instances}::text[])`.execute(
    db,
  );
  if (rows.length === 0) return given.map(({ json }) => ({ json }));
  const byInstance = groupBy(rows, ({ instance }) => instance);
  return given.map(({ instance, json }) => hideIn(texts, json, byInstance.get(instance) ?? []));
}

function hideIn(texts: Texts, json: unknown, rows: readonly KnownRow[]): StoredJson {
  const byIdMessage = new Map(rows.flatMap(({ id_message, id }) => (id_message === null ? [] : [[id_message, id]])));
  // None without the key: a notification is stored in any case.
  const inDoubt = rows.flatMap(({ id_message, id, hidden }) =>
    id_message !== null || hidden === null ? [] : [{ id, texts: textsIn(openedOr({}, () => texts.open(id, hidden))) }],
  );
  const { shown, about } = hideInJson(json, { byIdMessage, inDoubt });
  if (about === undefined) return { json: shown };
  if (rows.every(({ id, hidden }) => id !== about || hidden === null)) return { json: shown, about };
  // What it quotes belongs to another message, whose text may be removed earlier.
  const quoted = new Map([...byIdMessage].filter(([, id]) => id !== about));
  const { shown: kept } = hideInJson(json, { byIdMessage: quoted, inDoubt: [] });
  return { json: shown, about, hidden: texts.seal(about, { json: kept }) };
}

/** The JSON with the text, unless it was removed. Without the key, as it is shown: no other notification waits for it. */
export function revealJson(
  texts: Texts,
  { json, about, hidden }: { readonly json: unknown; readonly about: MessageId | null; readonly hidden: string | null },
): unknown {
  return about === null || hidden === null ? json : openedOr(json, () => texts.open(about, hidden)['json']);
}

function openedOr(otherwise: unknown, open: () => unknown): unknown {
  try {
    return open();
  } catch (error) {
    if (error instanceof AppError && error.code === 'ENCRYPTION_KEY_MISSING') return otherwise;
    throw error;
  }
}
