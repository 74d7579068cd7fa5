/** Which messages belong to a recipient whose chat a witness shows in another form. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chatForms,
  decide,
  isPossiblyInChat,
  listedItem,
  recipientKey,
  type Observation,
} from '../../src/domain/index.js';
import { aQuestion, item, OLDER, reading, RECONCILE_AFTER, TEXT } from './question.js';
import { ID, inJournal, inNotice, inQueue } from './witnesses.js';
import { runs } from '../support/runs.js';

const LID = '98765432101234@lid';
const WRITERS: readonly ((digits: string) => string | number)[] = [
  (digits) => `${digits}@c.us`,
  (digits) => `${digits}:3@c.us`,
  (digits) => `${digits}@C.US`,
  (digits) => `${digits}@s.whatsapp.net`,
  (digits) => `${digits}.0:12@s.whatsapp.net`,
  (digits) => ` ${digits}@c.us `,
  (digits) => digits,
  (digits) => Number(digits),
];
const digit = (least: number, most: number) => fc.integer({ min: least, max: most }).map(String);
const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`));
/** Numbers of countries with an optional digit, and of others. */
const numbers = fc.oneof(
  fc.tuple(fc.constant('52'), digit(2, 9), digits(9)),
  fc.tuple(fc.constant('54'), digit(1, 8), digits(9)),
  fc.tuple(fc.constant('5511'), digit(6, 9), digits(7)),
  fc.tuple(fc.constant('49151'), digits(8)),
  fc.tuple(fc.constant('1555'), digits(7)),
  fc.tuple(fc.constant('6281'), digits(9)),
);
const chatIds = numbers.map((parts) => `${parts.join('')}@c.us`);
/** A chat id, and another form in which a witness shows it. */
const shownForms = fc.tuple(chatIds, fc.nat(), fc.constantFrom(...WRITERS)).chain(([chatId, place, write]) =>
  fc.constantFrom(...chatForms(chatId)).map((posted) => {
    const forms = chatForms(chatId);
    return { posted, shown: write((forms[place % forms.length] ?? chatId).slice(0, -5)) };
  }),
);

function seenAs(shown: string | number): Observation[] {
  const notice = inNotice(TEXT, {}, { senderData: { chatId: shown } });
  if (notice === undefined) throw new Error('a notification is an observation');
  return [inQueue(TEXT, { chatId: shown }), inJournal(TEXT, { chatId: shown }), notice];
}

function decisionOn(posted: string, observation: Observation, lids = new Map<string, string>()) {
  const question = aQuestion({ observations: [observation], lids, nowMs: RECONCILE_AFTER + 3_600_000 });
  return decide({ ...question, attempt: { ...question.attempt, chatId: posted } });
}

describe('a message of the recipient', () => {
  test('is adopted in every form of the chat id, and is never excluded', () => {
    fc.assert(
      fc.property(shownForms, ({ posted, shown }) => {
        for (const observation of seenAs(shown)) {
          expect(decisionOn(posted, observation)).toMatchObject({ kind: 'adopt', idMessage: ID });
        }
        expect(isPossiblyInChat(posted, String(shown))).toBe(true);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('is adopted in a chat whose lid is known to belong to the number, and the other way round', () => {
    const posted = '5215512345678@c.us';
    const lids = new Map([[LID, recipientKey(posted)]]);
    for (const observation of seenAs(LID)) {
      expect(decisionOn(posted, observation, lids)).toMatchObject({ kind: 'adopt', idMessage: ID });
    }
    for (const observation of seenAs(posted)) {
      expect(decisionOn(LID, observation, lids)).toMatchObject({ kind: 'adopt', idMessage: ID });
    }
  });
});

describe("another recipient's message", () => {
  test('is never adopted, and is no possible match', () => {
    fc.assert(
      fc.property(chatIds, shownForms, (posted, other) => {
        fc.pre(recipientKey(posted) !== recipientKey(other.posted));
        for (const observation of seenAs(other.shown)) {
          expect(decisionOn(posted, observation)).toMatchObject({ kind: 'undecided', possible: [] });
        }
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('is not adopted by a lid that is known to belong to another number', () => {
    const lids = new Map([[LID, '4915112345678@c.us']]);
    for (const observation of seenAs(LID)) {
      expect(decisionOn('15551234567@c.us', observation, lids)).toMatchObject({ kind: 'undecided', possible: [] });
    }
  });
});

describe('a message in the chat of an unknown lid', () => {
  const posted = '15551234567@c.us';

  test('is not adopted, and is shown as a possible match, once', () => {
    const all = seenAs(LID);
    const question = aQuestion({ observations: all, nowMs: RECONCILE_AFTER + 3_600_000 });
    expect(decide({ ...question, attempt: { ...question.attempt, chatId: posted } })).toMatchObject({
      kind: 'undecided',
      possible: [{ idMessage: ID, chatId: LID, witness: 'showMessagesQueue' }],
    });
  });

  test('is a possible match of a message to a lid if it shows a number', () => {
    for (const observation of seenAs(posted)) {
      expect(decisionOn(LID, observation)).toMatchObject({ possible: [{ idMessage: ID, chatId: posted }] });
    }
  });

  test.each<[string, Observation | undefined]>([
    ['it has another text', inNotice({ ...TEXT, text: 'other' }, {}, { senderData: { chatId: LID } })],
    ['it quotes a message', inNotice({ ...TEXT, quotedMessageId: 'Q' }, {}, { senderData: { chatId: LID } })],
    ['it is older than the claim', inNotice(TEXT, {}, { senderData: { chatId: LID }, timestamp: 1_700_000_000 })],
    ['it was sent from the phone', inJournal(TEXT, { chatId: LID, sendByApi: false })],
    ['it is in a group', inJournal(TEXT, { chatId: '120363000000000001@g.us' })],
  ])('is no possible match if %s', (_, observation) => {
    if (observation === undefined) throw new Error('not an observation');
    expect(decisionOn(posted, observation)).toMatchObject({ kind: 'undecided', possible: [] });
  });

  test('shows at most five possible matches', () => {
    const observations = Array.from({ length: 200 }, (_, at) => inJournal(TEXT, { chatId: LID, idMessage: `ID${at}` }));
    const decision = decide({ ...aQuestion({ observations, nowMs: RECONCILE_AFTER }) });
    expect(decision).toMatchObject({ possible: { length: 5 } });
  });

  test('prevents a proof of absence, even if the lid is known to belong to another number', () => {
    const listing = listedItem({ messageID: 'B', type: 'sendMessage', body: { chatId: LID, message: 'x' } });
    const readings = [reading([item('OLDER'), listing])];
    for (const lids of [new Map<string, string>(), new Map([[LID, '4915112345678@c.us']])]) {
      expect(decide(aQuestion({ readings, known: OLDER, lids }))).toMatchObject({ why: 'unaccounted_item_in_queue' });
    }
  });
});
