/** What several pages show alike. */
import { randomUUID } from 'node:crypto';
import type { Child } from 'hono/jsx';
import type { Form, Refusal } from './form.js';
import type { Reader } from './reader.js';
import type { Tone } from './words.js';

/** A state: its colour and, for everyone who does not see the colour, its word. */
export function Pill({ tone, children }: { tone: Tone; children?: Child }) {
  return <span class={`pill ${tone}`}>{children}</span>;
}

/** The facts that have a value, as a list of names and values. */
export function Facts({ of }: { of: Readonly<Record<string, Child | undefined>> }) {
  const facts = Object.entries(of).filter(([, value]) => value !== undefined && value !== '' && value !== null);
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * A table that scrolls within the page, also by the keyboard.
 * @param heads  one with `#` is of a column of numbers, one with `-` is for screen readers alone
 */
export function Table({ name, heads, children }: { name: string; heads: readonly string[]; children?: Child }) {
  return (
    <div class="scroll" role="group" aria-label={name} tabindex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col" class={head.startsWith('#') ? 'number' : undefined}>
                {head.startsWith('-') ? <span class="unseen">{head.slice(1)}</span> : head.replace('#', '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function Empty({ children }: { children?: Child }) {
  return <p class="empty">{children}</p>;
}

/** The number of a chat as it is dialled, or the id of a group. */
export function chatName(chatId: string | undefined): string {
  if (chatId === undefined) return 'all contacts (status)';
  const [, digits] = /^(\d+)@c\.us$/.exec(chatId) ?? [];
  if (digits !== undefined) return `+${digits}`;
  return chatId.endsWith('@g.us') ? `group ${chatId.replace('@g.us', '')}` : chatId;
}

/** The page of a contact. */
export function contactPath(chatId: string): string {
  return `/contacts?to=${encodeURIComponent(chatId)}`;
}

/** The number of a contact, which leads to everything that is known about them; a group and a status are names alone. */
export function ContactLink({ chatId }: { chatId: string | undefined }) {
  if (chatId === undefined || !/@(?:c\.us|lid|g\.us)$/.test(chatId)) return <>{chatName(chatId)}</>;
  return <a href={contactPath(chatId)}>{chatName(chatId)}</a>;
}

/** A part that takes longer than a page may: the script loads it into the page; without it this is a link to wait. */
export function Later({ path, children }: { path: string; children?: Child }) {
  return (
    <div data-later={`${path}?live=1`}>
      <p>
        <a class="button quiet" href={`${path}?wait=yes`}>
          {children}
        </a>
      </p>
    </div>
  );
}

/**
 * The run behind a page, for engineers: a link to it, or its id to copy.
 * @param schedule  instead of a run, a schedule of Temporal
 */
export function RunLink({ reader, id, schedule = false }: { reader: Reader; id: string; schedule?: boolean }) {
  const href = reader.inTemporal(schedule ? 'schedules' : 'workflows', id);
  const what = schedule ? 'schedule' : 'run';
  return (
    <p class="run">
      {href === undefined ? (
        <>
          {schedule ? 'Schedule id' : 'Workflow id'} in Temporal: <code>{id}</code>
        </>
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer">
          Open its {what} in Temporal
        </a>
      )}
    </p>
  );
}

interface ActionProps {
  readonly reader: Reader;
  readonly to: string;
  readonly label: string;
  readonly class?: string;
  readonly enctype?: 'multipart/form-data';
  /** Where a chosen file is checked before the form is sent: files/script.js. */
  readonly check?: string;
  /** A form that failed keeps its key, so that it takes effect once. */
  readonly refusal?: Refusal | undefined;
  readonly children?: Child;
}

/** A form that changes something: with the reader's token, and a key of its own, under which it takes effect once. */
export function Action({ reader, to, label, refusal, children, enctype, check, class: look = 'button' }: ActionProps) {
  return (
    <form method="post" action={to} enctype={enctype} data-check={check}>
      <input type="hidden" name="token" value={reader.formToken} />
      <input type="hidden" name="key" value={refusal?.form['key'] ?? randomUUID()} />
      {children}
      <button class={look}>{label}</button>
    </form>
  );
}

/** An action that is explained before it can be confirmed. */
export function Confirmed({
  open,
  summary,
  children,
}: {
  open?: boolean | undefined;
  summary: string;
  children?: Child;
}) {
  return (
    <details class="confirm" open={open}>
      <summary class="button quiet">{summary}</summary>
      <div class="card">{children}</div>
    </details>
  );
}

/** @param id  if two forms of a page have a field of this name. @default the name */
export function Field({
  name,
  id = name,
  label,
  hint,
  refusal,
  children,
}: {
  name: string;
  id?: string;
  label: string;
  hint?: string;
  refusal: Refusal | undefined;
  children?: Child;
}) {
  const problem = refusal?.problems[name];
  return (
    <div class={problem === undefined ? 'field' : 'field invalid'}>
      <label for={id}>{label}</label>
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
      {problem === undefined ? null : (
        <p class="problem" id={`${id}-problem`}>
          {`${label} ${problem}.`}
        </p>
      )}
    </div>
  );
}

interface InputProps {
  readonly typed: Form;
  readonly refusal: Refusal | undefined;
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly type?: string;
  readonly required?: boolean;
}

/** A field for one line of text, or another type. */
export function Input({ name, label, hint, type, required, typed, refusal }: InputProps) {
  return (
    <Field name={name} label={label} {...(hint === undefined ? {} : { hint })} refusal={refusal}>
      <input
        id={name}
        name={name}
        type={type}
        value={typed[name]}
        required={required}
        autocomplete="off"
        {...described(name, refusal, hint !== undefined)}
      />
    </Field>
  );
}

interface NumberSearchProps {
  readonly path: string;
  readonly to: string;
  readonly refusal: Refusal | undefined;
  /** Further fields. */
  readonly children?: Child;
}

/** Searches a list by a number in any spelling. */
export function NumberSearch({ path, to, refusal, children }: NumberSearchProps) {
  return (
    <form method="get" action={path} class="search" role="search">
      <Field name="to" label="Phone number" refusal={refusal}>
        <input
          id="to"
          name="to"
          type="search"
          value={to}
          placeholder="+49 151 23456789"
          autocomplete="off"
          {...described('to', refusal)}
        />
      </Field>
      {children}
      <button class="button">Search</button>
    </form>
  );
}

/** Tells a screen reader about the hint and the problem of a field. */
export function described(name: string, refusal: Refusal | undefined, hasHint = false) {
  const isInvalid = refusal?.problems[name] !== undefined;
  const ids = [hasHint ? `${name}-hint` : '', isInvalid ? `${name}-problem` : ''].filter((id) => id !== '');
  return {
    ...(isInvalid ? { 'aria-invalid': 'true' as const } : {}),
    ...(ids.length === 0 ? {} : { 'aria-describedby': ids.join(' ') }),
  };
}

/** What failed, and what to do; nothing that was typed is lost. */
export function RefusalNotice({ refusal }: { refusal: Refusal | undefined }) {
  if (refusal === undefined) return null;
  const { message, problems, form } = refusal;
  const unmarked = Object.entries(problems).filter(([name]) => !(name in form));
  return (
    <div class="notice bad" role="alert">
      <p>{message}</p>
      {unmarked.length === 0 ? null : (
        <ul>
          {unmarked.map(([name, problem]) => (
            <li>{`${name} ${problem}.`}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A bar of parts of a whole. Widths are attributes: the content policy allows no inline style. */
export function Bar({
  label,
  total,
  parts,
}: {
  label: string;
  total: number;
  parts: readonly { readonly tone: Tone; readonly count: number }[];
}) {
  let from = 0;
  const whole = Math.max(1, total);
  return (
    <svg class="bar" role="img" aria-label={label} viewBox="0 0 1000 12" preserveAspectRatio="none">
      <rect class="rest" width="1000" height="12" />
      {parts.map(({ tone, count }) => {
        const [x, width] = [from, (count / whole) * 1_000];
        from += width;
        return <rect class={tone} x={x.toFixed(1)} width={width.toFixed(1)} height="12" />;
      })}
    </svg>
  );
}

export function FilterLink({ href, chosen, children }: { href: string; chosen: boolean; children?: Child }) {
  return (
    <li>
      <a href={href} aria-current={chosen ? 'true' : undefined}>
        {children}
      </a>
    </li>
  );
}

/** Links to the parts of a list, each a {@link FilterLink}. */
export function Filter({ label, children }: { label: string; children?: Child }) {
  return (
    <nav class="filter" aria-label={label}>
      <ul>{children}</ul>
    </nav>
  );
}

interface StateFilterProps {
  readonly label: string;
  readonly path: string;
  readonly states: readonly { readonly state: string; readonly label: string }[];
  readonly chosen: string | undefined;
}

/** Links to the parts of a list by state. */
export function StateFilter({ label, path, states, chosen }: StateFilterProps) {
  return (
    <Filter label={label}>
      <FilterLink href={path} chosen={chosen === undefined}>
        All
      </FilterLink>
      {states.map((one) => (
        <FilterLink href={`${path}?state=${one.state}`} chosen={one.state === chosen}>
          {one.label}
        </FilterLink>
      ))}
    </Filter>
  );
}

/** Links to the next page of a list, and back to its first. */
export function Pager({ path, query, cursor }: { path: string; query: URLSearchParams; cursor: string | undefined }) {
  const isFirst = !query.has('cursor');
  if (isFirst && cursor === undefined) return null;
  const first = new URLSearchParams(query);
  first.delete('cursor');
  const next = new URLSearchParams(query);
  if (cursor !== undefined) next.set('cursor', cursor);
  return (
    <nav class="pager" aria-label="Further pages of the list">
      {isFirst ? null : <a href={`${path}?${first.toString()}`}>First page</a>}
      {cursor === undefined ? null : <a href={`${path}?${next.toString()}`}>Next page</a>}
    </nav>
  );
}
