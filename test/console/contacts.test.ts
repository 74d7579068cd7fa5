/** The inbox, a conversation, and the page of a contact. */
import { describe, expect, it } from 'vitest';
import { CONTACT, aNotification, aReceivedText, receive } from '../support/receive.js';
import { aCampaign, aMessage } from './cast.js';
import { aConsole, aConsoleWithKeys, aReader, hiddenFields, type Console } from './console-parts.js';

const CHAT = `/inbox/main/${encodeURIComponent(CONTACT)}`;
const PAGE = `/contacts?to=${encodeURIComponent(CONTACT)}`;
const clock = { nowMs: () => Date.now() };

const hears = ({ ledger }: Console, ...bodies: readonly object[]) => receive({ ledger, clock }, ...bodies);

async function unread({ ledger }: Console): Promise<number> {
  return (await ledger.conversations.list({ instances: ['main'], unread: true })).items.length;
}

describe('the inbox', () => {
  it('lists who wrote, what, and when, and leads to the chat', async () => {
    const console = await aConsole();
    const browser = console.browser();
    expect((await browser.open('/inbox')).html).toContain('No contact has written yet.');
    await hears(console, aReceivedText('Are you open today?'));
    const { html } = await browser.open('/inbox');
    expect(html).toContain('Ann (+15557770001)');
    expect(html).toContain('Are you open today?');
    expect(html).toContain(`href="${CHAT}"`);
    expect(html).toContain('>Unread</span>');
    expect((await browser.open('/inbox?unread=true&instance=main')).html).toContain('Ann');
  });

  it('marks a chat as read from the list, and shows the unread ones alone', async () => {
    const console = await aConsole();
    const browser = console.browser();
    await hears(console, aReceivedText('Hello'));
    const { location } = await browser.fill('/inbox?unread=true', `${CHAT}/read`);
    expect(location).toBe('/inbox?unread=true&done=read');
    expect((await browser.open('/inbox?unread=true')).html).toContain('Everything is read.');
    expect((await browser.open('/inbox')).html).not.toContain('>Unread</span>');
  });

  it.each([
    ['accept', 'accepted', 1],
    ['dismiss', 'dismissed', 0],
  ])('lets an operator %s a possible opt-out in place', async (command, done, entries) => {
    const console = await aConsole();
    const browser = console.browser();
    await hears(console, aReceivedText('please stop writing to me'));
    const { html } = await browser.open('/inbox');
    const [, id] = /\/opt-outs\/(pos_\w+)\/accept/.exec(html) ?? [];
    const { location } = await browser.fill('/inbox', `/opt-outs/${id}/${command}`);
    expect(location).toBe(`/inbox?done=${done}`);
    expect((await console.ledger.suppressions.list({})).items).toHaveLength(entries);
    expect((await browser.open('/inbox')).html).not.toContain('/opt-outs/');
  });
});

describe('a chat', () => {
  it('is read once a reader who may reply opens it', async () => {
    const console = await aConsoleWithKeys();
    await hears(console, aReceivedText('Hello'));
    const reader = await aReader(console, ['read']);
    const seen = await reader.browser.open(CHAT);
    expect([seen.status, seen.html.includes('name="text"'), await unread(console)]).toEqual([200, false, 1]);
    const sender = await aReader(console, ['read', 'send']);
    expect((await sender.browser.open(CHAT)).status).toBe(200);
    expect(await unread(console)).toBe(0);
  });

  it('is answered with an urgent message of its account, once', async () => {
    const console = await aConsole();
    await hears(console, aReceivedText('Are you open today?'));
    const browser = console.browser();
    const fields = { ...hiddenFields((await browser.open(CHAT)).html, `${CHAT}/reply`), text: 'Yes, until six.' };
    for (let time = 0; time < 2; time += 1) {
      expect((await browser.submit(`${CHAT}/reply`, fields)).location).toBe(`${CHAT}?done=replied`);
    }
    const { items } = await console.ledger.views.messages({});
    expect(items).toMatchObject([
      { instance: 'main', chatId: CONTACT, priority: 'urgent', content: { kind: 'text', text: 'Yes, until six.' } },
    ]);
    const { html } = await browser.open(CHAT);
    expect(html.indexOf('Yes, until six.')).toBeLessThan(html.indexOf('Are you open today?'));
  });

  it('keeps a reply that was refused', async () => {
    const console = await aConsole();
    await hears(console, aReceivedText('Hello'));
    const text = 'x'.repeat(20_001);
    const { status, html } = await console.browser().fill(CHAT, `${CHAT}/reply`, { text });
    expect([status, html.includes(`${text}</textarea>`)]).toEqual([422, true]);
    expect(html).toContain('id="text-problem"');
  });

  it('says what is missing while Temporal is away and the phone is to be marked', async () => {
    const console = await aConsole();
    await hears(console, aReceivedText('Hello'));
    const { status, html } = await console.browser().fill(CHAT, `${CHAT}/read-on-phone`);
    expect([status, html.includes('role="alert"')]).toEqual([503, true]);
  });

  it('is not shown to a key of another account', async () => {
    const console = await aConsoleWithKeys();
    await hears(console, aReceivedText('Private'));
    const { browser } = await aReader(console, ['read', 'send'], ['other']);
    for (const path of ['/inbox', CHAT, PAGE]) {
      expect([path, (await browser.open(path)).html.includes('Private')]).toEqual([path, false]);
    }
    expect(await unread(console)).toBe(1);
  });

  it('shows what arrives while it is open, and marks it as read', async () => {
    const console = await aConsole();
    await hears(console, aReceivedText('one'));
    const stream = await console.browser().follow(CHAT);
    expect(await stream.next()).toContain('one');
    stream.leave();
    await hears(console, aReceivedText('two'));
    const again = await console.browser().follow(CHAT);
    expect(await again.next()).toContain('two');
    expect(await unread(console)).toBe(0);
    again.leave();
  });
});

describe('a contact', () => {
  it('is found by any spelling of the number, with everything in plain sentences', async () => {
    const console = await aConsole();
    const id = await aMessage(console, 'Your table is booked.', CONTACT);
    await console.call('POST', `/v1/messages/${id}/edits?timeoutMs=0`, { text: 'Your table is free.' });
    await hears(
      console,
      aReceivedText('Thank you'),
      aNotification('incomingCall', { idMessage: 'C1', from: CONTACT, status: 'missed' }),
      aReceivedText('STOP'),
      aReceivedText('START', { timestamp: 1_780_000_001 }),
    );
    const { browser } = console;
    for (const to of ['+1 (555) 777-0001', '15557770001', CONTACT]) {
      const { status, html } = await browser().open(`/contacts?to=${encodeURIComponent(to)}`);
      expect([to, status]).toEqual([to, 200]);
      for (const said of [
        'Your table is free.',
        'Edit to “Your table is free.”',
        'Ann wrote, to main',
        'The contact called main, and nothing answered',
        'On the suppression list for marketing messages from main: wrote STOP.',
        'Gets marketing messages from main again: wrote START.',
        `href="/messages/${id}"`,
        `href="${CHAT}"`,
      ]) {
        expect([to, said, html.includes(said)]).toEqual([to, said, true]);
      }
    }
    const national = await browser().open('/contacts?to=555%20777%200001&country=us');
    expect(national.html).toContain('Thank you');
  });

  it('says what is wrong with a number, and keeps it', async () => {
    const { status, html } = await (await aConsole()).browser().open('/contacts?to=12');
    expect([status, html.includes('id="to-problem"'), html.includes('value="12"')]).toEqual([422, true, true]);
  });

  it('names the campaigns whose messages it got', async () => {
    const console = await aConsole();
    await aCampaign(console);
    const id = await aMessage(console, 'Hello', '15551234567');
    const { html } = await console.browser().open('/contacts?to=15551234567');
    expect(html).toContain(`/messages/${id}`);
  });

  it('is suppressed by its page', async () => {
    const console = await aConsole();
    const browser = console.browser();
    const { location } = await browser.fill(PAGE, '/contacts/suppress', { scope: 'all', note: 'by phone' });
    expect(location).toBe(`${PAGE}&done=suppressed`);
    const { html } = await browser.open(PAGE);
    expect(html).toContain('Gets no messages.');
    expect(html).toContain('On the suppression list for all messages: an operator (by phone).');
    expect(html).not.toContain('/contacts/suppress');
  });

  it('is erased only after a confirmation, and shows the receipt', async () => {
    const console = await aConsole();
    const browser = console.browser();
    const refused = await browser.fill(PAGE, '/contacts/erase');
    expect([refused.status, refused.html.includes('Mark the box to confirm.')]).toEqual([422, true]);
    const { location } = await browser.fill(PAGE, '/contacts/erase', { sure: 'yes' });
    expect(location).toMatch(/^\/erasures\/ers_\w+\?done=erasing$/);
    const { html } = await browser.open(location ?? '');
    expect(html).toContain('Under way');
    expect(html).not.toContain('15557770001');
    expect((await console.ledger.erasures.open()).length).toBe(1);
  });

  it('is offered to be suppressed and erased only to those who may', async () => {
    const console = await aConsoleWithKeys();
    const offered = async (scopes: Parameters<typeof aReader>[1], instances?: string[]) => {
      const { html } = await (await aReader(console, scopes, instances)).browser.open(PAGE);
      return ['/send?to=', '/contacts/suppress', '/contacts/erase'].filter((one) => html.includes(one));
    };
    expect(await offered(['read'])).toEqual([]);
    expect(await offered(['read', 'send'])).toEqual(['/send?to=', '/contacts/suppress']);
    expect(await offered(['read', 'admin'])).toEqual(['/contacts/erase']);
    expect(await offered(['read', 'admin'], ['main'])).toEqual([]);
  });
});

const HOSTILE = `<script>alert("x")</script>'"><img src=x onerror=alert(1)>`;

it('hostile names, texts, files and links are shown as text', async () => {
  const console = await aConsole();
  const senderData = { chatId: CONTACT, senderName: HOSTILE, chatName: HOSTILE };
  const fileMessageData = { fileName: HOSTILE, downloadUrl: 'javascript:alert(1)', caption: HOSTILE };
  const messageData = { typeMessage: 'imageMessage', fileMessageData };
  await hears(console, aReceivedText(HOSTILE, { senderData }), aReceivedText('', { senderData, messageData }));
  const asked = encodeURIComponent(HOSTILE);
  const paths = ['/inbox', CHAT, PAGE, `/contacts?to=${asked}&country=${asked}`, `/inbox?instance=${asked}`];
  for (const path of [...paths, `/inbox?cursor=${asked}`, `/inbox/${asked}/${asked}`, `/erasures/${asked}`]) {
    const { html, status } = await console.browser().open(path);
    expect([
      path,
      status < 500,
      html.includes('<script>alert'),
      html.includes('<img'),
      /href="javascript:/.test(html),
    ]).toEqual([path, true, false, false, false]);
  }
});
