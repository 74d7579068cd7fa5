/** Recipients who get no messages, and erased recipients. */
export const SUPPRESSIONS = `
    -- Rows are never deleted: a removed entry keeps the time and the reason.
    create table suppressions (
      id text primary key,
      instance text,
      chat_id text not null,
      scope text not null check (scope in ('marketing', 'all')),
      source text not null check (source in ('stop_word', 'operator', 'import')),
      since timestamptz not null,
      recorded_at timestamptz not null,
      word text,
      id_message text,
      note text,
      removed_at timestamptz,
      removed_by text check (removed_by in ('start_word', 'operator')),
      removed_word text,
      removed_id_message text,
      constraint suppressions_check check ((removed_at is null) = (removed_by is null)),
      constraint suppressions_check1 check ((source <> 'stop_word') or ((instance is not null)
        and (id_message is not null)))
    );
    create index suppressions_newest on suppressions (recorded_at desc, id desc);
    create unique index suppressions_wishes on suppressions (coalesce(instance, ''), chat_id, source, scope)
    where source <> 'stop_word' and removed_at is null;
    -- A repeated notification of a word adds no entry. An entry of an operator or a file is unique while it is active.
    create unique index suppressions_words on suppressions (instance, id_message) where source = 'stop_word';

    create table suppressed_chats (
      chat_id text not null,
      suppression_id text not null references suppressions (id),
      primary key (chat_id, suppression_id)
    );
    create index suppressed_chats_of on suppressed_chats (suppression_id);

    create table start_words (
      instance text not null,
      id_message text not null,
      chat_id text not null,
      word text not null,
      at timestamptz not null,
      primary key (chat_id, instance, id_message)
    );

    create table known_lids (
      lid text primary key,
      recipient_key text not null,
      chat_id text not null,
      learned_at timestamptz not null,
      seen_at timestamptz not null,
      source text not null check (source in ('group', 'notification'))
    );
    create index known_lids_of_recipient on known_lids (recipient_key);

    create table possible_opt_outs (
      id text collate "C" primary key,
      instance text not null,
      id_message text not null,
      chat_id text not null,
      recipient_key text not null,
      text text,
      text_hash text not null,
      word text not null,
      language text not null,
      at timestamptz not null,
      recorded_at timestamptz not null,
      state text not null check (state in ('open', 'accepted', 'dismissed', 'repeated')),
      first_id text collate "C",
      decided_by text,
      decided_at timestamptz,
      suppression_id text,
      constraint possible_opt_outs_message unique (instance, id_message)
    );
    create unique index possible_opt_outs_open on possible_opt_outs (instance, recipient_key) where state = 'open';
    create index possible_opt_outs_newest on possible_opt_outs (recorded_at desc, id desc) where state <> 'repeated';
    create index possible_opt_outs_repeated on possible_opt_outs (first_id) where first_id is not null;
    create index possible_opt_outs_of_recipient on possible_opt_outs (recipient_key);
    create index possible_opt_outs_of_chat on possible_opt_outs (chat_id);

    -- Erasures of recipients, and what remains of an erased number: a hash with a key of this ledger's own.
    create table erasures (
      id text collate "C" primary key,
      chat_id text,
      requested_by text not null,
      requested_at timestamptz not null,
      ended_at timestamptz,
      rows json not null default '{}',
      waiting json not null default '{}',
      kept json not null default '{}',
      check ((chat_id is null) = (ended_at is not null))
    );
    create index erasures_open on erasures (requested_at) where ended_at is null;
    create table erased_chats (
      chat_hash text not null,
      erasure_id text collate "C" not null references erasures (id),
      primary key (chat_hash, erasure_id)
    );
    create table privacy_state (
      keeps_hashes boolean not null default false,
      notifications_checked bigint not null default 0
    );
    -- See ledger_identity_one.
    create unique index privacy_state_one on privacy_state ((true)) include (keeps_hashes);
`;
