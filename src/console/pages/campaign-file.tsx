/** The step from a file to the recipients of a draft: what is in the file, which column is what, and its import. */
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { DELIMITERS } from '../../contract/schemas.js';
import type { ApiResponse, Campaign } from '../../http-client/index.js';
import { Action, Field, RefusalNotice, Table } from '../elements.js';
import type { Form } from '../form.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { counted } from '../times.js';
import type { DraftProps, ShowDraft } from './campaign-draft.js';
import { RemedyTable } from './remedies.js';
import { MOST_FILE_BYTES, uploaded } from './upload.js';

type Checked = ApiResponse<'checkRecipients'>;

/** A file that was checked, and the choices with which it was. */
export interface CheckedFile {
  readonly checked: Checked;
  readonly form: Form;
}

export function filePages(pages: Pages, show: ShowDraft): void {
  const options = { fieldOf: (path: string) => path.replace(/^map\./, MAP), mostBytes: MOST_FILE_BYTES };
  const act = pages.forms((c, reader, refusal) => {
    if (!isPart(c)) return show(c, reader, { refusal });
    return c.html(<RefusalNotice refusal={refusal} />, refusal.status);
  }, options);

  act('/campaigns/:id/recipients/check', async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    const given = uploaded((await c.req.parseBody())['file'], 'recipients');
    const checked = await reader.api.checkRecipients({ id, file: given, query: choicesIn(form) });
    const file = { checked, form };
    return isPart(c) ? c.html(<FoundInFile reader={reader} file={file} />) : show(c, reader, { file });
  });

  act('/campaigns/:id/recipients', async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    const file = uploaded((await c.req.parseBody())['file'], 'recipients');
    const add = form['add'] === undefined ? {} : { add: 'true' as const };
    await reader.api.importRecipients({ id, file, query: { ...choicesIn(form), ...add } });
    return c.redirect(`/campaigns/${encodeURIComponent(id)}?done=imported`, 303);
  });

  pages.show('/campaigns/:id/rejected-recipients.csv', (c, reader) => reader.download(`/v1${c.req.path}`));
}

/** The script of the form asks for the result alone. */
function isPart(c: Context): boolean {
  return c.req.query('part') !== undefined;
}

/** The field of the form with the column of a variable. */
const MAP = 'map:';
const CHOICES = ['phoneColumn', 'defaultCountry', 'sheet', 'encoding', 'delimiter'] as const;

/** What was chosen beside the file; an empty field leaves it to the file. */
function choicesIn(form: Form) {
  const given = CHOICES.map((name) => [name, (form[name] ?? '').trim()] as const).filter(([, value]) => value !== '');
  const map = Object.entries(form)
    .filter(([name, column = '']) => name.startsWith(MAP) && column !== '')
    .map(([name, column]) => [name.slice(MAP.length), column]);
  return {
    ...(Object.fromEntries(given) as { delimiter?: (typeof DELIMITERS)[number] }),
    ...(map.length === 0 ? {} : { map: JSON.stringify(Object.fromEntries(map)) }),
  };
}

/**
 * With its script the form shows what is in a file as soon as it is chosen or dropped, and keeps it for the import.
 * Without it the file is chosen again after a check: nothing of it is stored before the import.
 */
export function FileStep({ reader, campaign, refusal, file }: DraftProps) {
  const { id, imported, importing, audience } = campaign;
  const path = `/campaigns/${encodeURIComponent(id)}/recipients`;
  const isReplaced = imported !== undefined && audience > 0;
  return (
    <>
      {importing !== undefined && <p>A file is being read: {counted(importing.lines, 'line', reader)} so far.</p>}
      {imported !== undefined && importing === undefined && <Imported reader={reader} id={id} imported={imported} />}
      <Action
        reader={reader}
        to={path}
        label={isReplaced ? 'Import this file' : 'Import the file'}
        class={isReplaced ? 'button quiet' : 'button'}
        enctype="multipart/form-data"
        check={`${path}/check`}
      >
        <Field
          name="file"
          label={isReplaced ? 'Another file' : 'File'}
          hint="CSV, Excel (.xlsx) or NDJSON; it can be dropped here. The first line names the columns."
          refusal={refusal}
        >
          <input id="file" name="file" type="file" accept=".csv,.txt,.tsv,.xlsx,.ndjson" required />
        </Field>
        <div data-checked>{file === undefined ? null : <FoundInFile reader={reader} file={file} />}</div>
        {isReplaced && (
          <p>
            <label>
              <input type="checkbox" name="add" value="yes" /> Add it to the recipients instead of replacing them
            </label>
          </p>
        )}
        <button class="button quiet" formaction={`${path}/check`} data-without-script>
          Check the file first
        </button>{' '}
      </Action>
    </>
  );
}

/** How many lines became recipients, and what to do about the others. */
function Imported({
  reader,
  id,
  imported,
}: {
  reader: Reader;
  id: string;
  imported: NonNullable<Campaign['imported']>;
}) {
  const { lines, verdicts, remedies, rejected } = imported;
  return (
    <>
      <p>
        <strong>{counted(verdicts.accepted, 'recipient', reader)}</strong> of {counted(lines, 'line', reader)}.
      </p>
      <RemedyTable reader={reader} remedies={remedies} />
      {rejected === 0 ? null : (
        <p>
          <a href={`/campaigns/${encodeURIComponent(id)}/rejected-recipients.csv`} download={`${id}-rejected.csv`}>
            Download these lines
          </a>
        </p>
      )}
    </>
  );
}

/** The columns with their first values, which of them is what, and what an import would do. */
function FoundInFile({ reader, file: { checked, form } }: { reader: Reader; file: CheckedFile }) {
  const { columns, lines, verdicts, remedies, problems } = checked;
  const rows = columns[0]?.samples ?? [];
  return (
    <div class="found">
      {problems.length > 0 && (
        <div class="notice bad" role="alert">
          <p>The file cannot be imported like this. Choose the right columns below, or correct the file.</p>
          <ul>
            {problems.map(({ path, message }) => (
              <li>{`${path} ${message}.`}</li>
            ))}
          </ul>
        </div>
      )}
      {lines > 0 && (
        <p role="status">
          <strong>{counted(verdicts.accepted, 'recipient', reader)}</strong> of {counted(lines, 'line', reader)}.
        </p>
      )}
      <RemedyTable reader={reader} remedies={remedies} />
      {problems.length === 0 && <Missing reader={reader} checked={checked} />}
      <ColumnChoices checked={checked} form={form} />
      <Table
        name="The first rows of the file"
        heads={columns.map(({ name, phone }) => (phone ? `${name} (number)` : name))}
      >
        {rows.map((_, row) => (
          <tr>
            {columns.map(({ samples }) => (
              <td class="text">{samples[row]}</td>
            ))}
          </tr>
        ))}
      </Table>
      <FileChoices checked={checked} form={form} />
    </div>
  );
}

function Missing({ reader, checked: { variables } }: { reader: Reader; checked: Checked }) {
  return variables.map(({ name, required, without = 0, firstLine }) =>
    without === 0 || !required ? null : (
      <p class="notice wait">
        {counted(without, 'recipient', reader)} have no value for {name}
        {firstLine === undefined ? '' : `, first on line ${firstLine}`}. The campaign cannot start so: add the values,
        or write a fallback into the message, like {`{{${name}|there}}`}.
      </p>
    ),
  );
}

function ColumnChoices({ checked: { columns, variables }, form }: { checked: Checked; form: Form }) {
  const names = columns.map(({ name }) => name);
  const phone = form['phoneColumn'] || columns.find((column) => column.phone)?.name;
  return (
    <div class="choices">
      <Choice name="phoneColumn" label="Column with the number" first={phone === undefined ? 'Choose…' : undefined}>
        {names.map((name) => (
          <option selected={name === phone}>{name}</option>
        ))}
      </Choice>
      {variables.map((variable) => (
        <Choice name={MAP + variable.name} label={`Column for ${variable.name}`} first="The column of this name">
          {names.map((name) => (
            <option selected={name === form[MAP + variable.name]}>{name}</option>
          ))}
        </Choice>
      ))}
    </div>
  );
}

/** How the file is read, where it is not read rightly by itself. */
function FileChoices({ checked: { source }, form }: { checked: Checked; form: Form }) {
  const { encoding, delimiter, sheet, sheets = sheet === undefined ? [] : [sheet] } = source;
  return (
    <details class="evidence">
      <summary>Letters or numbers look wrong?</summary>
      <div class="choices">
        {sheets.length > 1 && (
          <Choice name="sheet" label="Sheet">
            {sheets.map((name) => (
              <option selected={name === sheet}>{name}</option>
            ))}
          </Choice>
        )}
        {encoding !== undefined && (
          <Choice name="encoding" label="Encoding" first={`As detected: ${encoding.name}`}>
            {['utf-8', 'windows-1252', 'windows-1250', 'windows-1251', 'utf-16le', 'shift_jis', 'gb18030'].map(
              (name) => (
                <option selected={name === form['encoding']}>{name}</option>
              ),
            )}
          </Choice>
        )}
        {delimiter !== undefined && (
          <Choice name="delimiter" label="Between the columns" first={`As in the header: ${delimiter}`}>
            {DELIMITERS.map((name) => (
              <option selected={name === form['delimiter']}>{name}</option>
            ))}
          </Choice>
        )}
        <div class="field">
          <label for="file-country">Country of numbers without a country code</label>
          <input
            id="file-country"
            name="defaultCountry"
            value={form['defaultCountry']}
            placeholder="As in the campaign"
            maxlength={2}
            autocomplete="off"
          />
        </div>
      </div>
    </details>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  /** The choice that leaves it to the file. */
  readonly first?: string | undefined;
  readonly children?: Child;
}

function Choice({ name, label, first, children }: ChoiceProps) {
  const id = `file-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        {first === undefined ? null : <option value="">{first}</option>}
        {children}
      </select>
    </div>
  );
}
