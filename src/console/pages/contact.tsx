import type { Context } from 'hono';
import type { ApiResponse, Suppression } from '../../http-client/index.js';
import {
  Action,
  Confirmed,
  Empty,
  Field,
  Pager,
  Pill,
  RefusalNotice,
  chatName,
  described,
  NumberSearch,
} from '../elements.js';
import { refusalOf, type Form, type Refusal } from '../form.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { Timeline } from './timeline.js';
import { chatPath } from './inbox.js';
import { ScopeField } from './suppression.js';

const MOST_SHOWN = 50;
const MOST_CHATS = 20;

/** Everything that is known about one contact, by a number in any spelling. */
export function contactPages(pages: Pages): void {
  pages.show('/contacts', (c, reader) => page(c, reader, c.req.query()));

  const formOf = (command: Refused['command']) =>
    pages.forms((c, reader, refusal) => page(c, reader, { to: refusal.form['to'] }, { ...refusal, command }));

  formOf('suppress')('/contacts/suppress', async (c, { api }, { to = '', scope, note = '' }) => {
    const body = { to, scope: scope === 'all' ? ('all' as const) : ('marketing' as const) };
    await api.addSuppression({ body: note === '' ? body : { ...body, note } });
    return c.redirect(`/contacts?to=${encodeURIComponent(to)}&done=suppressed`, 303);
  });

  formOf('erase')('/contacts/erase', async (c, reader, form) => {
    const { to = '', sure } = form;
    if (sure !== 'yes') {
      const problems = { sure: 'has to be marked' };
      const message = 'Nothing was erased. Confirm the erasure, then send the form again.';
      return page(c, reader, { to }, { message, problems, form, status: 422, command: 'erase' });
    }
    const { id } = await reader.api.eraseRecipient({ body: { to } });
    return c.redirect(`/erasures/${id}?done=erasing`, 303);
  });
}

type Refused = Refusal & { readonly command: 'suppress' | 'erase' };

interface Found {
  /** In the form of the API. */
  readonly chatId: string;
  readonly timeline: ApiResponse<'listTimeline'>;
  readonly entries: readonly Suppression[];
  readonly chats: ApiResponse<'listChats'>['items'];
}

async function page(c: Context, reader: Reader, asked: Form, refused?: Refused): Promise<Response> {
  const { to = '', country = '' } = asked;
  const found = to.trim() === '' ? undefined : await find(c, reader, to.trim(), country.trim());
  const problem = found !== undefined && 'problems' in found ? found : undefined;
  const contact = found !== undefined && 'chatId' in found ? found : undefined;
  const title = contact === undefined ? 'Contacts' : chatName(contact.chatId);
  return c.html(
    <Page title={title} reader={reader} at="/contacts" done={c.req.query('done')}>
      <h1>{title}</h1>
      <RefusalNotice refusal={refused} />
      <NumberSearch path="/contacts" to={to} refusal={problem}>
        <Field name="country" label="Default country" refusal={problem}>
          <input
            id="country"
            name="country"
            value={country}
            placeholder="DE"
            maxlength={2}
            {...described('country', problem)}
          />
        </Field>
      </NumberSearch>
      {contact === undefined ? (
        <Empty>Search a number to see everything with this contact.</Empty>
      ) : (
        <>
          <Contact reader={reader} contact={contact} refused={refused} />
          <Pager path="/contacts" query={new URL(c.req.url).searchParams} cursor={contact.timeline.cursor} />
        </>
      )}
    </Page>,
    (refused ?? problem)?.status ?? 200,
  );
}

async function find(c: Context, { api }: Reader, to: string, country: string): Promise<Found | Refusal> {
  const number = { to, ...(country === '' ? {} : { defaultCountry: country.toUpperCase() }) };
  const { to: _, ...asked } = number;
  try {
    const timeline = await api.listTimeline({
      to,
      query: { ...asked, cursor: c.req.query('cursor'), limit: MOST_SHOWN },
    });
    const [entries, chats] = [
      await api.listSuppressions({ query: { ...number, limit: MOST_CHATS } }),
      await api.listChats({ query: { ...number, limit: MOST_CHATS } }),
    ];
    return { chatId: timeline.chatId, timeline, entries: entries.items, chats: chats.items };
  } catch (error) {
    return refusalOf(error, { to, country }, (path) => (path === 'defaultCountry' ? 'country' : path));
  }
}

interface ContactProps {
  readonly reader: Reader;
  readonly contact: Found;
  readonly refused: Refused | undefined;
}

function Contact({ reader, contact, refused }: ContactProps) {
  const { chatId, entries, chats, timeline } = contact;
  const suppressed = entries.map(({ scope, instance }) => {
    const what = scope === 'all' ? 'Gets no messages' : 'Gets no marketing messages';
    return `${what}${instance === undefined ? '' : ` from ${instance}`}.`;
  });
  const names = [...new Set(chats.flatMap(({ last }) => last?.name ?? []))];
  return (
    <>
      <section class="card" aria-label="Contact">
        <p class="headline">
          {entries.length === 0 ? (
            <>
              <Pill tone="good">Gets messages</Pill> This contact is not on the suppression list.
            </>
          ) : (
            <>
              <Pill tone="wait">Suppressed</Pill> {suppressed.join(' ')}
            </>
          )}
        </p>
        {names.length === 0 || chatId.endsWith('@g.us') ? null : <p>Calls themselves {names.join(', ')}.</p>}
        {chats.length === 0 ? null : (
          <ul class="plain">
            {chats.map((chat) => (
              <li>
                <a href={chatPath(chat)}>Chat with the account {chat.instance}</a>{' '}
                {chat.unread ? <Pill tone="busy">Unread</Pill> : null}
              </li>
            ))}
          </ul>
        )}
      </section>
      <Actions reader={reader} contact={contact} refused={refused} />
      <section aria-labelledby="timeline">
        <h2 id="timeline">What happened</h2>
        {timeline.items.length === 0 ? (
          <Empty>Nothing is stored about this contact.</Empty>
        ) : (
          <Timeline reader={reader} items={timeline.items} back={`/contacts?to=${encodeURIComponent(chatId)}`} />
        )}
      </section>
    </>
  );
}

function Actions({ reader, contact: { chatId, entries }, refused }: ContactProps) {
  const mayErase = reader.may('admin') && reader.caller.instances === undefined && !chatId.endsWith('@g.us');
  const isForAll = entries.some(({ scope, instance }) => scope === 'all' && instance === undefined);
  return (
    <div class="actions">
      {reader.may('send') && (
        <a class="button" href={`/send?to=${encodeURIComponent(chatId)}`}>
          Send a message
        </a>
      )}
      {reader.may('send') && !isForAll && <Suppress reader={reader} chatId={chatId} refused={refused} />}
      {mayErase && <Erase reader={reader} chatId={chatId} refused={refused} />}
      <a class="button quiet" href={`/suppression?to=${encodeURIComponent(chatId)}`}>
        Entries of the suppression list
      </a>
    </div>
  );
}

interface CommandProps {
  readonly reader: Reader;
  readonly chatId: string;
  readonly refused: Refused | undefined;
}

function Suppress({ reader, chatId, refused }: CommandProps) {
  const own = refused?.command === 'suppress' ? refused : undefined;
  return (
    <Confirmed summary="Suppress…" open={own !== undefined}>
      <p>Pending messages that the entry covers end at once, and none of them is sent from then on.</p>
      <Action reader={reader} to="/contacts/suppress" label="Suppress the contact" refusal={own}>
        <input type="hidden" name="to" value={chatId} />
        <ScopeField refusal={own} />
        <Field name="note" label="Note" refusal={own}>
          <input id="note" name="note" value={own?.form['note']} {...described('note', own)} />
        </Field>
      </Action>
    </Confirmed>
  );
}

function Erase({ reader, chatId, refused }: CommandProps) {
  const own = refused?.command === 'erase' ? refused : undefined;
  return (
    <Confirmed summary="Erase…" open={own !== undefined}>
      <p>
        This removes the number, names and texts of this contact from everpost, and cannot be taken back. Pending
        messages to them are cancelled, and schedules that send to them end. States and times stay, so that totals add
        up; an opt-out stays as a hash. Texts to others that are still to be sent are not changed but listed. The
        gateway, the phones, and backups keep what they have.
      </p>
      <Action reader={reader} to="/contacts/erase" label="Erase the contact" class="button danger" refusal={own}>
        <input type="hidden" name="to" value={chatId} />
        <div class={own === undefined ? 'field' : 'field invalid'}>
          <label>
            <input type="checkbox" name="sure" value="yes" required {...described('sure', own)} /> Erase everything
            about {chatName(chatId)}
          </label>
          {own?.problems['sure'] === undefined ? null : (
            <p class="problem" id="sure-problem">
              Mark the box to confirm.
            </p>
          )}
        </div>
      </Action>
    </Confirmed>
  );
}
