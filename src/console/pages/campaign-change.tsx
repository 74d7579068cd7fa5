/** Changes of a campaign, seen beside what it is now before they are confirmed. */
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { accountsOf } from '../../contract/index.js';
import type { Campaign, Client } from '../../http-client/index.js';
import { Action, Field, Input, RefusalNotice, described, Filter, FilterLink } from '../elements.js';
import { COMMAND_WAIT_MS, type Form, type Refusal } from '../form.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { HoursFields, hoursField, hoursIn, hoursTyped, hoursWords } from '../sending-hours.js';
import { time, fieldTime, instantOf } from '../times.js';

type Change = NonNullable<Parameters<Client['updateCampaign']>[0]['body']>;

export function changePages(pages: Pages): void {
  const act = pages.forms(
    async (c, reader, refusal) =>
      page(c, reader, await reader.api.getCampaign({ id: c.req.param('id') ?? '' }), refusal.form, refusal),
    {
      fieldOf: (path) =>
        hoursField(path)
          .replace(/^content.*/, 'text')
          .replace(/^instances.*/, 'accounts'),
    },
  );
  pages.showForm('/campaigns/:id/change', async (c, reader) => {
    const campaign = await reader.api.getCampaign({ id: c.req.param('id') ?? '' });
    return page(c, reader, campaign, typedOf(campaign, reader, c.req.query('variant')));
  });

  act('/campaigns/:id/change', async (c, reader, form) => {
    const campaign = await reader.api.getCampaign({ id: c.req.param('id') ?? '' });
    const change = changeOf(campaign, form, reader);
    if (Object.keys(change).length === 0) return page(c, reader, campaign, form);
    return review(c, reader, campaign, form, change);
  });

  act('/campaigns/:id/change/confirmed', async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    const campaign = await reader.api.getCampaign({ id });
    const body = changeOf(campaign, form, reader);
    await reader.api.updateCampaign({ id, body, key: form['key'], query: { timeoutMs: COMMAND_WAIT_MS } });
    return c.redirect(`/campaigns/${encodeURIComponent(id)}?done=changed`, 303);
  });
}

/** The field of a content with the text that recipients read; undefined for a content without one. */
export function textField(content: Campaign['content']): 'text' | 'caption' | undefined {
  if (content['kind'] === 'text') return 'text';
  return content['kind'] === 'file' ? 'caption' : undefined;
}

function contentNow({ content, variants }: Campaign, variant: string | undefined): Campaign['content'] {
  return variants?.find(({ name }) => name === variant)?.content ?? content;
}

export function textOf(content: Campaign['content']): string {
  const text = content[textField(content) ?? 'text'];
  return typeof text === 'string' ? text : '';
}

/** The fields of the form as the campaign is now. */
function typedOf(campaign: Campaign, { locale }: Reader, asked: string | undefined): Form {
  const { variants, name, deadlineAt, startAt, highWater, winner, sendingWindows } = campaign;
  const variant = variants === undefined ? undefined : (asked ?? variants[0]?.name);
  return {
    ...hoursTyped(sendingWindows),
    name,
    variant,
    text: textOf(contentNow(campaign, variant)),
    deadline: fieldTime(deadlineAt, locale),
    startAt: fieldTime(startAt, locale),
    highWater: String(highWater),
    winner: winner ?? '',
    accounts: accountsOf(campaign).join(', '),
  };
}

/** What differs from the campaign as it is. */
function changeOf(campaign: Campaign, form: Form, reader: Reader): Change {
  const { variant } = form;
  const before = typedOf(campaign, reader, variant);
  const isOther = (name: string) => form[name] !== undefined && form[name] !== (before[name] ?? '');
  const content = contentNow(campaign, variant);
  const hoursBefore = hoursTyped(campaign.sendingWindows);
  const hours = hoursIn(form);
  const isSame =
    hoursBefore === undefined ||
    form['from'] === undefined ||
    JSON.stringify(hours) === JSON.stringify(hoursIn(hoursBefore));
  const instant = (name: string) => (isOther(name) ? { [name]: instantOf(form[name] ?? '', reader.locale) } : {});
  return {
    ...(isOther('name') ? { name: form['name'] } : {}),
    ...(isOther('text')
      ? {
          content: {
            ...content,
            kind: content['kind'] as 'text' | 'file',
            [textField(content) ?? 'text']: form['text'],
          },
          ...(variant === undefined ? {} : { variant }),
        }
      : {}),
    ...instant('deadline'),
    ...instant('startAt'),
    ...(isSame ? {} : { sendingWindows: hours ?? null }),
    ...(isOther('highWater') ? { highWater: Number(form['highWater']) } : {}),
    ...(isOther('winner') ? { winner: form['winner'] === '' ? null : form['winner'] } : {}),
    ...(isOther('accounts')
      ? { instances: (form['accounts'] ?? '').split(/[,\s]+/).filter((name) => name !== '') }
      : {}),
  } as Change;
}

interface PageProps {
  readonly reader: Reader;
  readonly campaign: Campaign;
  readonly title: string;
  readonly refusal?: Refusal | undefined;
  readonly children?: Child;
}

/** A page of a campaign under its own one. */
export function CampaignPage({ reader, campaign: { id, name }, title, refusal, children }: PageProps) {
  return (
    <Page title={`${title}: ${name ?? id}`} reader={reader} at="/campaigns">
      <p class="path">
        <a href="/campaigns">Campaigns</a> › <a href={`/campaigns/${encodeURIComponent(id)}`}>{name ?? id}</a>
      </p>
      <RefusalNotice refusal={refusal} />
      <h1>{title}</h1>
      {children}
    </Page>
  );
}

function page(c: Context, reader: Reader, campaign: Campaign, typed: Form, refusal?: Refusal) {
  const path = `/campaigns/${encodeURIComponent(campaign.id)}/change`;
  const { variants, startedAt, contentVersion, sendingWindows } = campaign;
  const input = (name: string, label: string, more: { type?: string; hint?: string } = {}) => (
    <Input name={name} label={label} {...more} typed={typed} refusal={refusal} />
  );
  const zone = reader.locale.timezone ?? 'UTC';
  return c.html(
    <CampaignPage reader={reader} campaign={campaign} title="Change the campaign" refusal={refusal}>
      {variants !== undefined && (
        <Filter label="Variants">
          {variants.map(({ name }) => (
            <FilterLink href={`${path}?variant=${encodeURIComponent(name)}`} chosen={name === typed['variant']}>
              {name}
            </FilterLink>
          ))}
        </Filter>
      )}
      <div class="card narrow">
        <Action reader={reader} to={path} label="See what changes">
          {variants !== undefined && <input type="hidden" name="variant" value={typed['variant']} />}
          {textField(contentNow(campaign, typed['variant'])) !== undefined && (
            <Field
              name="text"
              label={variants === undefined ? 'Message' : `Message of variant ${typed['variant']}`}
              hint={`Version ${contentVersion}. A new text is for recipients who were not posted to yet.`}
              refusal={refusal}
            >
              <textarea id="text" name="text" rows={6} required {...described('text', refusal, true)}>
                {typed['text']}
              </textarea>
            </Field>
          )}
          {input('name', 'Name')}
          {input('deadline', 'Not after', { type: 'datetime-local', hint: `Time of ${zone}.` })}
          {startedAt === undefined &&
            input('startAt', 'Not before', { type: 'datetime-local', hint: `Time of ${zone}.` })}
          {hoursTyped(sendingWindows) === undefined ? (
            sendingWindows && (
              <p class="hint">{`Its hours are ${hoursWords(sendingWindows)}. Change them on the command line: everpost campaign update`}</p>
            )
          ) : (
            <HoursFields locale={reader.locale} typed={typed} refusal={refusal} />
          )}
          {input('accounts', 'Accounts', {
            hint: 'With commas between them. What a removed account has left moves to the others.',
          })}
          {input('highWater', 'At most in the queue of the gateway', { type: 'number' })}
          {variants !== undefined && (
            <Field name="winner" label="Everyone not posted to yet gets" refusal={refusal}>
              <select id="winner" name="winner">
                <option value="">a variant by the shares</option>
                {variants.map(({ name }) => (
                  <option value={name} selected={name === typed['winner']}>{`variant ${name}`}</option>
                ))}
              </select>
            </Field>
          )}
        </Action>
      </div>
    </CampaignPage>,
    refusal?.status ?? 200,
  );
}

const LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  deadline: 'Not after',
  startAt: 'Not before',
  highWater: 'At most in the queue',
  winner: 'Winner',
  instances: 'Accounts',
};

type Shown = string | number | readonly string[] | null | undefined;

function review(c: Context, reader: Reader, campaign: Campaign, form: Form, change: Change) {
  const path = `/campaigns/${encodeURIComponent(campaign.id)}/change`;
  const before = typedOf(campaign, reader, form['variant']);
  const { content, variant: _, sendingWindows, ...others } = change;
  const shown = (name: string, value: Shown): Child => {
    if (value === null || value === undefined || value === '') return '–';
    if ((name !== 'deadline' && name !== 'startAt') || typeof value !== 'string')
      return Array.isArray(value) ? value.join(', ') : String(value);
    return time(value, reader);
  };
  const { deadlineAt, startAt } = campaign;
  const was: Readonly<Record<string, Shown>> = {
    ...before,
    instances: before['accounts'],
    deadline: deadlineAt,
    startAt,
  };
  return c.html(
    <CampaignPage reader={reader} campaign={campaign} title="Confirm the change">
      {content !== undefined && <SideBySide before={before['text'] ?? ''} after={form['text'] ?? ''} />}
      {Object.entries(others as Readonly<Record<string, Shown>>).map(([name, value]) => (
        <p>
          {LABELS[name] ?? name}: {shown(name, was[name])} → <strong>{shown(name, value)}</strong>
        </p>
      ))}
      {sendingWindows !== undefined && (
        <p>
          Hours: {hoursOf(campaign.sendingWindows)} → <strong>{hoursOf(sendingWindows)}</strong>
        </p>
      )}
      <div class="actions">
        <Action reader={reader} to={`${path}/confirmed`} label="Change the campaign">
          <Hidden form={form} />
        </Action>
        <a class="button quiet" href={path}>
          Back
        </a>
      </div>
    </CampaignPage>,
  );
}

function hoursOf(hours: Change['sendingWindows']): string {
  return hours ? hoursWords(hours) : 'whenever its accounts send';
}

/** The fields of a form that is confirmed. */
export function Hidden({ form }: { form: Form }) {
  const own = Object.entries(form).filter(([name]) => name !== 'token' && name !== 'key');
  return (
    <>
      {own.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** Two texts as a phone shows them. */
export function SideBySide({ before, after }: { before: string; after: string }) {
  return (
    <div class="sidebyside">
      <section aria-label="Text before">
        <h3>Before</h3>
        <p class="bubble">{before}</p>
      </section>
      <section aria-label="Text after">
        <h3>After</h3>
        <p class="bubble">{after}</p>
      </section>
    </div>
  );
}
