/** What a run of a statement cost. */
export interface Cost {
  /** Without the numbers of its parameters. */
  readonly text: string;
  /** Blocks of tables and indexes, and of temporary files, that were read, from memory or from disk. */
  readonly blocks: number;
  /** Rows that it returned or changed. */
  readonly rows: number;
  /** Tables that grow, of which it read every block, or every one up to the row that it needed. */
  readonly scanned: readonly string[];
}

interface Limit {
  /** A part of its text, without numbers. */
  readonly says: RegExp;
  readonly mostBlocks: number;
  /** Whether it may scan tables that grow. @default false */
  readonly mayScan?: boolean;
  /** Continues "it". */
  readonly why: string;
}

/** A common statement may read these blocks, and more for each row that it returns or changes. */
const COMMON = { blocks: 1_000, blocksOfARow: 40 };

/** The statements that may read more, each with its own limit and the reason. */
const LIMITS: readonly Limit[] = [
  {
    says: /^\/\* (?:instances_to_wake|instances_unresolved|instances_without_receipt|queues_to_read|metrics_queues|metrics_due|unwell_instances) /,
    mostBlocks: 4_000,
    why: 'reads each of 200 instances',
  },
  {
    says: /^\/\* (?:event_endpoints|metrics_events) /,
    mostBlocks: 15_000,
    why: 'counts up to 10,000 waiting deliveries of each endpoint',
  },
  {
    says: /^\/\* sensitive_messages /,
    mostBlocks: 5_000,
    why: 'finds the messages of up to 500 notifications',
  },
  {
    says: /^\/\* amendment_(?:windows|standings|progress) /,
    mostBlocks: 5_000,
    mayScan: true,
    why: 'reads the edits of a campaign, or all edits if they are fewer than its messages',
  },
  {
    says: /from notifications where received_at >= \$::timestamptz and (?:true|"instance" = \$) group by/,
    mostBlocks: 10_000,
    why: 'counts the notifications of a day',
  },
  {
    says: /^\/\* dispatch_claim /,
    mostBlocks: 8_000,
    why: 'selects and claims up to a window of messages of several instances',
  },
  {
    says: /^\/\* (?:claim_events|record_deliveries) /,
    mostBlocks: 10_000,
    why: 'passes the dead index entries of failed tries, up to the next vacuum',
  },
  {
    says: /update due_messages d set expires_at/,
    mostBlocks: 4_000,
    // Of few due rows, for a part of 1,000.
    mayScan: true,
    why: 'reads the messages of one part, whether or not it changes them',
  },
  {
    says: /^select "m"\.\*, "c"\."highest_offset_ms".* order by "m"\."created_at" desc, "m"\."id" desc limit/,
    mostBlocks: 30_000,
    why: 'passes the 20,000 newest messages, which have not reached a common state yet',
  },
  {
    says: /^\/\* notification_history /,
    mostBlocks: 60_000,
    why: "reads the instance's messages of a day, for an unknown message that may be presumed absent",
  },
  {
    says: /^(?:insert into daily_caps|select coalesce\( ?\(select posted) .*select count\(\*\)::integer from message_ids i join messages m/,
    mostBlocks: 60_000,
    why: 'counts the posts of a day, once a day and stream with a cap, and on the page of a plan',
  },
  {
    says: /^select m\.id from messages m where m\.id = any|^delete from "(?:attempts|evidence|message_ids|edits|campaign_responses)" where message_id = any/,
    mostBlocks: 2_000,
    // Of a small table, such as that of edits.
    mayScan: true,
    why: 'reads 200 old messages, whether or not it deletes them',
  },
  {
    says: /^with doubt as materialized .* delete from "known_lids"/,
    mostBlocks: 80_000,
    mayScan: true,
    why: 'searches the messages of each old lid, once an hour',
  },
  {
    says: /^with doubt as materialized .* delete from/,
    mostBlocks: 4_000,
    mayScan: true,
    why: 'reads a table that it keeps small, once an hour',
  },
  {
    says: /request_hash like 'enc:%'/,
    mostBlocks: 2_000,
    mayScan: true,
    why: 'reads the operations of a month, once an hour',
  },
  {
    says: /^insert into replays/,
    mostBlocks: 40_000,
    mayScan: true,
    why: 'counts what a replay applies, once for each',
  },
  {
    says: /^delete from event_deliveries where endpoint_id/,
    mostBlocks: 40_000,
    mayScan: true,
    why: 'ends the deliveries of an endpoint that an operator deletes',
  },
  {
    says: /t\.ctid >= \$::tid and t\.ctid < \$::tid/,
    mostBlocks: 60_000,
    why: 'reads each table once an erasure, a thousand blocks at a time',
  },
  {
    says: /select distinct instance from messages where state in .* ~ \$|(?:update|with known as).* suppress(?:ions|ed_chats)|update recipient(?:s|_rejects) set chat_id|delete from events where message_id/,
    mostBlocks: 20_000,
    mayScan: true,
    why: 'searches a recipient, once an erasure',
  },
];

/** Why a statement may read more than others. */
export function reasonOf({ text }: Pick<Cost, 'text'>): string | undefined {
  return LIMITS.find(({ says }) => says.test(text))?.why;
}

const MORE_THAN_ANY = 1_000_000;

/** How much a run read of what it may read: more than 1 is too much, and so is any scan that it may not do. */
export function loadOf({ text, blocks, rows, scanned }: Cost): number {
  const own = LIMITS.find(({ says }) => says.test(text));
  const load = blocks / Math.max(own?.mostBlocks ?? 0, COMMON.blocks + COMMON.blocksOfARow * rows);
  return scanned.length > 0 && own?.mayScan !== true ? load + MORE_THAN_ANY : load;
}
