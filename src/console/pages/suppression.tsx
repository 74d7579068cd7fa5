import type { Context } from 'hono';
import type { ApiResponse, PossibleOptOut, Suppression } from '../../http-client/index.js';
import {
  Action,
  Confirmed,
  ContactLink,
  Empty,
  Field,
  Pager,
  Pill,
  RefusalNotice,
  Table,
  described,
  NumberSearch,
} from '../elements.js';
import { doneAt, refusalOf, type Form, type Refusal } from '../form.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { ago, time, counted, number } from '../times.js';
import { RemedyTable } from './remedies.js';
import { MOST_FILE_BYTES, uploaded } from './upload.js';

const MOST_SHOWN = 50;

type SuppressionImport = ApiResponse<'importSuppressions'>;

export function suppressionPages(pages: Pages): void {
  pages.show('/suppression', (c, reader) => page(c, reader, { to: c.req.query('to') }));

  const act = pages.forms((c, reader, refusal) => page(c, reader, {}, refusal));

  act('/suppression/add', async (c, { api }, { to = '', note = '', scope }) => {
    const body = { to, scope: scope === 'all' ? ('all' as const) : ('marketing' as const) };
    await api.addSuppression({ body: note === '' ? body : { ...body, note } });
    return c.redirect(`/suppression?to=${encodeURIComponent(to)}&done=suppressed`, 303);
  });

  const actOnFile = pages.forms((c, reader, refusal) => page(c, reader, {}, { ...refusal, isOfImport: true }), {
    mostBytes: MOST_FILE_BYTES,
  });
  actOnFile('/suppression/import', async (c, reader, { scope, defaultCountry = '' }) => {
    const { file } = await c.req.parseBody();
    const imported = await reader.api.importSuppressions({
      file: uploaded(file, 'numbers'),
      query: {
        scope: scope === 'all' ? 'all' : 'marketing',
        ...(defaultCountry === '' ? {} : { defaultCountry }),
      },
    });
    return page(c, reader, {}, undefined, imported);
  });

  act('/suppression/remove', async (c, { api }, { to = '' }) => {
    await api.removeSuppression({ body: { to } });
    return c.redirect('/suppression?done=released', 303);
  });

  pages.act('/opt-outs/:id/accept', async (c, { api }, form) => {
    await api.acceptPossibleOptOut({ id: c.req.param('id') ?? '' });
    return c.redirect(doneAt(form, 'accepted'), 303);
  });
  pages.act('/opt-outs/:id/dismiss', async (c, { api }, form) => {
    await api.dismissPossibleOptOut({ id: c.req.param('id') ?? '' });
    return c.redirect(doneAt(form, 'dismissed'), 303);
  });
}

type Refused = Refusal & { readonly isOfImport?: boolean };

async function page(
  c: Context,
  reader: Reader,
  asked: Form,
  refused?: Refused,
  imported?: SuppressionImport,
): Promise<Response> {
  const { to = '' } = asked;
  const query = { to: to.trim() || undefined, cursor: c.req.query('cursor'), limit: MOST_SHOWN };
  const found = await reader.api
    .listSuppressions({ query })
    .catch((error: unknown) => refusalOf(error, { to: query.to }));
  const problem = 'problems' in found ? found : undefined;
  const { items, cursor } = 'items' in found ? found : { items: [], cursor: undefined };
  const possible = to === '' ? (await reader.api.listPossibleOptOuts({ query: { limit: MOST_SHOWN } })).items : [];
  return c.html(
    <Page title="Suppression" reader={reader} at="/suppression" done={c.req.query('done')}>
      <h1>Suppression</h1>
      <RefusalNotice refusal={refused} />
      <p class="quiet-text">Who is on this list gets no marketing messages, or no messages at all.</p>
      <Possible reader={reader} optOuts={possible} />
      <NumberSearch path="/suppression" to={to} refusal={problem} />
      {imported === undefined ? null : <Imported reader={reader} imported={imported} />}
      {reader.may('send') && (
        <div class="actions">
          <Add reader={reader} refusal={refused?.isOfImport ? undefined : refused} typed={refused?.form ?? asked} />
          <Import reader={reader} refusal={refused?.isOfImport ? refused : undefined} />
        </div>
      )}
      <List reader={reader} items={items} isSearch={to !== ''} />
      <Pager path="/suppression" query={new URL(c.req.url).searchParams} cursor={cursor} />
    </Page>,
    (refused ?? problem)?.status ?? 200,
  );
}

function Possible({ reader, optOuts }: { reader: Reader; optOuts: readonly PossibleOptOut[] }) {
  if (optOuts.length === 0) return null;
  return (
    <section aria-labelledby="possible">
      <h2 id="possible">Possible opt-outs</h2>
      <ul class="tasks">
        {optOuts.map((optOut) => (
          <OptOut reader={reader} optOut={optOut} back="/suppression" />
        ))}
      </ul>
    </section>
  );
}

/** A message that may be an opt-out, with both decisions. */
export function OptOut({ reader, optOut, back = '/' }: { reader: Reader; optOut: PossibleOptOut; back?: string }) {
  const { id, chatId, text, at } = optOut;
  return (
    <li class="task wait">
      <div>
        <p class="kind">
          <Pill tone="wait">Possible opt-out</Pill>
        </p>
        <p class="what">
          <ContactLink chatId={chatId} />
        </p>
        <p class="why">
          {ago(at, reader)}: {text === undefined ? 'Its text was removed.' : <q>{text}</q>}
        </p>
      </div>
      {reader.may('send') && (
        <div class="next">
          <Action reader={reader} to={`/opt-outs/${id}/accept`} label="Suppress">
            <input type="hidden" name="back" value={back} />
          </Action>
          <Action reader={reader} to={`/opt-outs/${id}/dismiss`} label="Dismiss" class="button quiet">
            <input type="hidden" name="back" value={back} />
          </Action>
        </div>
      )}
    </li>
  );
}

function Add({ reader, refusal, typed }: { reader: Reader; refusal: Refusal | undefined; typed: Form }) {
  return (
    <Confirmed summary="Add a number…" open={refusal !== undefined}>
      <Action reader={reader} to="/suppression/add" label="Suppress the recipient" refusal={refusal}>
        <Field name="to" id="add-to" label="Number" refusal={refusal}>
          <input id="add-to" name="to" value={typed['to']} required autocomplete="off" />
        </Field>
        <ScopeField refusal={refusal} />
        <Field name="note" label="Note" refusal={refusal}>
          <input id="note" name="note" value={typed['note']} />
        </Field>
      </Action>
    </Confirmed>
  );
}

/** Which messages a suppressed recipient no longer gets. */
export function ScopeField({ id = 'scope', refusal }: { id?: string; refusal: Refusal | undefined }) {
  return (
    <Field name="scope" id={id} label="Suppress" refusal={refusal}>
      <select id={id} name="scope">
        <option value="marketing">marketing messages</option>
        <option value="all" selected={refusal?.form['scope'] === 'all'}>
          all messages
        </option>
      </select>
    </Field>
  );
}

function Import({ reader, refusal }: { reader: Reader; refusal: Refusal | undefined }) {
  const { defaultCountry } = refusal?.form ?? {};
  return (
    <Confirmed summary="Import a file…" open={refusal !== undefined}>
      <Action
        reader={reader}
        to="/suppression/import"
        label="Suppress all numbers of the file"
        enctype="multipart/form-data"
        refusal={refusal}
      >
        <Field
          name="file"
          label="File"
          hint="CSV, Excel (.xlsx) or NDJSON. The column with the number is recognised."
          refusal={refusal}
        >
          <input
            id="file"
            name="file"
            type="file"
            accept=".csv,.txt,.tsv,.xlsx,.ndjson"
            required
            {...described('file', refusal, true)}
          />
        </Field>
        <ScopeField id="import-scope" refusal={refusal} />
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
    </Confirmed>
  );
}

const SHOWN_REJECTS = 20;

/** What became of each line. */
function Imported({ reader, imported }: { reader: Reader; imported: SuppressionImport }) {
  const { lines, verdicts, remedies, rejects } = imported;
  return (
    <section class="card" aria-labelledby="imported" role="status">
      <h2 id="imported">The file is read</h2>
      <p>
        <strong>{counted(verdicts['added'] ?? 0, 'recipient', reader)}</strong> of {counted(lines, 'line', reader)} were
        added. {number(verdicts['already'] ?? 0, reader)} were on the list before.
      </p>
      <RemedyTable reader={reader} remedies={remedies} />
      {rejects.length === 0 ? null : (
        <details class="evidence">
          <summary>Show these lines</summary>
          <Table name="Lines" heads={['#Line', 'What is wrong', 'Value']}>
            {rejects.slice(0, SHOWN_REJECTS).map(({ line, reason, value }) => (
              <tr>
                <td class="number">{line}</td>
                <td>{reason.replaceAll('_', ' ')}</td>
                <td class="text">{value}</td>
              </tr>
            ))}
          </Table>
        </details>
      )}
    </section>
  );
}

const SOURCES: Readonly<Record<Suppression['source'], string>> = {
  stop_word: 'wrote a STOP word',
  operator: 'an operator',
  import: 'an import',
};

function List({ reader, items, isSearch }: { reader: Reader; items: readonly Suppression[]; isSearch: boolean }) {
  if (items.length === 0) {
    return <Empty>{isSearch ? 'This number is not on the list.' : 'The list is empty.'}</Empty>;
  }
  return (
    <Table name="Suppression list" heads={['Recipient', 'Suppressed', 'Since', 'Origin', 'Note', '-Actions']}>
      {items.map(({ chatId, scope, since, source, word, note, instance }) => (
        <tr>
          <th scope="row">
            <ContactLink chatId={chatId} />
          </th>
          <td>
            {scope === 'all' ? 'all messages' : 'marketing'}
            {instance === undefined ? '' : ` from ${instance}`}
          </td>
          <td>{time(since, reader)}</td>
          <td>
            {SOURCES[source]}
            {word === undefined ? '' : ` (${word})`}
          </td>
          <td class="text">{note}</td>
          <td>
            {reader.may('admin') && (
              <Action reader={reader} to="/suppression/remove" label="Remove" class="button quiet small">
                <input type="hidden" name="to" value={chatId} />
              </Action>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
