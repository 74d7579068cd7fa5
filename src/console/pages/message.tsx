import type { Context } from 'hono';
import { messageWorkflowId, type MessageId } from '../../contract/index.js';
import { evidenceSentence } from '../../domain/index.js';
import type { ApiResponse, Message } from '../../http-client/index.js';
import { Action, Confirmed, ContactLink, Facts, Field, Pill, RunLink, Table, chatName } from '../elements.js';
import { COMMAND_WAIT_MS, type Form, type Refusal } from '../form.js';
import { SubPage } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { time } from '../times.js';
import { WaitNotice } from '../wait-notice.js';
import { EDIT_WORDS, MESSAGE_WORDS, editWords } from '../words.js';
import { shortText } from './messages.js';

const EVERY_MS = 2_000;
export function messagePages(pages: Pages): void {
  pages.show('/messages/:id', (c, reader) => page(c, reader), {
    everyMs: EVERY_MS,
    render: async (c, reader) => {
      const message = await read(c, reader);
      return isStored(message) ? <Story reader={reader} message={message} /> : '';
    },
  });
  command(pages, 'cancel', async ({ api }, id) =>
    (await api.cancelMessage({ id })).cancelled ? 'cancelled' : 'not-cancelled',
  );
  command(pages, 'edit', async ({ api }, id, { text = '', key }) => {
    await api.editMessage({ id, body: { text }, key, query: { timeoutMs: COMMAND_WAIT_MS } });
    return 'edit';
  });
  command(pages, 'resolve', async ({ api }, id, { outcome }) => {
    const stated = outcome === 'not_accepted' ? 'not_accepted' : 'accepted';
    await api.resolveMessage({ id, body: { outcome: stated } });
    return 'resolved';
  });
}

/** @param perform  @returns what was done, for the notice */
function command(
  pages: Pages,
  name: 'cancel' | 'edit' | 'resolve',
  perform: (reader: Reader, id: string, form: Form) => Promise<string>,
): void {
  const act = pages.forms((c, reader, refusal) => page(c, reader, { ...refusal, command: name }));
  act(`/messages/:id/${name}`, async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    return c.redirect(`/messages/${encodeURIComponent(id)}?done=${await perform(reader, id, form)}`, 303);
  });
}

function read(c: Context, { api }: Reader): Promise<ApiResponse<'getMessage'>> {
  return api.getMessage({ id: c.req.param('id') ?? '' });
}

function isStored(message: ApiResponse<'getMessage'>): message is Message {
  return 'version' in message;
}

type Refused = Refusal & { readonly command: string };

async function page(c: Context, reader: Reader, refusal?: Refused): Promise<Response> {
  const message = await read(c, reader);
  const title = isStored(message) ? `Message to ${chatName(message.chatId)}` : 'Message';
  return c.html(
    <SubPage title={title} reader={reader} at="/messages" done={c.req.query('done')} refusal={refusal}>
      {isStored(message) ? (
        <>
          <div data-live>
            <Story reader={reader} message={message} />
          </div>
          <Actions reader={reader} message={message} refusal={refusal} />
          <Details reader={reader} message={message} />
        </>
      ) : (
        <p class="notice wait">Its run has begun, and it is not in the ledger yet. Reload the page in a moment.</p>
      )}
    </SubPage>,
    refusal?.status ?? 200,
  );
}

function Story({ reader, message }: { reader: Reader; message: Message }) {
  const { state, content, waiting, unknown, reasonText, reason, editableUntil } = message;
  const { label, tone, meaning } = MESSAGE_WORDS[state];
  return (
    <>
      <section class="card" aria-label="State">
        <p class="headline">
          <Pill tone={tone}>{label}</Pill> {meaning}
        </p>
        <WaitNotice reader={reader} waiting={waiting} />
        {unknown === undefined ? null : (
          <p>
            everpost searches until {time(unknown.witnessesUntil, reader)}, at the latest{' '}
            {time(unknown.atLatest, reader)}.
          </p>
        )}
        {reasonText === undefined && reason === undefined ? null : (
          <p>
            The reason: {reasonText ?? reason} {reasonText === undefined ? '' : <code>{reason}</code>}
          </p>
        )}
        <p class="bubble">{shortText(content)}</p>
        {message.postedText === undefined ? null : <p class="before">Sent as: {message.postedText}</p>}
        <Facts
          of={{
            To: <ContactLink chatId={message.chatId} />,
            Account: message.instance,
            'Requested by': message.requestedBy?.replace('key:', ''),
            Campaign: message.campaignId && (
              <a href={`/campaigns/${encodeURIComponent(message.campaignId)}`}>{message.campaignId}</a>
            ),
            Reference: message.reference,
            'Can be edited until': time(editableUntil, reader),
            'Not sent after': message.acceptedAt === undefined ? time(message.expiresAt, reader) : undefined,
          }}
        />
      </section>
      <Edits reader={reader} message={message} />
      <section aria-labelledby="story">
        <h2 id="story">What happened</h2>
        <ol class="story">
          <li>
            {time(message.createdAt, reader)}
            <span>
              The message was requested{message.requestedBy === undefined ? '' : ` (${message.requestedBy})`}.
            </span>
          </li>
          {message.evidence.map((evidence) => (
            <li>
              {time(evidence.at, reader)}
              <span>{evidenceSentence(evidence)}</span>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

/** Also those whose text no phone shows. */
function Edits({ reader, message: { edits } }: { reader: Reader; message: Message }) {
  if (edits.length === 0) return null;
  return (
    <section aria-labelledby="edits">
      <h2 id="edits">Edits</h2>
      <ol class="timeline">
        {edits.map(({ state, via, text, requestedAt, reason }) => (
          <li>
            <p class="by">
              {time(requestedAt, reader)} <Pill tone={EDIT_WORDS[state].tone}>{EDIT_WORDS[state].label}</Pill>{' '}
              <span>
                {editWords({ state, via })} {reason === undefined ? '' : <code>{reason}</code>}
              </span>
            </p>
            <p class="bubble">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface ActionsProps {
  readonly reader: Reader;
  readonly message: Message;
  readonly refusal: Refused | undefined;
}

function Actions({ reader, message, refusal }: ActionsProps) {
  const { state, content, editableUntil } = message;
  const isOpen = state === 'pending';
  const hasText = 'text' in content && typeof content.text === 'string' && message.textLength === undefined;
  const isEditable = isOpen || (editableUntil !== undefined && Date.parse(editableUntil) > reader.nowMs);
  return (
    <>
      {(state === 'unknown' || state === 'unresolved') && reader.may('admin') && (
        <Resolve reader={reader} message={message} refusal={refusal} />
      )}
      {reader.may('send') && (
        <div class="actions">
          {hasText && isEditable && <Edit reader={reader} message={message} refusal={refusal} />}
          {isOpen && (
            <Confirmed summary="Cancel…">
              <p>The message will not be sent.</p>
              <Action
                reader={reader}
                to={`/messages/${message.id}/cancel`}
                label="Cancel the message"
                class="button danger"
              />
            </Confirmed>
          )}
        </div>
      )}
    </>
  );
}

function Edit({ reader, message: { id, content }, refusal }: ActionsProps) {
  const own = refusal?.command === 'edit' ? refusal : undefined;
  const text = own?.form['text'] ?? ('text' in content ? content.text : '');
  return (
    <Confirmed summary="Edit…" open={own !== undefined}>
      <Action reader={reader} to={`/messages/${id}/edit`} label="Send the edit" refusal={own}>
        <Field name="text" label="New text" refusal={own}>
          <textarea id="text" name="text" rows={4} required>
            {text}
          </textarea>
        </Field>
      </Action>
    </Confirmed>
  );
}

/** Both choices, with what follows from them. */
function Resolve({ reader, message: { id, chatId, idMessage }, refusal }: ActionsProps) {
  const own = refusal?.command === 'resolve' ? refusal : undefined;
  return (
    <section class="card" aria-labelledby="resolve">
      <h2 id="resolve">What does the phone show?</h2>
      <p>
        Open the chat with {chatName(chatId)} on the phone of the account
        {idMessage === undefined ? '' : ` (${idMessage})`}, and look for the message.
      </p>
      <div class="choices">
        <Action reader={reader} to={`/messages/${id}/resolve`} label="It was sent" refusal={own}>
          <input type="hidden" name="outcome" value="accepted" />
          <p>The phone shows the message. It counts as sent, and is never posted again.</p>
        </Action>
        <Action
          reader={reader}
          to={`/messages/${id}/resolve`}
          label="It was not sent"
          class="button quiet"
          refusal={own}
        >
          <input type="hidden" name="outcome" value="not_accepted" />
          <p>
            The phone does not show it. everpost posts it again: if it was sent after all, the recipient gets it twice.
          </p>
        </Action>
      </div>
    </section>
  );
}

function Details({ reader, message }: { reader: Reader; message: Message }) {
  const { id, idMessage, attempts, workflowId } = message;
  return (
    <details class="evidence">
      <summary>Evidence and ids</summary>
      <Facts
        of={{
          Id: <code>{id}</code>,
          'Id of the gateway': idMessage && <code>{idMessage}</code>,
        }}
      />
      <RunLink reader={reader} id={workflowId ?? messageWorkflowId(id as MessageId)} />
      {attempts.length === 0 ? null : (
        <Table name="Attempts" heads={['Begun', 'Outcome', 'HTTP', 'Code', 'Words of the gateway']}>
          {attempts.map(({ claimedAt, outcome, httpStatus, code, text }) => (
            <tr>
              <td>{time(claimedAt, reader)}</td>
              <td>{outcome ?? 'under way'}</td>
              <td>{httpStatus}</td>
              <td>{code}</td>
              <td class="text">{text}</td>
            </tr>
          ))}
        </Table>
      )}
    </details>
  );
}
