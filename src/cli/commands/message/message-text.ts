import { contentFacts, evidenceSentence } from '../../../domain/index.js';
import type { MessageContent } from '../../../contract/index.js';
import type { CallbackView, EditView, Evidence, MessageListItem } from '../../../ledger/index.js';
import type { MessageResponse } from '../../../client/index.js';
import { age, counted, factLines, waitingWords, words, type Column } from '../../table.js';

/** One line for a message: id, state, gateway id and reason. */
export function messageLine({ id, state, idMessage, reason, reasonText }: MessageResponse): string {
  const known = [idMessage, reason, reasonText].filter((fact) => fact !== undefined);
  return [id, state, ...known].join('  ');
}

/** Characters of an id that a list shows after the prefix. */
const SHOWN_CHARACTERS = 8;

export const MESSAGE_COLUMNS: readonly Column<MessageListItem>[] = [
  { header: 'ID', value: ({ id }) => id.slice(0, 'msg_'.length + SHOWN_CHARACTERS) },
  {
    header: 'STATE',
    value: ({ state, waiting, testOf }) => words([testOf && 'test', state, waiting && `(${waiting.code})`], ' '),
  },
  // In the form that --to accepts.
  { header: 'TO', value: ({ chatId }) => chatId?.replace('@c.us', '') },
  { header: 'INSTANCE', value: ({ instance }) => instance },
  { header: 'AGE', value: ({ createdAt }) => age(createdAt), align: 'right' },
  { header: 'TEXT', value: ({ content }) => shortText(content) },
];

/** Identifies a message in a list: its text, or a summary of its content. */
function shortText(content: MessageContent): string | undefined {
  const [first, second] = Object.values(contentFacts(content)).filter((fact) => fact !== undefined);
  return content.kind === 'template' ? words([first, second]) : first;
}

/** A message; with the earlier ones to the same recipient if it was found by its recipient. */
export type FoundMessage = MessageResponse & { readonly earlier?: readonly MessageListItem[] };

/** All lines of a message: state, attempts, edits and evidence, in order. */
export function messageStory(message: FoundMessage): string[] {
  const { earlier = [] } = message;
  const { attempts = [], edits = [], evidence = [], callbacks = [], possibleMatches = [] } = message;
  return [
    messageLine(message),
    ...factLines({
      instance: message.instance,
      to: message.chatId,
      kind: message.content?.kind,
      ...(message.content === undefined ? {} : contentFacts(message.content)),
      sensitive:
        message.textLength === undefined
          ? undefined
          : `${counted(message.textLength, 'character')} not shown, ${message.textRemovedAt === undefined ? 'removed once nothing needs them' : `removed ${message.textRemovedAt}`}`,
      'posted as': message.postedText,
      campaign: ofCampaign(message.campaignId, message.line),
      'test of campaign': ofCampaign(message.testOf, message.line),
      variant: message.variant,
      reference: message.reference,
      'requested by': message.requestedBy,
      created: message.createdAt,
      'send at': message.sendAt,
      waits: message.waiting && words([waitingWords(message), message.waiting.identical]),
      accepted: message.acceptedAt,
      'may leave until': message.mayLeaveUntil,
      unknown: message.unknown && unknownLine(message),
      unresolved: message.state === 'unresolved' ? `resolve it: ${RESOLVE(message.id)}` : undefined,
      sent: withGatewayTime(message.sentAt, message.gatewaySentAt),
      delivered: withGatewayTime(message.deliveredAt, message.gatewayDeliveredAt),
      read: withGatewayTime(message.readAt, message.gatewayReadAt),
      'editable until': message.editableUntil,
      'expires, if not accepted': message.acceptedAt === undefined ? message.expiresAt : undefined,
    }),
    ...section(
      'possible matches',
      possibleMatches.map(({ text }) => text),
    ),
    ...section(
      'attempts',
      attempts.map(({ claimedAt, outcome = 'sending', idMessage, code, httpStatus, text }) =>
        words([claimedAt, outcome, idMessage, code, httpStatus === undefined ? '' : `HTTP ${httpStatus}`, text]),
      ),
    ),
    ...section('edits', edits.map(editLine)),
    ...section('evidence', evidence.map(evidenceLine)),
    ...section('status callback', callbacks.map(callbackLine)),
    ...section(
      'earlier messages to it',
      earlier.map(({ id, state, createdAt, content }) => words([createdAt, id, state, shortText(content)])),
    ),
  ];
}

function ofCampaign(id: string | undefined, line: number | undefined): string | undefined {
  return id && words([id, line === undefined ? undefined : `line ${line}`], ', ');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}

function editLine({ id, text, requestedAt, state, via, reason, idMessageGiven, idMessageReturned }: EditView): string {
  const ids =
    idMessageGiven === undefined ? undefined : `ids ${idMessageGiven} given, ${idMessageReturned ?? 'none'} returned`;
  return words([requestedAt, state, via, JSON.stringify(text), reason, ids, id]);
}

/**
 * Marks the gateway's time as such: it comes from another clock, in whole seconds, so it may precede the line above.
 */
function evidenceLine(evidence: Evidence): string {
  const { at, detail } = evidence;
  const gatewayAt = detail?.['gatewayAt'];
  return words([
    at,
    evidenceSentence(evidence),
    typeof gatewayAt === 'string' ? gatewaySays(at, gatewayAt) : undefined,
  ]);
}

function withGatewayTime(at: string | undefined, gatewayAt: string | undefined): string | undefined {
  if (at === undefined || gatewayAt === undefined) return at;
  return `${at} (${gatewaySays(at, gatewayAt)})`;
}

/** Includes the date only if the day differs. */
function gatewaySays(at: string, gatewayAt: string): string {
  const isSameDay = at.slice(0, 10) === gatewayAt.slice(0, 10);
  return `gateway says ${isSameDay ? gatewayAt.slice(11, 19) : `${gatewayAt.slice(0, 19)}Z`}`;
}

const RESOLVE = (id: string): string => `everpost message resolve ${id} --as accepted|not_accepted`;

/** How long everpost checks the witnesses, and what it does then. */
function unknownLine({ id, unknown }: MessageResponse): string | undefined {
  if (unknown === undefined) return undefined;
  const { since, witnessesUntil, atLatest, then } = unknown;
  const [until, latest] = [timeOf(since, witnessesUntil), timeOf(since, atLatest)];
  const unresolved = `it becomes unresolved. Resolve it: ${RESOLVE(id)}`;
  const follows =
    then === 'unresolved'
      ? unresolved
      : `it is sent again if a later message is known to have left the queue; otherwise ${unresolved}`;
  return (
    "The gateway's response was lost. everpost checks the queue, journal and notifications until " +
    `${until} (at the latest ${latest}, if one of them does not respond or shows an item that may be this message). If none shows the message until then, ${follows}`
  );
}

function timeOf(since: string, at: string): string {
  return since.slice(0, 10) === at.slice(0, 10) ? `${at.slice(11, 19)}Z` : `${at.slice(0, 19)}Z`;
}

function callbackLine({ at, state, deliveredAt, givenUpAt, problem, nextTryAt }: CallbackView): string {
  const end = deliveredAt === undefined ? givenUpAt && `given up ${givenUpAt}` : `posted ${deliveredAt}`;
  return words([at, state, end, problem, nextTryAt && `next try ${nextTryAt}`]);
}
