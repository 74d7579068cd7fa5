import type { Context } from 'hono';
import type { Campaign } from '../../http-client/index.js';
import { Action, Field } from '../elements.js';
import { refusalOf, type Refusal } from '../form.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { counted, number } from '../times.js';
import { RemedyTable } from './remedies.js';
import { MOST_FILE_BYTES, uploaded } from './upload.js';

type ShowCampaign = (c: Context, reader: Reader, refusal: Refusal) => Promise<Response>;

/** The steps from a draft to its start. */
export function draftPages(pages: Pages, show: ShowCampaign): void {
  pages.act(
    '/campaigns/:id/recipients',
    async (c, reader, form) => {
      const id = c.req.param('id') ?? '';
      const { phoneColumn = '' } = form;
      try {
        const { file } = await c.req.parseBody();
        const query = phoneColumn.trim() === '' ? {} : { phoneColumn: phoneColumn.trim() };
        await reader.api.importRecipients({ id, file: uploaded(file, 'recipients'), query });
        return c.redirect(`/campaigns/${encodeURIComponent(id)}?done=imported`, 303);
      } catch (error) {
        return show(c, reader, refusalOf(error, form));
      }
    },
    MOST_FILE_BYTES,
  );

  pages.act('/campaigns/:id/test', async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    try {
      const test = await reader.api.testCampaign({ id, body: { to: form['to'] ?? '' }, key: form['key'] });
      return c.redirect(`/messages/${test.id}?done=sent`, 303);
    } catch (error) {
      return show(c, reader, refusalOf(error, form));
    }
  });

  pages.act('/campaigns/:id/start', async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    const body = form['acceptRejected'] === undefined ? {} : { acceptRejected: true };
    try {
      await reader.api.startCampaign({ id, body });
      return c.redirect(`/campaigns/${encodeURIComponent(id)}?done=started`, 303);
    } catch (error) {
      return show(c, reader, refusalOf(error, form));
    }
  });

  pages.show('/campaigns/:id/rejected-recipients.csv', (c, reader) => reader.download(`/v1${c.req.path}`));
}

interface DraftProps {
  readonly reader: Reader;
  readonly campaign: Campaign;
  readonly refusal: Refusal | undefined;
}

export function Draft({ reader, campaign, refusal }: DraftProps) {
  const { id, imported, audience } = campaign;
  const path = `/campaigns/${encodeURIComponent(id)}`;
  const isReady = imported !== undefined && audience > 0;
  return (
    <ol class="steps">
      <li class="card">
        <h2>Recipients</h2>
        <Verdicts reader={reader} campaign={campaign} />
        <Action
          reader={reader}
          to={`${path}/recipients`}
          label={isReady ? 'Replace the recipients' : 'Read the file'}
          class={isReady ? 'button quiet' : 'button'}
          enctype="multipart/form-data"
        >
          <Field
            name="file"
            label="File"
            hint="CSV, Excel (.xlsx) or NDJSON. The first line names the columns."
            refusal={refusal}
          >
            <input id="file" name="file" type="file" accept=".csv,.txt,.tsv,.xlsx,.ndjson" required />
          </Field>
          <Field name="phoneColumn" label="Column with the number" hint="Empty: it is recognised." refusal={refusal}>
            <input id="phoneColumn" name="phoneColumn" autocomplete="off" />
          </Field>
        </Action>
      </li>
      {isReady && (
        <li class="card">
          <h2>Check</h2>
          <p>See messages with real values, who will not get it, and when it ends.</p>
          <p>
            <a class="button quiet" href={`${path}/plan`}>
              Show the plan
            </a>
          </p>
          <Action reader={reader} to={`${path}/test`} label="Send a test" class="button quiet" refusal={refusal}>
            <Field
              name="to"
              label="Test to"
              hint="Your own number. It is in no count of the campaign."
              refusal={refusal}
            >
              <input id="to" name="to" value={refusal?.form['to']} required autocomplete="off" />
            </Field>
          </Action>
        </li>
      )}
      {isReady && (
        <li class="card">
          <h2>Start</h2>
          <p>
            {counted(audience, 'recipient', reader.locale)} get the message. Recipients and their values cannot be
            changed after the start.
          </p>
          <Action reader={reader} to={`${path}/start`} label="Start the campaign" refusal={refusal}>
            {(imported?.rejected ?? 0) > 0 && (
              <p>
                <label>
                  <input type="checkbox" name="acceptRejected" value="yes" />{' '}
                  {`Start without the ${number(imported?.rejected ?? 0, reader.locale)} lines that have no recipient`}
                </label>
              </p>
            )}
          </Action>
        </li>
      )}
    </ol>
  );
}

/** How many lines became recipients, and what to do about the others. */
function Verdicts({ reader, campaign: { id, imported, importing } }: Omit<DraftProps, 'refusal'>) {
  const { locale } = reader;
  if (importing !== undefined) return <p>A file is being read: {counted(importing.lines, 'line', locale)} so far.</p>;
  if (imported === undefined) return null;
  const { lines, verdicts, remedies, rejected } = imported;
  return (
    <>
      <p>
        <strong>{counted(verdicts.accepted, 'recipient', locale)}</strong> of {counted(lines, 'line', locale)}.
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
