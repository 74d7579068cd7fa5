/**
 * Asks the real decision code, through the real readers, about the modelled world. A disabled rule is a false input
 * here: the code under test is unchanged.
 */
import type { ClockOffset, MessageContent } from '../../src/contract/index.js';
import {
  CLOCK_MARGIN_MS,
  RESTART_WAIT_MS,
  STATUS_CHAT,
  comparableOfAttempt,
  couldBe,
  decide,
  isSame,
  journalObservation,
  noticeObservation,
  queueObservation,
  type AccountedId as Accounted,
  type Decision,
  type Observation,
  type RecordedReading,
} from '../../src/domain/index.js';
import type { Rule } from './rules.js';
import { RECONCILE_TICKS, TICK_MS, type AccountedId, type Item, type Row, type Scenario, type World } from './world.js';

const FAR_FUTURE_MS = 1e12;
const FAKE_MARKER = 'fake-marker';
const FILE_URL = 'http://files.test/a';
/** The model decides which successor counts; test/model/worlds tests how complete notifications are. */
const LONG_AGO = { claimedAtMs: Infinity, notifiedAtMs: -FAR_FUTURE_MS };
const ALL_NOTIFIED = {
  isOn: true,
  wasAlwaysAuthorized: true,
  notifiedWithinDay: Infinity,
  missingWithinDay: 0,
  isOutOfOrder: false,
  isKindNotified: true,
};

/** The decision on a row's current attempt. Without a reading: the decision from the stored notifications alone. */
export function decideRow(
  world: World,
  scenario: Scenario,
  off: (rule: Rule) => boolean,
  rowNumber: number,
  reading: { begunAt: number; items: readonly Item[]; accounted: readonly AccountedId[] } | null,
): Decision {
  const row = world.rows[rowNumber]!;
  const attempt = world.attempts[row.attempt]!;
  const reconcileAt = attempt.claimedAt + RECONCILE_TICKS;
  const content = contentOf(row, off('PROTOCOL-6.compare-with-attempt') ? row.text : attempt.text, off);
  const ours = comparableOfAttempt(row.chat, content);
  const accounted = accountedMap(reading?.accounted ?? world.ids, off);
  const items = (reading?.items ?? []).filter(isListed).map((item) => listed(item));
  const aheadTicks = scenario.gatewayAheadTicks ?? 0;
  const observations = [
    ...(scenario.journal && reading ? journalOf(world, aheadTicks) : []),
    ...noticesOf(world, aheadTicks, off),
  ];
  if (off('PROTOCOL-6.adopt-unaccounted-only')) {
    const equal = [...items, ...observations].filter(
      ({ comparable }) => comparable !== undefined && isSame(comparable, ours),
    );
    for (const { ids } of equal) for (const id of ids) accounted.delete(id);
  }
  const seen = (all: Observation[]): Observation[] => {
    const alike = off('PROTOCOL-6.adopt-equal-only')
      ? all.map((one) => (couldBe(content.kind, one) ? { ...one, comparable: ours } : one))
      : all;
    return off('PROTOCOL-6.adopt-nothing-older') ? alike.map(({ atMs: _, ...timeless }) => timeless) : alike;
  };
  const shown = seen(items).filter(
    (item) =>
      !off('PROTOCOL-6.deny-loosely') ||
      (item.comparable !== undefined && isSame(item.comparable, ours)) ||
      isKnown(item),
  );
  if (off('PROTOCOL-6.deny-behind-preceding-only')) {
    shown.unshift({ witness: 'showMessagesQueue', ids: [FAKE_MARKER], kind: 'other' });
    accounted.set(FAKE_MARKER, { acceptedSequence: -1 });
  }
  const successor = successorOf(world, rowNumber, off);
  const overMs = world.now >= scenario.ticks && world.now >= reconcileAt ? FAR_FUTURE_MS : world.now * TICK_MS;
  const reconcileAfterMs = off('PROTOCOL-3.denied-after-settle') ? 0 : reconcileAt * TICK_MS;
  return decide({
    attempt: {
      claimSequence: attempt.claimSequence,
      claimedAtMs: attempt.claimedAt * TICK_MS,
      settledAtMs: reconcileAfterMs - CLOCK_MARGIN_MS,
      reconcileAfterMs,
      chatId: row.chat,
      content,
    },
    nowMs: overMs,
    readings: reading === null ? [] : [recorded(reading.begunAt * TICK_MS, shown)],
    longestListing: Infinity,
    observations: [...shown, ...seen(observations)],
    accounted,
    gatewayOffset: offsetOf(aheadTicks, off),
    isRestarted: world.restartedAt > attempt.claimSequence && !off('PROTOCOL-6.no-restart-since-claim'),
    ...(row.mayPresume || off('PROTOCOL-6.presume-when-asked')
      ? {
          notifications: {
            ...ALL_NOTIFIED,
            hasUnexplained: world.parked.length > 0 || observations.some((one) => !isKnown(one)),
            ...(successor === undefined ? {} : { successor: { ...LONG_AGO, idMessage: successor } }),
          },
        }
      : {}),
  });

  function isKnown({ ids }: Observation): boolean {
    return ids.some((id) => accounted.has(id));
  }
}

/** Restarts are known at once here, so that no reading waits for them. */
function recorded(begunAtMs: number, items: readonly Observation[]): RecordedReading {
  return {
    sequence: Infinity,
    begunAtMs,
    endedAtMs: begunAtMs - RESTART_WAIT_MS,
    items: items.map(({ ids, kind, comparable }) => ({ ids, kind, chat: comparable?.chat ?? '' })),
  };
}

function contentOf(row: Row, text: string, off: (rule: Rule) => boolean): MessageContent {
  switch (row.kind) {
    case 'text':
      return { kind: 'text', text };
    case 'status':
      return { kind: off('PROTOCOL-6.listed-kinds-only') ? 'text' : 'status', text };
    case 'file':
      return { kind: 'file', url: FILE_URL, fileName: text };
  }
}

function accountedMap(ids: readonly AccountedId[], off: (rule: Rule) => boolean): Map<string, Accounted> {
  const sequenceOf = ({ sequence }: AccountedId) => (off('PROTOCOL-6.preceding-before-claim') ? -1 : sequence);
  return new Map(ids.map((id) => [id.id, { acceptedSequence: sequenceOf(id) }]));
}

function isListed({ kind }: Item): boolean {
  return kind !== 'status';
}

function listed({ id, chat, kind, text, reworded }: Item): Observation {
  // Other words, as a gateway may show them: never equal, whatever is normalised.
  const shown = reworded ? `${text} (shortened)` : text;
  return kind === 'file'
    ? queueObservation({
        messageID: id,
        type: 'sendFileByUrl',
        body: { chatId: chat, fileName: shown, urlFile: FILE_URL },
      })
    : queueObservation({
        messageID: id,
        type: 'sendMessage',
        body: { chatId: chat, message: shown, linkPreview: 'true' },
      });
}

/** Known to half a tick. */
function offsetOf(aheadTicks: number, off: (rule: Rule) => boolean): ClockOffset {
  const highestMs = (aheadTicks + 0.5) * TICK_MS;
  const lowestMs = (aheadTicks - 0.5) * TICK_MS;
  return { lowestMs: off('PROTOCOL-6.clock-by-its-lower-end') ? highestMs : lowestMs, highestMs };
}

function secondsThere(ticks: number, aheadTicks: number): number {
  return ((ticks + aheadTicks) * TICK_MS) / 1_000;
}

function journalOf(world: World, aheadTicks: number): Observation[] {
  return world.phone.map((item) =>
    journalObservation('lastOutgoingMessages', {
      type: 'outgoing',
      idMessage: item.id,
      chatId: chatShown(item),
      sendByApi: item.api,
      timestamp: secondsThere(item.leftAt, aheadTicks),
      ...(item.kind === 'file'
        ? { typeMessage: 'documentMessage', fileName: item.text, caption: '' }
        : { typeMessage: 'extendedTextMessage', extendedTextMessage: { text: item.text } }),
    }),
  );
}

function noticesOf(world: World, aheadTicks: number, off: (rule: Rule) => boolean): Observation[] {
  return world.stored.flatMap((item) => {
    const byApi = item.api || off('PROTOCOL-6.adopt-api-only');
    const observation = noticeObservation({
      typeWebhook: byApi ? 'outgoingAPIMessageReceived' : 'outgoingMessageReceived',
      idMessage: item.id,
      timestamp: secondsThere(item.leftAt, aheadTicks),
      senderData: { chatId: chatShown(item) },
      messageData:
        item.kind === 'file'
          ? { typeMessage: 'documentMessage', fileMessageData: { fileName: item.text, caption: '' } }
          : { typeMessage: 'textMessage', textMessageData: { textMessage: item.text } },
    });
    return observation === undefined ? [] : [observation];
  });
}

function chatShown({ kind, chat }: Item): string {
  return kind === 'status' ? STATUS_CHAT : chat;
}

/** A row that was behind the attempt in the queue and is known to be sent. */
function successorOf(world: World, rowNumber: number, off: (rule: Rule) => boolean): string | undefined {
  const ours = world.attempts[world.rows[rowNumber]!.attempt]!;
  const reconcileAt = ours.claimedAt + RECONCILE_TICKS;
  return world.rows.find((row, number) => {
    const theirs = world.attempts[row.attempt];
    if (number === rowNumber || theirs === undefined || row.state !== 'accepted' || row.level === 0) return false;
    if (off('PROTOCOL-6.successor-after-reconcile-time')) {
      return (world.ids.find(({ id }) => id === row.idMessage)?.sequence ?? 0) > ours.claimSequence;
    }
    return theirs.claimedAt >= reconcileAt;
  })?.idMessage;
}
