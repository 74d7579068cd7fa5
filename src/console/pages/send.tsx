import type { Context } from 'hono';
import { PRIORITIES } from '../../contract/index.js';
import { EverpostError } from '../../http-client/index.js';
import { Action, Field, RefusalNotice, described } from '../elements.js';
import type { Form, Refusal } from '../form.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';

export function sendPages(pages: Pages): void {
  pages.showForm('/send', (c, reader) => page(c, reader, c.req.query()));

  const act = pages.forms((c, reader, refusal) => page(c, reader, refusal.form, refusal), {
    fieldOf: (path) => (path === 'content.text' || path === 'content' ? 'text' : path),
  });
  act('/send', async (c, reader, form) => {
    const { instance = '', to = '', text = '', priority, key } = form;
    const body = {
      instance,
      to,
      content: { kind: 'text' as const, text },
      priority: PRIORITIES.find((one) => one === priority) ?? 'normal',
    };
    const { id } = await reader.api.sendMessage({ body, key });
    return c.redirect(reader.may('read') ? `/messages/${id}?done=sent` : '/send?done=sent', 303);
  });
}

/** A key without the scope `read` types the name of its account. */
async function accountsOf({ api, caller }: Reader): Promise<readonly string[]> {
  try {
    return caller.scopes.includes('read') ? (await api.listInstances({ query: { limit: 1 } })).names : [];
  } catch (error) {
    // The ledger cannot be reached: what was typed is shown all the same.
    if (error instanceof EverpostError && error.status !== 401) return [];
    throw error;
  }
}

async function page(c: Context, reader: Reader, typed: Form, refusal?: Refusal): Promise<Response> {
  const accounts = await accountsOf(reader);
  const { instance = accounts[0] ?? '', to = '', text = '', priority = 'normal' } = typed;
  return c.html(
    <Page title="Send" reader={reader} at="/send" done={c.req.query('done')}>
      <h1>Send a message</h1>
      <RefusalNotice refusal={refusal} />
      <div class="card narrow">
        <Action reader={reader} to="/send" label="Send" refusal={refusal}>
          <Field name="instance" label="From account" refusal={refusal}>
            {accounts.length === 0 ? (
              <input id="instance" name="instance" value={instance} required {...described('instance', refusal)} />
            ) : (
              <select id="instance" name="instance" {...described('instance', refusal)}>
                {accounts.map((name) => (
                  <option value={name} selected={name === instance}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field
            name="to"
            label="To"
            hint="A phone number with its country code, e.g. +49 151 23456789"
            refusal={refusal}
          >
            <input id="to" name="to" value={to} required autocomplete="off" {...described('to', refusal, true)} />
          </Field>
          <Field name="text" label="Message" refusal={refusal}>
            <textarea id="text" name="text" rows={6} required {...described('text', refusal)}>
              {text}
            </textarea>
          </Field>
          <Field
            name="priority"
            label="Priority"
            hint="Urgent messages go before those of campaigns."
            refusal={refusal}
          >
            <select id="priority" name="priority" {...described('priority', refusal, true)}>
              {PRIORITIES.map((one) => (
                <option value={one} selected={one === priority}>
                  {one}
                </option>
              ))}
            </select>
          </Field>
        </Action>
      </div>
    </Page>,
    refusal?.status ?? 200,
  );
}
