import type { Context } from 'hono';
import type { ApiResponse } from '../../http-client/index.js';
import {
  Action,
  Confirmed,
  Empty,
  Field,
  Pager,
  Pill,
  RefusalNotice,
  chatName,
  contactPath,
  described,
} from '../elements.js';
import { COMMAND_WAIT_MS, doneAt, type Form, type Refusal } from '../form.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { Timeline } from './timeline.js';
import { chatPath } from './inbox.js';

/** One read takes about nine statements. */
const EVERY_MS = 10_000;
const MOST_SHOWN = 30;
/** One chat: what was written in it, and a reply. */
export function conversationPages(pages: Pages): void {
  pages.show('/inbox/:instance/:chatId', (c, reader) => page(c, reader), {
    everyMs: EVERY_MS,
    render: async (c, reader) => <Messages reader={reader} seen={await read(c, reader)} />,
  });

  act(pages, 'reply', async ({ api }, { instance, chatId }, { text = '', key }) => {
    const content = { kind: 'text' as const, text };
    await api.sendMessage({ body: { instance, to: chatId, content, priority: 'urgent' }, key });
    return 'replied';
  });
  act(pages, 'read', async ({ api }, { instance, chatId }, { until = '' }) => {
    await api.markChatRead({ body: { instance, to: chatId, until } });
    return 'read';
  });
  act(pages, 'read-on-phone', async ({ api }, { instance, chatId }, { key }) => {
    const body = { instance, request: { chatId } };
    const query = { wait: 'true' as const, timeoutMs: COMMAND_WAIT_MS };
    const { state } = await api.beginOperation({ method: 'readChat', body, key, query });
    return state === 'done' ? 'read-on-phone' : 'requested';
  });
}

interface Named {
  readonly instance: string;
  readonly chatId: string;
}

function named(c: Context): Named {
  return { instance: c.req.param('instance') ?? '', chatId: c.req.param('chatId') ?? '' };
}

/** @param perform  @returns what was done, for the notice */
function act(
  pages: Pages,
  command: 'reply' | 'read' | 'read-on-phone',
  perform: (reader: Reader, of: Named, form: Form) => Promise<string>,
): void {
  const form = pages.forms(page, { fieldOf: (path) => (path.startsWith('content') ? 'text' : path) });
  form(`/inbox/:instance/:chatId/${command}`, async (c, reader, given) => {
    const of = named(c);
    const done = await perform(reader, of, given);
    return c.redirect(doneAt({ back: given['back'] ?? chatPath(of) }, done), 303);
  });
}

interface Seen extends Named {
  readonly chat: ApiResponse<'listChats'>['items'][number] | undefined;
  readonly items: ApiResponse<'listTimeline'>['items'];
  readonly cursor: string | undefined;
}

/** A reader who may reply reads the chat for everyone: the mark is set as far as the newest message that is shown. */
async function read(c: Context, reader: Reader): Promise<Seen> {
  const { api } = reader;
  const of = named(c);
  const { instance, chatId: to } = of;
  const cursor = c.req.query('cursor');
  const [chats, timeline] = [
    await api.listChats({ query: { instance, to, limit: 1 } }),
    await api.listTimeline({ to, query: { instance, cursor, limit: MOST_SHOWN } }),
  ];
  const [chat] = chats.items;
  if (chat?.unread === true && cursor === undefined && reader.may('send')) {
    await api.markChatRead({ body: { instance, to, until: chat.arrivedAt } });
  }
  return { ...of, chat, items: timeline.items, cursor: timeline.cursor };
}

async function page(c: Context, reader: Reader, refusal?: Refusal): Promise<Response> {
  const seen = await read(c, reader);
  const { instance, chatId, chat, cursor } = seen;
  const number = chatName(chatId);
  const name = chat?.last?.name;
  const title = name === undefined || chatId.endsWith('@g.us') ? number : `${name} (${number})`;
  return c.html(
    <Page title={`Chat with ${title}`} reader={reader} at="/inbox" done={c.req.query('done')}>
      <p class="path">
        <a href="/inbox">Inbox</a>
      </p>
      <h1>{title}</h1>
      <p class="quiet-text">
        With the account {instance}. <a href={contactPath(chatId)}>Everything with this contact</a>
      </p>
      {reader.may('send') && <Reply reader={reader} of={seen} refusal={refusal} />}
      <div data-live>
        <Messages reader={reader} seen={seen} />
      </div>
      <Pager path={chatPath(seen)} query={new URL(c.req.url).searchParams} cursor={cursor} />
    </Page>,
    refusal?.status ?? 200,
  );
}

function Reply({ reader, of, refusal }: { reader: Reader; of: Named; refusal: Refusal | undefined }) {
  const path = chatPath(of);
  return (
    <>
      <RefusalNotice refusal={refusal} />
      <div class="card narrow">
        <Action reader={reader} to={`${path}/reply`} label="Reply" refusal={refusal}>
          <Field
            name="text"
            label="Reply"
            hint={`Sent by ${of.instance}, before its other messages.`}
            refusal={refusal}
          >
            <textarea id="text" name="text" rows={3} required {...described('text', refusal, true)}>
              {refusal?.form['text']}
            </textarea>
          </Field>
        </Action>
      </div>
      <div class="actions">
        <Confirmed summary="Mark as read on the phone…">
          <p>The contact may see that the messages were read. Inside everpost the chat is read once it was opened.</p>
          <Action reader={reader} to={`${path}/read-on-phone`} label="Mark as read on the phone" />
        </Confirmed>
      </div>
    </>
  );
}

function Messages({ reader, seen }: { reader: Reader; seen: Seen }) {
  const { items, chat } = seen;
  return (
    <section aria-labelledby="messages">
      <h2 id="messages">
        Messages {chat?.unread === true && !reader.may('send') ? <Pill tone="busy">Unread</Pill> : null}
      </h2>
      {items.length === 0 ? (
        <Empty>Nothing was written in this chat, or it was deleted because of its age.</Empty>
      ) : (
        <Timeline reader={reader} items={items} back={chatPath(seen)} />
      )}
    </section>
  );
}
