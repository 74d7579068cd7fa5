/** One entry of what happened with a contact, in plain sentences. */
import type { Child } from 'hono/jsx';
import type { ApiResponse } from '../../http-client/index.js';
import { Pill } from '../elements.js';
import { shortText } from './messages.js';
import { OptOut } from './suppression.js';
import type { Reader } from '../reader.js';
import { time } from '../times.js';
import { MESSAGE_WORDS, editWords } from '../words.js';

type Item = ApiResponse<'listTimeline'>['items'][number];
type Of<Kind extends Item['kind']> = Extract<Item, { readonly kind: Kind }>;
type Received = NonNullable<ApiResponse<'listChats'>['items'][number]['last']>;

/**
 * Newest first.
 * @param back  the path of the page, to which its actions lead back
 */
export function Timeline({ reader, items, back }: { reader: Reader; items: readonly Item[]; back: string }) {
  return (
    <ol class="timeline">
      {items.map((item) => (
        <Entry reader={reader} item={item} back={back} />
      ))}
    </ol>
  );
}

function Entry({ reader, item, back }: { reader: Reader; item: Item; back: string }) {
  switch (item.kind) {
    case 'message':
      return <Sent reader={reader} item={item} />;
    case 'received': {
      const { what, type = '', name = 'The contact', instance, at } = item;
      const called = `${name} called ${instance}${CALLS.get(type) ?? ''}`;
      return (
        <Line
          reader={reader}
          at={at}
          side="in"
          says={what === 'call' ? called : `${name} ${doing(item)}, to ${instance}`}
        >
          <Content received={item} />
        </Line>
      );
    }
    case 'phone':
      return (
        <Line reader={reader} at={item.at} side="out" says={`The phone of ${item.instance} ${doing(item)}`}>
          <Content received={item} />
        </Line>
      );
    case 'possible_opt_out':
      return <Possible reader={reader} item={item} back={back} />;
    case 'suppressed':
    case 'released':
      return <Line reader={reader} at={item.at} side="note" says={suppressionSentence(item)} />;
  }
}

interface LineProps {
  readonly reader: Reader;
  readonly at: string;
  /** From the contact, to the contact, or neither. */
  readonly side: 'in' | 'out' | 'note';
  readonly says: Child;
  readonly children?: Child;
}

function Line({ reader, at, side, says, children }: LineProps) {
  return (
    <li class={side}>
      <p class="by">
        {time(at, reader)} <span>{says}</span>
      </p>
      {children}
    </li>
  );
}

function Sent({ reader, item: { at, message } }: { reader: Reader; item: Of<'message'> }) {
  const { id, instance, state, content, postedText, campaignId, testOf, edits, reasonText, reason } = message;
  const { label, tone, meaning } = MESSAGE_WORDS[state];
  const campaign = campaignId ?? testOf;
  return (
    <Line
      reader={reader}
      at={at}
      side="out"
      says={
        <>
          {instance}
          {campaign === undefined ? '' : testOf === undefined ? ', for the campaign ' : ', a test of the campaign '}
          {campaign === undefined ? null : <a href={`/campaigns/${encodeURIComponent(campaign)}`}>{campaign}</a>}
        </>
      }
    >
      <p class="bubble">{shortText(content)}</p>
      {postedText === undefined ? null : <p class="before">Sent as: {postedText}</p>}
      {edits.map(({ state: result, via, text, requestedAt = at }) => (
        <p class="before">
          {time(requestedAt, reader)} Edit to “{text ?? ''}”: {editWords({ state: result, via })}
        </p>
      ))}
      <p class="end">
        <Pill tone={tone}>{label}</Pill> <span title={meaning}>{reasonText ?? reason}</span>{' '}
        <a href={`/messages/${id}`}>Story</a>
      </p>
    </Line>
  );
}

function Possible({
  reader,
  item: { at, possibleOptOut },
  back,
}: {
  reader: Reader;
  item: Of<'possible_opt_out'>;
  back: string;
}) {
  const { state, text, decidedBy } = possibleOptOut;
  if (state === 'open') return <OptOut reader={reader} optOut={possibleOptOut} back={back} />;
  const decision = state === 'accepted' ? 'It counts as an opt-out' : 'It was dismissed';
  const said = text === undefined ? 'A message' : `“${text}”`;
  const by = decidedBy && (DECISIONS.get(decidedBy) ?? decidedBy.replace('key:', ''));
  return (
    <Line
      reader={reader}
      at={at}
      side="note"
      says={`${said} may have meant STOP. ${decision}${by === undefined ? '' : ` (${by})`}.`}
    />
  );
}

function suppressionSentence({ kind, suppression }: Of<'suppressed'> | Of<'released'>): string {
  const { scope, instance, source, word, note, removedBy, removedWord } = suppression;
  const what = `${scope === 'all' ? 'all messages' : 'marketing messages'}${instance === undefined ? '' : ` from ${instance}`}`;
  if (kind === 'released') {
    const why = removedBy === 'start_word' ? `wrote ${removedWord ?? 'START'}` : 'an operator removed the entry';
    return `Gets ${what} again: ${why}.`;
  }
  const why = { stop_word: `wrote ${word ?? 'STOP'}`, operator: 'an operator', import: 'an import' }[source];
  return `On the suppression list for ${what}: ${why}${note === undefined ? '' : ` (${note})`}.`;
}

/** What a contact did, after their name. */
export function doing({ what, type = '', text, fileName }: Received): string {
  switch (what) {
    case 'edit':
      return 'edited a message';
    case 'deletion':
      return 'deleted a message';
    case 'reaction':
      return text === undefined ? 'removed a reaction' : `reacted with ${text}`;
    case 'call':
      return 'called';
    case 'message':
      return SENT_THINGS.get(type) ?? (fileName === undefined ? 'wrote' : 'sent a file');
  }
}

const DECISIONS: ReadonlyMap<string, string> = new Map([
  ['stop_word', 'a STOP followed'],
  ['start_word', 'a START followed'],
]);

const CALLS: ReadonlyMap<string, string> = new Map([
  ['pickUp', ', and the call was answered'],
  ['hangUp', ', and the call has ended'],
  ['missed', ', and nothing answered'],
  ['declined', ', and the call was declined'],
]);

const SENT_THINGS: ReadonlyMap<string, string> = new Map([
  ['imageMessage', 'sent an image'],
  ['videoMessage', 'sent a video'],
  ['audioMessage', 'sent a sound'],
  ['documentMessage', 'sent a document'],
  ['stickerMessage', 'sent a sticker'],
  ['locationMessage', 'sent a location'],
  ['contactMessage', 'sent a contact card'],
  ['contactsArrayMessage', 'sent contact cards'],
  ['pollMessage', 'sent a poll'],
  ['pollUpdateMessage', 'voted in a poll'],
]);

function Content({ received: { what, text, fileName, fileUrl } }: { received: Received }) {
  const hasText = text !== undefined && what !== 'reaction';
  return (
    <>
      {hasText ? <p class="bubble">{text}</p> : null}
      {fileUrl !== undefined && /^https?:\/\//i.test(fileUrl) ? (
        <p class="end">
          <a href={fileUrl} rel="noopener noreferrer" target="_blank">
            {fileName ?? 'Open the file'}
          </a>
        </p>
      ) : fileName === undefined ? null : (
        <p class="end">{fileName}</p>
      )}
    </>
  );
}
