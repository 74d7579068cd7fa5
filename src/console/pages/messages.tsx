import { MESSAGE_STATES } from '../../contract/index.js';
import { contentFacts } from '../../domain/index.js';
import type { MessageListItem } from '../../http-client/index.js';
import { ContactLink, Empty, Field, Pager, Pill, RefusalNotice, Table, NumberSearch } from '../elements.js';
import { refusalOf } from '../form.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { time } from '../times.js';
import { MESSAGE_WORDS } from '../words.js';

const MOST_SHOWN = 50;

export function messageListPages(pages: Pages): void {
  pages.show('/messages', async (c, reader) => {
    const { to = '', state = '', cursor } = c.req.query();
    const asked = { to: to.trim() || undefined, state: MESSAGE_STATES.find((one) => one === state) };
    const list = await reader.api
      .listMessages({ query: { ...asked, cursor, limit: MOST_SHOWN } })
      .catch((error: unknown) => refusalOf(error, asked));
    const refusal = 'problems' in list ? list : undefined;
    return c.html(
      <Page title="Messages" reader={reader} at="/messages">
        <h1>Messages</h1>
        <RefusalNotice refusal={refusal?.problems['to'] === undefined ? refusal : undefined} />
        <NumberSearch path="/messages" to={asked.to ?? ''} refusal={refusal}>
          <Field name="state" label="State" refusal={refusal}>
            <select id="state" name="state">
              <option value="">All states</option>
              {MESSAGE_STATES.map((one) => (
                <option value={one} selected={one === asked.state}>
                  {MESSAGE_WORDS[one].label}
                </option>
              ))}
            </select>
          </Field>
        </NumberSearch>
        {'items' in list && (
          <List reader={reader} items={list.items} isSearch={asked.to !== undefined || state !== ''} />
        )}
        {'items' in list && <Pager path="/messages" query={new URL(c.req.url).searchParams} cursor={list.cursor} />}
      </Page>,
      refusal?.status ?? 200,
    );
  });
}

function List({ reader, items, isSearch }: { reader: Reader; items: readonly MessageListItem[]; isSearch: boolean }) {
  if (items.length === 0) return <Empty>{isSearch ? 'No message was found.' : 'There is no message yet.'}</Empty>;
  return (
    <Table name="Messages" heads={['To', 'Message', 'State', 'Requested', 'Account']}>
      {items.map(({ id, chatId, state, createdAt, instance, content, testOf }) => (
        <tr>
          <th scope="row">
            <ContactLink chatId={chatId} />
          </th>
          <td class="text">
            <a href={`/messages/${id}`}>{shortText(content)}</a>
          </td>
          <td>
            <Pill tone={MESSAGE_WORDS[state].tone}>{MESSAGE_WORDS[state].label}</Pill>
            {testOf === undefined ? null : ' test'}
          </td>
          <td>{time(createdAt, reader)}</td>
          <td>{instance}</td>
        </tr>
      ))}
    </Table>
  );
}

/** A text, or the facts of another kind in one line. */
export function shortText(content: MessageListItem['content']): string {
  const facts = Object.values(contentFacts(content));
  const shown = facts.filter((fact) => fact !== undefined).join(' · ');
  return shown === '' ? content.kind : shown;
}
