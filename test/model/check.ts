/**
 * The invariants of every world, and the invariants once nothing more happens by itself.
 *
 * Rows with equal chat, kind and text are counted together: their messages cannot be told apart at the phone or by a
 * witness, so the ids of two of them may be exchanged.
 */
import { idOfAttempt, receiptsOf, type Item, type Row, type Scenario, type World } from './world.js';

/** @returns an invariant that is violated now, and stays violated */
export function alwaysWrong(world: World): string | undefined {
  if (world.violation !== '') return world.violation;
  for (const [number, row] of world.rows.entries()) {
    const equals = world.rows.filter((other) => isIdentical(world, row, other));
    const wanted = equals.filter(({ state }) => state !== 'cancelled' && state !== 'suppressed').length;
    const taken = [...world.queue, ...world.phone].filter((item) => equals.includes(world.rows[item.row]!)).length;
    if (taken > equals.length) return `row ${number} is sent twice: ${taken} times for ${equals.length}`;
    if (taken > wanted) return `row ${number} is ${row.state} and was taken all the same`;
    const { idMessage } = row;
    const other = world.rows.findIndex((one, at) => at !== number && idMessage !== '' && one.idMessage === idMessage);
    if (other !== -1) return `rows ${number} and ${other} both claim ${idMessage}`;
  }
  return undefined;
}

/** Checks a world in which every fair step has happened. */
export function wrongAtTheEnd(world: World, scenario: Scenario): string | undefined {
  for (const [number, row] of world.rows.entries()) {
    const wrong = wrongWith(row, number, world, scenario);
    if (wrong !== undefined) return `row ${number} ${wrong}`;
  }
  return undefined;
}

function wrongWith(row: Row, number: number, world: World, scenario: Scenario): string | undefined {
  switch (row.state) {
    case 'pending':
    case 'sending':
    case 'unknown':
      return `is lost: still ${row.state} when nothing more happens`;
    case 'unresolved':
      return wrongWithUnresolved(row, number, world, scenario);
    case 'accepted':
      return wrongWithAccepted(row, number, world, scenario);
    case 'cancelled':
    case 'suppressed':
      return undefined;
  }
}

function wrongWithUnresolved(row: Row, number: number, world: World, scenario: Scenario): string | undefined {
  for (const [attempt, { row: owner, responded }] of world.attempts.entries()) {
    if (owner !== number || !responded) continue;
    const taker = world.ids.find(({ id }) => id === idOfAttempt(attempt))?.row;
    const hasChangedPlaces = taker !== undefined && taker !== number && isIdentical(world, row, world.rows[taker]!);
    if (!hasChangedPlaces) return 'is unresolved although it was answered';
  }
  if (!row.mayBeUnresolved) return 'is unresolved although nothing happened to it';
  const unresolved = world.rows.filter(
    (other) => other.state === 'unresolved' && isIdentical(world, row, other),
  ).length;
  const ownerless = world.phone.filter(
    (item) => looksLike(world, item, row) && world.rows.every(({ idMessage }) => idMessage !== item.id),
  );
  const allCame = scenario.notices !== false && scenario.faults.dropNotice === undefined;
  return allCame && ownerless.length >= unresolved ? 'is unresolved although its notification came' : undefined;
}

function wrongWithAccepted(row: Row, number: number, world: World, scenario: Scenario): string | undefined {
  const claimed = world.rows.filter((other) => other.state === 'accepted' && isIdentical(world, row, other)).length;
  const taken = [...world.phone, ...world.cleared].filter((item) => looksLike(world, item, row)).length;
  if (taken < claimed) return `is called accepted, but of ${claimed} such messages the gateway took ${taken}`;
  const received = world.phone.filter((item) => item.row === number);
  if (received.length > 0 && received.every(({ text }) => text !== row.text))
    return 'shows a text that no one received';
  const hasReceipts = scenario.notices !== false && scenario.faults.dropNotice === undefined;
  const isOut = world.phone.some(({ id, row: owner }) => id === row.idMessage && owner >= 0);
  if (hasReceipts && isOut && row.level !== receiptsOf(scenario))
    return `was delivered, and its receipts say ${row.level}`;
  return undefined;
}

/** The posted text, or before a post the text that would be posted. */
function postedText(world: World, row: Row): string {
  return world.attempts[row.attempt]?.text ?? row.text;
}

function isIdentical(world: World, one: Row, other: Row): boolean {
  return postedText(world, one) === postedText(world, other) && one.chat === other.chat && one.kind === other.kind;
}

function looksLike(world: World, item: Item, row: Row): boolean {
  return item.row >= 0 && item.text === postedText(world, row) && item.chat === row.chat && item.kind === row.kind;
}
