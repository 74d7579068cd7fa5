import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Action, Field, RefusalNotice, described } from '../elements.js';
import { refusalOf, type Form, type Refusal } from '../form.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';

/** A draft: its recipients come next. */
export function newCampaignPages(pages: Pages): void {
  pages.show('/campaigns/new', (c, reader) => page(c, reader, {}));

  pages.act('/campaigns', async (c, reader, form) => {
    const { name = '', instance = '', text = '', defaultCountry = '', key } = form;
    const body = {
      name: name.trim(),
      instance,
      content: { kind: 'text' as const, text },
      ...(defaultCountry.trim() === '' ? {} : { defaultCountry: defaultCountry.trim().toUpperCase() }),
    };
    try {
      const { id } = await reader.api.beginCampaign({ body, key });
      return c.redirect(`/campaigns/${encodeURIComponent(id)}?done=drafted`, 303);
    } catch (error) {
      return page(
        c,
        reader,
        form,
        refusalOf(error, form, (path) => path.replace(/^content(?:\.text)?$/, 'text')),
      );
    }
  });
}

async function page(c: Context, reader: Reader, typed: Form, refusal?: Refusal): Promise<Response> {
  const { names } = await reader.api.listInstances({ query: { limit: 1 } });
  const { name, instance, text, defaultCountry } = typed;
  return c.html(
    <Page title="New campaign" reader={reader} at="/campaigns">
      <p class="path">
        <a href="/campaigns">Campaigns</a>
      </p>
      <RefusalNotice refusal={refusal} />
      <h1>New campaign</h1>
      <div class="card narrow">
        <Action reader={reader} to="/campaigns" label="Create the draft" refusal={refusal}>
          <Field name="name" label="Name" hint="Seen in lists and reports, not by recipients." refusal={refusal}>
            <input
              id="name"
              name="name"
              value={name}
              required
              autocomplete="off"
              {...described('name', refusal, true)}
            />
          </Field>
          <Field name="instance" label="From account" refusal={refusal}>
            <select id="instance" name="instance">
              {names.map((one) => (
                <option value={one} selected={one === instance}>
                  {one}
                </option>
              ))}
            </select>
          </Field>
          <Field
            name="text"
            label="Message"
            hint="{{name}} becomes the value of the column “name” of each recipient; {{name|there}} has a fallback."
            refusal={refusal}
          >
            <textarea id="text" name="text" rows={6} required {...described('text', refusal, true)}>
              {text}
            </textarea>
          </Field>
          <Field
            name="defaultCountry"
            label="Country of numbers without a country code"
            hint="Two letters, e.g. DE. Empty: every number has its country code."
            refusal={refusal}
          >
            <input
              id="defaultCountry"
              name="defaultCountry"
              value={defaultCountry}
              maxlength={2}
              size={4}
              autocomplete="off"
              {...described('defaultCountry', refusal, true)}
            />
          </Field>
        </Action>
      </div>
    </Page>,
    (refusal?.status ?? 200) as ContentfulStatusCode,
  );
}
