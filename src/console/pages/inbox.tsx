import { EverpostError, type ApiResponse } from '../../http-client/index.js';
import { Action, Empty, Pager, Pill, chatName, Filter, FilterLink } from '../elements.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { doing } from './timeline.js';
import { ago } from '../times.js';
import { OptOut } from './suppression.js';

const EVERY_MS = 5_000;
const MOST_SHOWN = 30;

type Chats = ApiResponse<'listChats'>;
type Chat = Chats['items'][number];
type Query = Readonly<Record<string, string>>;

/** The chats in which contacts wrote, newest first. */
export function inboxPages(pages: Pages): void {
  pages.show(
    '/inbox',
    async (c, reader) => {
      const query = c.req.query();
      const [chats, { names }] = await Promise.all([
        find(reader, query),
        reader.api.listInstances({ query: { limit: 1 } }),
      ]);
      return c.html(
        <Page title="Inbox" reader={reader} at="/inbox" done={query['done']}>
          <h1>Inbox</h1>
          <Choose query={query} accounts={names} />
          <div data-live>
            <List reader={reader} chats={chats} query={query} />
          </div>
          <Pager path="/inbox" query={new URL(c.req.url).searchParams} cursor={chats.cursor} />
        </Page>,
      );
    },
    {
      everyMs: EVERY_MS,
      render: async (c, reader) => {
        const query = c.req.query();
        return <List reader={reader} chats={await find(reader, query)} query={query} />;
      },
    },
  );
}

export function chatPath({ instance, chatId }: Pick<Chat, 'instance' | 'chatId'>): string {
  return `/inbox/${encodeURIComponent(instance)}/${encodeURIComponent(chatId)}`;
}

async function find({ api }: Reader, { unread, instance, cursor }: Query): Promise<Chats> {
  const query = { unread: unread === undefined ? undefined : ('true' as const), cursor, limit: MOST_SHOWN };
  try {
    return await api.listChats({ query: { ...query, instance: instance === '' ? undefined : instance } });
  } catch (error) {
    if (error instanceof EverpostError && error.code === 'INPUT_INVALID') return { items: [] };
    throw error;
  }
}

function Choose({ query: { unread, instance = '' }, accounts }: { query: Query; accounts: readonly string[] }) {
  const of = instance === '' ? '' : `instance=${encodeURIComponent(instance)}`;
  return (
    <>
      <Filter label="Chats">
        <FilterLink href={`/inbox?${of}`} chosen={unread === undefined}>
          All
        </FilterLink>
        <FilterLink href={`/inbox?unread=true&${of}`} chosen={unread !== undefined}>
          Unread
        </FilterLink>
      </Filter>
      {accounts.length < 2 ? null : (
        <form method="get" action="/inbox" class="search">
          {unread === undefined ? null : <input type="hidden" name="unread" value="true" />}
          <div class="field">
            <label for="instance">Account</label>
            <select id="instance" name="instance">
              <option value="">All accounts</option>
              {accounts.map((name) => (
                <option value={name} selected={name === instance}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <button class="button quiet">Show</button>
        </form>
      )}
    </>
  );
}

function List({
  reader,
  chats: { items },
  query: { unread, instance, cursor },
}: {
  reader: Reader;
  chats: Chats;
  query: Query;
}) {
  if (items.length === 0) {
    return <Empty>{unread === undefined ? 'No contact has written yet.' : 'Everything is read.'}</Empty>;
  }
  const back = new URLSearchParams();
  for (const [name, value = ''] of Object.entries({ unread, instance, cursor }))
    if (value !== '') back.set(name, value);
  return (
    <ul class="chats">
      {items.map((chat) => (
        <Row reader={reader} chat={chat} back={`/inbox?${back.toString()}`} />
      ))}
    </ul>
  );
}

function Row({ reader, chat, back }: { reader: Reader; chat: Chat; back: string }) {
  const { chatId, instance, arrivedAt, unread, last, possibleOptOut } = chat;
  const name = chatName(chatId);
  return (
    <li class={unread ? 'unread' : undefined}>
      <a href={chatPath(chat)} class="chat">
        <span class="who">
          <strong>{last?.name === undefined || chatId.endsWith('@g.us') ? name : `${last.name} (${name})`}</strong>{' '}
          {unread ? <Pill tone="busy">Unread</Pill> : null}
        </span>
        <span class="when">
          {ago(arrivedAt, reader)}, to {instance}
        </span>
        <span class="what">{preview(last)}</span>
      </a>
      {unread && reader.may('send') ? (
        <Action reader={reader} to={`${chatPath(chat)}/read`} label="Mark as read" class="button quiet small">
          <input type="hidden" name="until" value={arrivedAt} />
          <input type="hidden" name="back" value={back} />
        </Action>
      ) : null}
      {possibleOptOut === undefined ? null : (
        <ul class="tasks">
          <OptOut reader={reader} optOut={possibleOptOut} back={back} />
        </ul>
      )}
    </li>
  );
}

function preview(last: Chat['last']): string {
  if (last === undefined) return 'The text was deleted because of its age.';
  const { what, text, fileName } = last;
  if (what === 'message' && text !== undefined) return text;
  return fileName === undefined ? doing(last) : `${doing(last)}: ${fileName}`;
}
