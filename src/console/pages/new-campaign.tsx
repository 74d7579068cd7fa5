import type { Context } from 'hono';
import { present } from '../../contract/index.js';
import type { Client } from '../../http-client/index.js';
import { Action, Field, Input, described } from '../elements.js';
import type { Form, Refusal } from '../form.js';
import { SubPage } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { EVERY_DAY, HoursFields, hoursField, hoursIn } from '../sending-hours.js';
import { instantOf } from '../times.js';

/** Beside the message itself. */
const OTHER_VARIANTS = ['B', 'C'] as const;

/** A draft: its recipients come next. */
export function newCampaignPages(pages: Pages): void {
  pages.showForm('/campaigns/new', (c, reader) => page(c, reader, EVERY_DAY));

  const act = pages.forms((c, reader, refusal) => page(c, reader, refusal.form, refusal), { fieldOf });
  act('/campaigns', async (c, reader, form) => {
    const body = definitionOf(form, reader);
    const { id } = await reader.api.beginCampaign({ body, key: form['key'] });
    return c.redirect(`/campaigns/${encodeURIComponent(id)}?done=drafted`, 303);
  });
}

type Definition = Parameters<Client['beginCampaign']>[0]['body'];

/** The field of an account. */
const ACCOUNT = 'account:';

/** An empty field is left to the API. */
function definitionOf(form: Form, { locale }: Reader): Definition {
  const instances = Object.keys(form).flatMap((name) => (name.startsWith(ACCOUNT) ? name.slice(ACCOUNT.length) : []));
  const given = (name: string) => (form[name] ?? '').trim();
  const ifGiven = (name: string, value: (text: string) => unknown = (text) => text) =>
    given(name) === '' ? {} : { [name]: value(given(name)) };
  return {
    ...ifGiven('name'),
    ...(instances.length > 1 ? { instances } : { instance: instances[0] ?? '' }),
    ...contentsOf(form),
    ...ifGiven('holdOut', shareOf),
    category: form['category'] === 'transactional' ? 'transactional' : 'marketing',
    ...ifGiven('defaultCountry', (text) => text.toUpperCase()),
    ...ifGiven('startAt', (text) => instantOf(text, locale)),
    ...ifGiven('deadline', (text) => instantOf(text, locale)),
    ...ifGiven('highWater', Number),
    ...present({ sendingWindows: hoursIn(form) }),
    ...(given('perDay') === '' ? {} : { limits: { perDay: Number(given('perDay')) } }),
  } as Definition;
}

/** The first message has the share that the others leave. */
function contentsOf(form: Form) {
  const content = contentOf(form['text'] ?? '', form);
  const others = OTHER_VARIANTS.flatMap((name) => {
    const text = form[`text${name}`] ?? '';
    return text === '' ? [] : [{ name, share: shareOf(form[`share${name}`] ?? ''), content: contentOf(text, form) }];
  });
  if (others.length === 0) return { content };
  const left = 100 - others.reduce((sum, { share }) => sum + Number.parseFloat(share), 0);
  return { variants: [{ name: 'A', share: `${Math.round(left * 100) / 100}%`, content }, ...others] };
}

function contentOf(text: string, form: Form) {
  const url = (form['url'] ?? '').trim();
  if (url === '') return { kind: 'text', text };
  let fileName = url.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  try {
    fileName = decodeURIComponent(fileName);
  } catch {
    // A percent sign that encodes nothing: the name stays as it is.
  }
  return { kind: 'file', url, fileName, caption: text };
}

function shareOf(text: string): string {
  return `${text.replaceAll(/[%\s]/g, '').replace(',', '.')}%`;
}

function fieldOf(path: string): string {
  const [, at, field] = /^variants\[(\d)\]\.(content|share)/.exec(path) ?? [];
  if (at !== undefined)
    return `${field === 'share' ? 'share' : 'text'}${at === '0' ? '' : (OTHER_VARIANTS[Number(at) - 1] ?? '')}`;
  if (path === 'limits.perDay') return 'perDay';
  return hoursField(path)
    .replace(/^variants.*/, 'shareB')
    .replace(/^instances.*/, 'instance')
    .replace(/^content\.(?:url|fileName)$/, 'url')
    .replace(/^content(?:\.(?:text|caption))?$/, 'text');
}

interface FieldsProps {
  readonly typed: Form;
  readonly refusal: Refusal | undefined;
}

async function page(c: Context, reader: Reader, typed: Form, refusal?: Refusal): Promise<Response> {
  const { names } = await reader.api.listInstances({ query: { limit: 1 } });
  return c.html(
    <SubPage title="New campaign" reader={reader} at="/campaigns" refusal={refusal}>
      <div class="card narrow">
        <Action reader={reader} to="/campaigns" label="Create the draft" refusal={refusal}>
          <Input
            name="name"
            label="Name"
            hint="Seen in lists and reports, not by recipients."
            typed={typed}
            refusal={refusal}
            required
          />
          <Accounts names={names} typed={typed} refusal={refusal} />
          <Text
            name="text"
            label="Message"
            hint="{{name}} becomes the value of the column “name” of each recipient; {{name|there}} has a fallback."
            typed={typed}
            refusal={refusal}
          />
          <Input
            name="url"
            label="Link of a picture or file"
            hint="Optional. It is sent with the message as its caption. https://…"
            typed={typed}
            refusal={refusal}
          />
          <VariantFields typed={typed} refusal={refusal} />
          <Recipients typed={typed} refusal={refusal} />
          <Course reader={reader} typed={typed} refusal={refusal} />
        </Action>
      </div>
    </SubPage>,
    refusal?.status ?? 200,
  );
}

function Accounts({ names, typed, refusal }: FieldsProps & { names: readonly string[] }) {
  const problem = refusal?.problems['instance'];
  return (
    <fieldset class={problem === undefined ? undefined : 'field invalid'}>
      <legend>From account</legend>
      {names.length > 1 && <p class="hint">Several share the recipients. The plan shows what each carries.</p>}
      <div class="options">
        {names.map((name, at) => (
          <label>
            <input
              type="checkbox"
              name={ACCOUNT + name}
              value="yes"
              checked={refusal === undefined ? at === 0 : typed[ACCOUNT + name] !== undefined}
            />{' '}
            {name}
          </label>
        ))}
      </div>
      {problem === undefined ? null : (
        <p class="problem">{/^[A-Z]/.test(problem) ? problem : `The account ${problem}.`}</p>
      )}
    </fieldset>
  );
}

function VariantFields({ typed, refusal }: FieldsProps) {
  const isOpen = [...OTHER_VARIANTS.flatMap((name) => [`text${name}`, `share${name}`]), 'holdOut'].some(
    (name) => (typed[name] ?? '') !== '',
  );
  return (
    <details class="more" open={isOpen}>
      <summary>Compare several messages</summary>
      {OTHER_VARIANTS.map((name) => (
        <>
          <Text name={`text${name}`} label={`Message ${name}`} typed={typed} refusal={refusal} optional />
          <Input
            name={`share${name}`}
            label={`Share of message ${name} in %`}
            hint="The first message has the rest."
            typed={typed}
            refusal={refusal}
          />
        </>
      ))}
      <Input
        name="holdOut"
        label="Left out in %"
        hint="These recipients get nothing, so that you see what the campaign changes."
        typed={typed}
        refusal={refusal}
      />
    </details>
  );
}

function Recipients({ typed, refusal }: FieldsProps) {
  return (
    <>
      <Input
        name="defaultCountry"
        label="Country of numbers without a country code"
        hint="Two letters, e.g. DE. Empty: every number has its country code."
        typed={typed}
        refusal={refusal}
      />
      <Field
        name="category"
        label="Kind"
        hint="Recipients who do not want advertising get no marketing messages."
        refusal={refusal}
      >
        <select id="category" name="category" {...described('category', refusal, true)}>
          <option value="marketing">Marketing</option>
          <option value="transactional" selected={typed['category'] === 'transactional'}>
            About an order, an appointment or the like
          </option>
        </select>
      </Field>
    </>
  );
}

function Course({ reader: { locale }, typed, refusal }: FieldsProps & { reader: Reader }) {
  const zone = locale.timezone ?? 'UTC';
  const names = ['startAt', 'deadline', 'from', 'until', 'perDay', 'highWater'];
  return (
    <details class="more" open={names.some((name) => (typed[name] ?? '') !== '')}>
      <summary>When, and how fast</summary>
      <Input
        name="startAt"
        label="Not before"
        hint={`Time of ${zone}. Empty: at once after the start.`}
        type="datetime-local"
        typed={typed}
        refusal={refusal}
      />
      <Input
        name="deadline"
        label="Not after"
        hint={`Time of ${zone}. Empty: seven days after the start.`}
        type="datetime-local"
        typed={typed}
        refusal={refusal}
      />
      <HoursFields locale={locale} typed={typed} refusal={refusal} />
      <Input name="perDay" label="At most a day" type="number" typed={typed} refusal={refusal} />
      <Input
        name="highWater"
        label="At most in the queue of the gateway"
        hint="A short queue stops sooner after a pause."
        type="number"
        typed={typed}
        refusal={refusal}
      />
    </details>
  );
}

interface TextProps extends FieldsProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly optional?: boolean;
}

function Text({ name, label, hint, optional, typed, refusal }: TextProps) {
  return (
    <Field name={name} label={label} {...(hint === undefined ? {} : { hint })} refusal={refusal}>
      <textarea
        id={name}
        name={name}
        rows={optional === true ? 4 : 6}
        required={optional !== true}
        {...described(name, refusal, hint !== undefined)}
      >
        {typed[name]}
      </textarea>
    </Field>
  );
}
