import { describe, expect, it } from 'vitest';
import {
  EDIT_STATES,
  MESSAGE_STATES,
  type EditId,
  type EditState,
  type MessageId,
  type ShownMessage,
} from '../../src/contract/index.js';
import { messageDetails, sendSummary, type MessageSubject } from '../../src/workflows/web-ui.js';

const EXPIRES = '2026-03-02T12:00:00.000Z';
const SUBJECT: MessageSubject = { id: 'msg_a' as MessageId, instance: 'main', kind: 'text', expiresAt: EXPIRES };

/** The facts of a run by their names. */
function shown(row: Partial<ShownMessage> | undefined, edit?: Pick<ShownEdit, 'state'> & Partial<ShownEdit>) {
  const whole = row && { id: SUBJECT.id, state: 'pending' as const, expiresAt: EXPIRES, hasEnded: false, ...row };
  const text = messageDetails(SUBJECT, whole, edit && { id: 'edt_a' as EditId, ...edit });
  const facts = text.split('\n').slice(2);
  return Object.fromEntries(
    facts.map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, 3),
    ),
  );
}

interface ShownEdit {
  readonly state: EditState;
  readonly via: 'before_send' | 'gateway';
}

describe('the details of a message’s run', () => {
  it.each(MESSAGE_STATES)('say of a message that is %s what was asked and what happened', (state) => {
    const facts = shown({ state });
    expect(facts).toMatchObject({ Asked: 'send a text through main', Happened: expect.stringMatching(/\w/) });
    expect(facts['State']).toContain(`**${state}**`);
  });

  it.each([undefined, { state: 'pending' }, { state: 'sending' }, { state: 'unknown' }] as const)(
    'of a wait (%j) say what it waits for and until when, and where the present state is',
    (row) => {
      expect(shown(row)).toMatchObject({
        State: `**${row?.state ?? 'pending'}** when this wait began`,
        'State now': '`everpost message show msg_a`',
        'Waits for': expect.stringContaining('the dispatcher of main'),
        Until: `not posted after ${EXPIRES}`,
      });
    },
  );

  it('of an accepted message say until when its receipt can come', () => {
    expect(shown({ state: 'accepted', acceptedAt: '2026-03-01T12:00:00.000Z' })).toMatchObject({
      'Waits for': 'the receipt that it was sent',
      Until: '2026-03-02T12:15:00.000Z',
    });
    expect(shown({ state: 'accepted', hasEnded: true })).not.toHaveProperty('Waits for');
  });

  it('of an unresolved message name the command that ends its wait', () => {
    const facts = shown({ state: 'unresolved', reason: 'no_witness' });
    expect(facts).toMatchObject({ Reason: 'no_witness', Until: 'no limit' });
    expect(facts['Waits for']).toContain('`everpost message resolve msg_a --as accepted`');
  });

  it.each(EDIT_STATES)('say what became of an edit that is %s', (state) => {
    expect(shown({ state: 'delivered' })).not.toHaveProperty('Newest edit');
    expect(shown({ state: 'delivered' }, { state })['Newest edit']).toMatch(/\w/);
  });

  it('say whether the text was replaced before it was posted', () => {
    const newest = (via: ShownEdit['via']) => shown({ state: 'sent' }, { state: 'edited', via })['Newest edit'];
    expect(newest('before_send')).toBe('**edited** before the message was posted');
    expect(newest('gateway')).toBe('**edited**: the phone shows the new text');
  });
});

describe('the timeline of a message’s run', () => {
  it('says through which account it is sent, and until when', () => {
    expect(sendSummary(SUBJECT, undefined)).toBe(
      'through main, until it is sent; not posted after 2026-03-02 12:00 UTC',
    );
    const { expiresAt: _, ...unknown } = SUBJECT;
    expect(sendSummary(unknown, undefined)).toBe('through main, until it is sent');
  });

  it('says that a message is unresolved', () => {
    expect(sendSummary(SUBJECT, 'unresolved')).toMatch(/^unresolved: until/);
  });
});
