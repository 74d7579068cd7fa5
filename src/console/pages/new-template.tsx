import type { Context } from 'hono';
import { TEMPLATE_CATEGORIES, TEMPLATE_LANGUAGES } from '../../contract/index.js';
import type { TemplateFinding } from '../../http-client/index.js';
import { Action, Field, Input, Table, described } from '../elements.js';
import type { Form, Refusal } from '../form.js';
import { SubPage } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { pathOf } from './template.js';
import { TemplatePreview } from './template-preview.js';

/** A template of text: written, checked and seen first, then submitted. Others are submitted from a file. */
export function newTemplatePages(pages: Pages): void {
  pages.showForm('/templates/new', (c, reader) => page(c, reader, {}));
  const act = pages.forms((c, reader, refusal) => page(c, reader, refusal.form, { refusal }), {
    fieldOf: (path) => path.replace(/^template\./, ''),
  });
  act('/templates/check', async (c, reader, form) => {
    const { errors, warnings } = await reader.api.validateTemplate({ body: { template: definitionIn(form) } });
    return page(c, reader, form, { checked: { errors, warnings } });
  });
  act('/templates', async (c, reader, form) => {
    const { instance = '' } = form;
    const template = await reader.api.submitTemplate({ body: { instance, template: definitionIn(form) } });
    return c.redirect(`${pathOf(template)}?done=template-submitted`, 303);
  });
}

const TEXTS = [
  'elementName',
  'languageCode',
  'category',
  'vertical',
  'content',
  'example',
  'header',
  'exampleHeader',
  'footer',
] as const;

function definitionIn(form: Form): Record<string, unknown> {
  const texts = TEXTS.flatMap((name) => {
    const text = form[name]?.trim() ?? '';
    return text === '' ? [] : [[name, text] as const];
  });
  const buttons = (form['buttons'] ?? '').split('\n').filter((line) => line.trim() !== '');
  const given: Record<string, string> = Object.fromEntries(texts);
  const { header } = given;
  return {
    templateType: 'TEXT',
    // A header without variables is its own example.
    ...(header === undefined ? {} : { exampleHeader: header }),
    ...given,
    ...(buttons.length === 0 ? {} : { buttons: buttons.map(buttonOf) }),
  };
}

/** `On my way`, `Our shop | https://example.com`, or `Call us | +49 30 123456`. */
function buttonOf(line: string) {
  const [text = '', target = ''] = line.split('|').map((part) => part.trim());
  if (target === '') return { type: 'QUICK_REPLY', text };
  return target.startsWith('http')
    ? { type: 'URL', text, url: target }
    : { type: 'PHONE_NUMBER', text, phone_number: target };
}

interface Found {
  readonly refusal?: Refusal;
  readonly checked?: { readonly errors: readonly TemplateFinding[]; readonly warnings: readonly TemplateFinding[] };
}

async function page(c: Context, reader: Reader, typed: Form, { refusal, checked }: Found = {}): Promise<Response> {
  const { names } = reader.may('read') ? await reader.api.listInstances({ query: { limit: 1 } }) : { names: [] };
  let problems = refusal;
  if (checked !== undefined && checked.errors.length > 0) {
    const found = checked.errors.map(({ path, message }) => [path.split(/[.[]/)[0] ?? '', message.replace(/\.$/, '')]);
    const message = 'The gateway would reject it. Correct the marked fields.';
    problems = { message, problems: Object.fromEntries(found) as Form, form: typed, status: 422 };
  }
  return c.html(
    <SubPage title="New template" reader={reader} at="/templates" refusal={problems}>
      {checked === undefined ? null : <Checked reader={reader} typed={typed} checked={checked} />}
      <div class="card narrow">
        <Action reader={reader} to="/templates/check" label="Check it" refusal={problems}>
          <Fields typed={typed} refusal={problems} names={names} />
        </Action>
      </div>
    </SubPage>,
    problems?.status ?? 200,
  );
}

/** How a phone shows it, and the form that submits it. */
function Checked({ reader, typed, checked }: { reader: Reader; typed: Form } & Required<Pick<Found, 'checked'>>) {
  const kept = [...TEXTS, 'instance', 'buttons'] as const;
  return (
    <section aria-labelledby="preview" class="preview">
      <h2 id="preview">As a phone shows it</h2>
      <TemplatePreview definition={definitionIn(typed)} />
      {checked.warnings.length === 0 ? null : (
        <Table name="Warnings" heads={['Field', 'Warning']}>
          {checked.warnings.map(({ path, message }) => (
            <tr>
              <th scope="row">{path}</th>
              <td class="whole">{message}</td>
            </tr>
          ))}
        </Table>
      )}
      {checked.errors.length > 0 ? null : (
        <Action reader={reader} to="/templates" label="Submit it for review">
          <p class="notice good">It follows the rules of the gateway. A review takes minutes to a day.</p>
          {kept.map((name) => (
            <input type="hidden" name={name} value={typed[name]} />
          ))}
        </Action>
      )}
    </section>
  );
}

function Fields({ typed, refusal, names }: { typed: Form; refusal: Refusal | undefined; names: readonly string[] }) {
  const input = (name: string, label: string, hint?: string, isRequired = false) => (
    <Input name={name} label={label} hint={hint} typed={typed} refusal={refusal} required={isRequired} />
  );
  const choice = (name: string, label: string, options: readonly string[], chosen = typed[name]) => (
    <Field name={name} label={label} refusal={refusal}>
      <select id={name} name={name} {...described(name, refusal)}>
        {options.map((option) => (
          <option selected={option === chosen}>{option}</option>
        ))}
      </select>
    </Field>
  );
  const area = (name: string, label: string, hint: string, isRequired = false) => (
    <Field name={name} label={label} hint={hint} refusal={refusal}>
      <textarea id={name} name={name} rows={4} required={isRequired} {...described(name, refusal, true)}>
        {typed[name]}
      </textarea>
    </Field>
  );
  return (
    <>
      {choice('instance', 'Account', names)}
      {input('elementName', 'Name', 'Small letters, digits and _, e.g. order_ready.', true)}
      {choice('category', 'Category', TEMPLATE_CATEGORIES, typed['category'] ?? 'UTILITY')}
      {choice('languageCode', 'Language', TEMPLATE_LANGUAGES, typed['languageCode'] ?? 'en')}
      {input('vertical', 'Purpose', 'For the reviewers, e.g. notices about orders.', true)}
      {input('header', 'Header')}
      {input('exampleHeader', 'Header with examples', 'If the header has values of a message.')}
      {area('content', 'Text', 'Values of a message are {{1}}, {{2}} …', true)}
      {area('example', 'Text with examples', 'The same text with sample values, for the reviewers.')}
      {input('footer', 'Footer')}
      {area(
        'buttons',
        'Buttons',
        'One in each line: a quick reply, or a text and its target, e.g. Our shop | https://example.com.',
      )}
    </>
  );
}
