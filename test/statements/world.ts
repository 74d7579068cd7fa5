/**
 * A ledger as after three months of use, written by statements over ranges of numbers: a million messages of 200
 * instances, one of which has half of them, and the rows around them.
 *
 * A message is a number `n`, the newest has the largest. `cmp_running` sends on `i-7`. `i-7` and `main` have messages in
 * flight, in doubt, due, and due later. All other campaigns have ended.
 */
import { type RawBuilder, sql } from 'kysely';
import { recipientMessageIdOf } from '../../src/ledger/messages/recipient-row.js';
import type { Db } from '../../src/ledger/storage/store.js';

export const MAIN = 'main';
export const RUNNING = 'cmp_running';
const RUNNING_KEY = 'runningkey';
/** The instance of the running campaign. */
export const SENDING = 'i-7';
/** `main`, and `i-1` to `i-199`. */
export const INSTANCES = [MAIN, ...Array.from({ length: 199 }, (_, at) => `i-${at + 1}`)];

/** Writes all rows without triggers, and creates the indexes afterwards, which takes a third of the time. */
export async function fillWorld(db: Db, messages: number): Promise<void> {
  await db.connection().execute(async (tx) => {
    const run = (statement: RawBuilder<unknown>) => statement.execute(tx);
    await run(sql`set session_replication_role = replica`);
    const indexes = await sql<{ name: string; definition: string }>`
      select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      join pg_class on pg_class.oid = indrelid
      where relnamespace = 'public'::regnamespace and not indisprimary and relname not like 'kysely%'
        and not exists (select from pg_constraint where conindid = indexrelid)`.execute(tx);
    for (const { name } of indexes.rows) await run(sql.raw(`drop index ${name}`));
    const [messagesOf, ...others] = worldRows(messages);
    await run(sql.raw(messagesOf ?? ''));
    await run(sql`update w set id = ${recipientMessageIdOf(RUNNING_KEY, sql`line`)} where campaign_id = ${RUNNING}`);
    for (const statement of others) await run(sql.raw(statement));
    for (const { definition } of indexes.rows) await run(sql.raw(definition));
    await run(sql`set session_replication_role = default`);
  });
  await sql`vacuum analyze`.execute(db);
}

/** How many of the newest messages are not ended: half of them due, the others of the states in doubt and in flight. */
const OPEN = 20_000;

function worldRows(total: number): readonly string[] {
  /** A campaign has 15,000 messages of each block of 25,000. */
  const block = 25_000;
  const blocks = Math.ceil(total / block);
  const campaignOf = `case when n % 10 < 6 then case when n > ${total - block} then '${RUNNING}' else 'cmp_' || n / ${block} end end`;
  const instanceOf = `case when n > ${total - block} and n % 10 < 6 then '${SENDING}'
    when n > ${total - 2_000} then case when n % 2 = 0 then '${MAIN}' else '${SENDING}' end
    when n % 10 < 6 then case when n / ${block} % 2 = 0 then '${MAIN}' else 'i-' || 1 + n / ${block} % 199 end
    when n % 10 = 6 then '${MAIN}' else 'i-' || 1 + n % 199 end`;
  /** The running campaign's are 2 to 15,001: its first recipients. */
  const lineOf = `case when n % 10 >= 6 then null when n > ${total - block} then (n - ${total - block}) / 10 * 6 + n % 10 + 1 else n end`;
  const createdAt = `now() - (${total} - n) * interval '90 days' / ${total}`;
  /** The ends of old messages, and what the newest ones wait for. */
  const stateOf = `case
    when n > ${total} - 8 then 'sending'
    when n > ${total} - 12 then 'unknown'
    when n > ${total} - 250 then 'unresolved'
    when n > ${total} - 2000 then 'accepted'
    when n > ${total} - ${OPEN} then 'pending'
    when n % 100 < 40 then 'read' when n % 100 < 75 then 'delivered' when n % 100 < 85 then 'sent'
    when n % 100 < 88 then 'failed' when n % 100 < 90 then 'no_account' when n % 100 < 91 then 'rejected'
    when n % 100 < 93 then 'expired' when n % 100 < 95 then 'cancelled' when n % 100 < 96 then 'suppressed'
    when n % 1000 = 997 then 'unresolved' else 'accepted' end`;
  const recipient = `'1557' || lpad((n % 150000)::text, 7, '0') || '@c.us'`;
  const wasPosted = `state not in ('pending', 'expired', 'cancelled', 'suppressed')`;
  const isAccepted = `state in ('accepted', 'sent', 'delivered', 'read', 'failed', 'no_account')`;
  const isOpen = `(state in ('pending', 'sending', 'unknown') or (state in ('accepted', 'unresolved') and n > ${total - OPEN}) or (state = 'accepted' and n % 20000 = 96))`;
  return [
    `create temporary table w as
      select n, 'msg_' || substr(md5(n::text), 1, 16) as id, ${instanceOf} as instance, ${campaignOf} as campaign_id, ${lineOf}::integer as line,
        ${stateOf} as state, ${createdAt} as created_at, ${recipient} as chat_id
      from generate_series(1, ${total}) n`,
    `insert into messages (id, instance, chat_id, recipient_key, kind, content, body_hash, request_hash, state, version, priority, category,
        on_unknown, reference, attempt_token, id_message, created_at, expires_at, accepted_at, sent_at, sent_seen_at, delivered_at,
        delivered_seen_at, read_at, read_seen_at, ended_at, namespace, campaign_id, line, content_version, stream_id, due_at, place, run,
        requested_by, reason, send_at)
      select w.id, instance, chat_id, chat_id, 'text',
        json_build_object('kind', 'text', 'text', 'Hello, your order ' || n || ' is on its way and arrives tomorrow.'),
        encode(sha256(convert_to(n::text, 'UTF8')), 'hex'), encode(sha256(convert_to('r' || n, 'UTF8')), 'hex'), state, 5,
        case when campaign_id is null then 'normal' else 'low' end, case when campaign_id is null then 'transactional' else 'marketing' end,
        case when state in ('sending', 'unknown') then 'auto' else 'manual' end, case when n % 50 = 0 then 'order-' || n end, case when ${wasPosted} then 'tok-' || n end,
        case when ${isAccepted} then 'A' || n end, created_at, created_at + interval '2 days',
        case when ${isAccepted} then created_at end, case when state in ('sent', 'delivered', 'read') then created_at end,
        case when state in ('sent', 'delivered', 'read') then created_at end, case when state in ('delivered', 'read') then created_at end,
        case when state in ('delivered', 'read') then created_at end, case when state = 'read' then created_at end,
        case when state = 'read' then created_at end,
        case when not ${isOpen} and state not in ('sent', 'delivered', 'read') then created_at + interval '1 second' end,
        'default', campaign_id, line, case when campaign_id is not null then 1 end,
        s.stream_id, case when not (n % 100 = 7 and instance in ('${MAIN}', '${SENDING}')) and state = 'pending' then now() + interval '1 hour' else created_at end, n,
        case when n > ${total} - 100 or n % 2000 = 7 then 'started' else 'none' end, case when campaign_id is null then 'key_1' end,
        case state when 'failed' then 'failed' when 'cancelled' then 'cancelled' end, null
      from w left join lateral (
        select case when campaign_id = '${RUNNING}' then 1000 when campaign_id is not null then 5000 + n / ${block}
          when instance = '${MAIN}' then 1 else 1 + substr(instance, 3)::bigint end as stream_id) s on true`,
    `insert into attempts (seq, token, message_id, worker, content, body_hash, claimed_at, posting_deadline_at, reconcile_after, outcome,
        outcome_seq, outcome_at, id_message, http_status, instance, epoch, identical_hash)
      select n * 4, 'tok-' || n, id, 'everpost-1@host', json_build_object('kind', 'text', 'text', 'Hello, your order ' || n || ' is on its way and arrives tomorrow.'),
        encode(sha256(convert_to(n::text, 'UTF8')), 'hex'), created_at, created_at + interval '30 seconds', created_at + interval '3 minutes',
        case state when 'sending' then null when 'unknown' then 'unknown' when 'unresolved' then 'unknown' when 'rejected' then 'rejected' else 'accepted' end,
        case when state <> 'sending' then n * 4 + 1 end, case when state <> 'sending' then created_at end,
        case when ${isAccepted} then 'A' || n end, case when ${isAccepted} then 200 end, instance, 1,
        case when state in ('sending', 'unknown') or (state = 'unresolved' and n > ${total - OPEN}) then sha256(convert_to(chat_id || ' ' || n, 'UTF8')) end
      from w where ${wasPosted}`,
    `insert into evidence (seq, message_id, fact, at, witness, what, detail)
      select n * 4 + e, id, case e when 0 then 'claimed:tok-' || n else 'accepted:tok-' || n end, created_at, case e when 0 then 'claim' else 'response' end,
        case e when 0 then 'claimed' else 'accepted' end, json_build_object('attempt', 'tok-' || n)
      from w, generate_series(0, 1) e where ${wasPosted}`,
    `insert into message_ids (instance, id_message, message_id, role, stored_at, notified_at, left_at)
      select instance, 'A' || n, id, 'message', created_at, created_at, created_at from w where ${isAccepted}`,
    `insert into due_messages (stream_id, due_at, place, message_id, recipient_key, expires_at)
      select stream_id, due_at, place, id, recipient_key, expires_at from messages where state = 'pending'`,
    `insert into audiences overriding system value
      select a, case when a = ${blocks} then '${RUNNING}' else 'cmp_' || a end, null, 20000, '{}', '[]', null, null, null, 0, '[]', now(), now(), false
      from generate_series(0, ${blocks}) a`,
    `insert into campaigns (id, key, instance, request_hash, definition, content, priority, category, on_unknown, high_water, deadline_at, state,
        audience_no, audience, read_ahead_line, created_at, started_at, ended_at, namespace, replies_for_seconds)
      select 'cmp_' || a, substr(md5(a::text), 1, 10), case when a % 2 = 0 then '${MAIN}' else 'i-' || 1 + a % 199 end, 'h', d, d -> 'content', 'low', 'marketing',
        'manual', 100, now() - interval '1 day', 'completed', a, 20000, 20000, at, at, at, 'default', 259200
      from generate_series(0, ${blocks} - 1) a, (select '{"content":{"kind":"text","text":"Hello"}}'::json d) d,
        lateral (select now() - (${blocks} - a) * interval '90 days' / ${blocks} as at) at
      union all
      select '${RUNNING}', '${RUNNING_KEY}', '${SENDING}', 'h', d, d -> 'content', 'low', 'marketing', 'manual', 100, now() + interval '1 day', 'running', ${blocks}, 200000, 15001,
        now() - interval '1 day', now() - interval '1 day', null, 'default', 259200 from (select '{"content":{"kind":"text","text":"Hello"}}'::json d) d`,
    `insert into streams (id, instance, class, campaign_id, needs_phone, kind, served, category, content_version) overriding system value
      select 1 + i, case i when 0 then '${MAIN}' else 'i-' || i end, 2, null, false, 'text', i, 'transactional', null from generate_series(0, 199) i
      union all select 1000, '${SENDING}', 3, '${RUNNING}', false, 'text', 1000, 'marketing', 1`,
    `insert into dispatchers (instance, epoch, run, shift, attempt, worker, process, task_token, begun_at, seen_at, ended_at, queue_depth, depth_estimated_at, release_interval_ms)
      select case i when 0 then '${MAIN}' else 'i-' || i end, 1, 'run-1', 1, 1, 'everpost-1@host', 'process-1', 'dG9rZW4=', now(), now(), now(), 3, now(), 500 from generate_series(0, 199) i`,
    `insert into worker_processes values ('process-1', now(), now() + interval '1 day')`,
    `insert into recipients (audience_no, line, chat_id, values)
      select a, l, '1557' || lpad(((a * 20000 + l) % 150000)::text, 7, '0') || '@c.us', '{"name":"Ada"}'::json from generate_series(0, ${blocks} - 1) a, generate_series(1, 20000) l
      union all select ${blocks}, l, '1556' || lpad(l::text, 7, '0') || '@c.us', '{"name":"Ada"}'::json from generate_series(1, 200000) l`,
    ...aroundMessages(total),
    `select setval('ledger_seq', ${total} * 5)`,
    ...['audiences.no', 'streams.id', 'notifications.id'].map((column) => {
      const [table, name] = column.split('.');
      return `select setval(pg_get_serial_sequence('${table}', '${name}'), (select max(${name}) from ${table}))`;
    }),
  ];
}

/** The rows of all other tables, most of which are finished work. */
function aroundMessages(total: number): readonly string[] {
  const share = (part: number): string => `generate_series(1, ${Math.ceil(total / part)}) n`;
  const instance = `case when n % 2 = 0 then '${MAIN}' else 'i-' || 1 + n % 199 end`;
  const ago = (part: number, days = 90): string =>
    `now() - (${Math.ceil(total / part)} - n) * interval '${days} days' / ${Math.ceil(total / part)}`;
  const hash = (prefix: string): string => `encode(sha256(convert_to('${prefix}' || n, 'UTF8')), 'hex')`;
  const chat = `'1557' || lpad((n % 150000)::text, 7, '0') || '@c.us'`;
  return [
    `insert into edits (seq, id, message_id, instance, text, body_hash, state, via, requested_at, posted_at, ended_at, id_message_given, id_message_returned)
      select n * 4 + 2, 'edt_' || substr(md5('e' || n), 1, 16), id, instance, 'Hello, your order arrives today.', ${hash('e')}, 'edited', 'gateway', created_at, created_at,
        created_at, 'A' || n, 'E' || n from w where n % 20 = 0 and state in ('sent', 'delivered', 'read')`,
    `insert into message_ids (instance, id_message, message_id, role, stored_at)
      select instance, 'E' || n, id, 'edit', created_at from w where n % 20 = 0 and state in ('sent', 'delivered', 'read')`,
    `insert into message_counts (instance, from_state, state, messages)
      select i, f, t, 1000 from unnest(array['${INSTANCES.join("','")}']) i, unnest(array[null, 'pending', 'sending', 'accepted', 'sent']) f,
        unnest(array['pending', 'sending', 'accepted', 'sent', 'delivered']) t, generate_series(1, 2) where f is distinct from t`,
    `insert into conversations (recipient_key, instance, received_at, chat_id, arrived_at, is_unread)
      select chat, case when n % 10 = 0 then 'i-' || 1 + n / 10 % 199 else '${MAIN}' end, at, chat, at, n % 1000 = 7
      from generate_series(1, 150000) n, lateral (select '1557' || lpad(n::text, 7, '0') || '@c.us' as chat,
        now() - n * interval '1 minute' as at) c`,
    `insert into campaign_responses (message_id, campaign_id, instance, line, replied_at, replied_id, opted_out_at, opted_out_id)
      select id, campaign_id, instance, line, case when line % 100 <> 0 then created_at end, case when line % 100 <> 0 then 'R' || n end,
        case when line % 100 = 0 then created_at end, case when line % 100 = 0 then 'R' || n end
      from w where campaign_id is not null and line % 5 = 0 and state in ('delivered', 'read')`,
    `insert into campaign_accounts (campaign_id, instance, place, since) select id, instance, 0, created_at from campaigns`,
    `insert into campaign_counts (campaign_id, instance, state, is_open, reason, recipients)
      select id, instance, s, false, null, 5000 from campaigns, unnest(array['read', 'delivered', 'sent', 'failed']) s`,
    `insert into notifications (id, hash, received_at, instance, kind, body, chat_id) overriding system value
      select n, md5('n' || n)::uuid, ${ago(2, 30)}, ${instance}, case n % 4 when 0 then 'incomingMessageReceived' else 'outgoingMessageStatus' end,
        json_build_object('typeWebhook', 'outgoingMessageStatus', 'idMessage', 'A' || n * 2, 'status', 'delivered', 'chatId', ${chat}, 'timestamp', 1),
        case n % 4 when 0 then case when n % 20 = 0 then '15570000005@c.us' else ${chat} end end
      from ${share(2)}`,
    `insert into pending_notifications select max(id) - n from notifications, generate_series(0, 19) n group by n`,
    `insert into failed_notifications (notification_id, outcome, problem) select n * 500, 'failed: test', 'unreadable' from ${share(1_000)}`,
    `insert into observations (seq, instance, id_message, notification, seen_at)
      select n * 40 + 3, ${instance}, 'F' || n, json_build_object('typeWebhook', 'outgoingAPIMessageReceived', 'idMessage', 'F' || n,
        'senderData', json_build_object('chatId', ${chat})), ${ago(40, 3)} from ${share(40)}`,
    `insert into parked_receipts (seq, instance, id_message, receipt, receipt_hash, parked_at)
      select n * 200 + 3, ${instance}, 'P' || n, '{"kind":"status","idMessage":"P","status":"sent","atMs":1}'::json, md5('p' || n)::uuid, ${ago(200, 3)} from ${share(200)}`,
    `insert into event_endpoints (id, instance, url, events, raw, secrets, request_hash, created_at)
      select 'evp_' || substr(md5('v' || n), 1, 16), case n when 0 then '${MAIN}' else 'i-' || n end, 'http://127.0.0.1:9/hook', array['*'], false,
        '[{"secret":"whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}]'::json, 'h', now() from generate_series(0, 19) n`,
    `insert into events (seq, tx, instance, type, ordering_key, at, data, message_id)
      select n * 10 + 3, 3 + n / 1000, ${instance}, 'message.state_changed', ${chat}, ${ago(2, 30)}, json_build_object('id', n, 'state', 'sent'), null from ${share(2)}`,
    `insert into event_deliveries (event_seq, endpoint_id, target, ordering_key, created_at, ended_at, delivered)
      select n * 10 + 3, e.id, e.id, ${chat}, now(), case when n > ${Math.ceil(total / 4) - 50} then null else now() end, n % 100 <> 0 and n <= ${Math.ceil(total / 4) - 50}
      from ${share(4)} join event_endpoints e on e.instance = case when n % 2 = 0 then '${MAIN}' else 'i-' || 1 + n % 19 end`,
    `insert into queue_readings (seq, instance, begun_at, ended_at, length, items, unchanged_since, stands_still)
      select ${total} * 4 - 5000 + n, '${MAIN}', now() - (400 - n) * interval '1 second', now() - (400 - n) * interval '1 second', 100, items, now(), false
      from generate_series(1, 400) n, (select json_agg(json_build_object('ids', array['Q' || i], 'kind', 'text', 'chat', '15550001111@c.us')) as items from generate_series(1, 100) i) i`,
    `insert into queue_readings (seq, instance, begun_at, ended_at, length, items, unchanged_since, stands_still)
      select ${total} * 4 - 10000 + n * 2 + r, 'i-' || n, now() - interval '1 minute', now() - interval '1 minute', 0, '[]'::json, now(), false
      from generate_series(1, 199) n, generate_series(0, 1) r`,
    `insert into instance_states (seq, instance, state, since, seen_until)
      select n * 20 + 3, ${instance}, case when n % 50 = 0 then 'notAuthorized' else 'authorized' end, ${ago(20)}, ${ago(20)} from ${share(20)}`,
    `insert into instance_pauses (seq, instance, reason, since, witness, resumed_at, resumed_by)
      select n * 200 + 7, ${instance}, 'operator', ${ago(500)}, 'ops', ${ago(500)}, 'operator' from ${share(500)}`,
    `insert into gateway_clocks select case n when 0 then '${MAIN}' else 'i-' || n end, now(), -20, 20 from generate_series(0, 199) n`,
    `insert into operations (id, method, instance, request_hash, request, state, result, created_at, ended_at)
      select 'op_' || substr(md5('o' || n), 1, 16), 'getSettings', ${instance}, 'h', '{}'::json, 'done', '{}'::json, ${ago(50)}, ${ago(50)} from ${share(50)}`,
    `insert into commands (subject, id, kind, asked, asked_at, begun_at, result)
      select 'campaign:cmp_' || n % 40, 'upd_' || substr(md5('u' || n), 1, 16), 'pause', n, ${ago(100)}, ${ago(100)}, '{}'::json from ${share(100)}`,
    `insert into audit (seq, at, witness, route, object_id, instance, status, request_id)
      select n * 20 + 5, ${ago(5)}, 'key_' || n % 20, 'sendMessage', 'msg_' || substr(md5(n::text), 1, 16), ${instance}, 202, 'r' || n from ${share(5)}`,
    `insert into suppressions (id, instance, chat_id, scope, source, since, recorded_at, word, id_message)
      select 'sup_' || n, case when n % 2 = 0 then '${MAIN}' end, ${chat}, 'marketing', case when n % 2 = 0 then 'stop_word' else 'import' end, ${ago(20)}, ${ago(20)},
        case when n % 2 = 0 then 'stop' end, case when n % 2 = 0 then 'S' || n end from ${share(20)}`,
    `insert into suppressed_chats select chat_id, id from suppressions`,
    `insert into possible_opt_outs (id, instance, id_message, chat_id, recipient_key, text, text_hash, word, language, at, recorded_at, state, decided_by, decided_at)
      select 'poo_' || n, ${instance}, 'O' || n, ${chat}, ${chat}, 'please stop', ${hash('o')}, 'stop', 'en', ${ago(200)}, ${ago(200)},
        'dismissed', 'ops', ${ago(200)} from ${share(200)}`,
    `insert into start_words select ${instance}, 'W' || n, ${chat}, 'start', ${ago(500)} from ${share(500)}`,
    `insert into known_lids (lid, recipient_key, chat_id, learned_at, seen_at, source)
      select '9' || lpad(n::text, 14, '0') || '@lid', ${chat}, ${chat}, ${ago(50)}, ${ago(50)}, 'notification' from ${share(50)}`,
    `insert into templates (instance, element_name, definition, definition_hash, state, template_id, category, status, status_since, created_at, submitted_at, checked_at)
      select ${instance}, 'template_' || n, json_build_object('elementName', 'template_' || n, 'templateType', 'TEXT', 'content', 'Hello'), 'h', 'submitted',
        'T' || n, 'UTILITY', 'APPROVED', ${ago(2_000)}, ${ago(2_000)}, ${ago(2_000)}, ${ago(2_000)} from ${share(2_000)}`,
    `insert into template_changes (seq, instance, element_name, at, witness, what, status)
      select row_number() over () * 13 + 1, instance, element_name, created_at, 'getTemplates', 'reviewed', 'APPROVED' from templates, generate_series(1, 3)`,
    `insert into schedules (id, request_hash, definition, state, synced_version, missed_until, namespace, created_at)
      select 'sch_' || substr(md5('s' || n), 1, 16), 'h', json_build_object('campaign', json_build_object('instance', ${instance}, 'content', json_build_object('kind', 'text', 'text', 'Hello')),
        'recipients', json_build_object('file', 'list.csv'), 'cron', array['0 9 * * MON'], 'timezone', 'Europe/Lisbon'), 'ended', 1, now(), 'default', ${ago(20_000)} from ${share(20_000)}`,
    `insert into schedule_runs (schedule_id, at, kind, campaign_id, state, schedule_version, due_at, created_at, ended_at)
      select s.id, now() - r * interval '1 hour', 'schedule', 'cmp_1', 'started', 1, now() - r * interval '1 hour', now() - r * interval '1 hour', now() - r * interval '1 hour'
      from schedules s, generate_series(1, 400) r`,
    `insert into recipient_rejects (audience_no, line, reason, value, columns)
      select n % 40, 100000 + n, 'not_a_number', 'x', '{"name":"Ada"}'::json from ${share(20)}`,
    `insert into recurring_jobs (id, kind, instance, every_ms, created_at, next_at)
      select 'job_' || n, 'stories', 'i-' || n, 3600000, now(), now() + interval '1 hour' from generate_series(1, 199) n`,
    `insert into stories select ${instance}, 'Y' || n, ${ago(50)}, ${ago(50)}, '{"text":"Hi"}'::json from ${share(50)}`,
    `insert into group_snapshots (seq, instance, group_id, taken_at, seen_until, data, data_hash)
      select n * 100 + 9, ${instance}, '1203630439680' || n % 100 || '@g.us', ${ago(200)}, ${ago(200)}, '{"fields":{},"participants":[]}'::json, ${hash('g')} from ${share(200)}`,
    `insert into files (id, sha256, content_type, size_bytes, stored_at, expires_at, stored_by)
      select 'fil_' || substr(md5('f' || n), 1, 16), ${hash('f')}, 'image/jpeg', 3, ${ago(500)}, now() + interval '1 day', 'key_1' from ${share(500)}`,
    `insert into file_parts select id, 0, 'abc'::bytea from files`,
    `insert into erasures (id, requested_by, requested_at, ended_at) select 'era_' || n, 'ops', ${ago(2_000)}, ${ago(2_000)} from ${share(2_000)}`,
    `insert into erased_chats select ${hash('c')}, 'era_' || n from ${share(2_000)}`,
    `insert into privacy_state values (true, 0)`,
    `insert into replays (id, since, after_id, until_id, total, begun_at, ended_at) select 'rpl_' || n, now(), 0, 0, 0, ${ago(5_000)}, ${ago(5_000)} from ${share(5_000)}`,
    `insert into daily_caps select 'instance:' || i, now() - n * interval '1 day', now() - (n - 1) * interval '1 day', 1000, 10, null from unnest(array['${MAIN}', 'i-7']) i, generate_series(1, 30) n`,
    `insert into api_keys (id, name, hash, scopes, created_at, created_by)
      select 'key_' || n, 'key-' || n, ${hash('k')}, '["read"]'::json, now(), 'ops' from generate_series(1, 50) n`,
  ];
}
