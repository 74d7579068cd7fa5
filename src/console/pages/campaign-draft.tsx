import type { Context } from 'hono';
import type { Campaign } from '../../http-client/index.js';
import { Action, Field, described } from '../elements.js';
import type { Refusal } from '../form.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { counted } from '../times.js';
import { FileStep, filePages, type CheckedFile } from './campaign-file.js';

/** What a form of the page was answered with. */
export interface DraftResponse {
  readonly refusal?: Refusal;
  readonly file?: CheckedFile;
}

export type ShowDraft = (c: Context, reader: Reader, response: DraftResponse) => Promise<Response>;

/** The steps from a draft to its start. */
export function draftPages(pages: Pages, show: ShowDraft): void {
  filePages(pages, show);
  const act = pages.forms((c, reader, refusal) => show(c, reader, { refusal }));

  act('/campaigns/:id/test', async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    const { to = '', line = '', variant = '' } = form;
    const sample = { ...(line === '' ? {} : { line: Number(line) }), ...(variant === '' ? {} : { variant }) };
    const test = await reader.api.testCampaign({ id, body: { to, ...sample }, key: form['key'] });
    return c.redirect(`/messages/${test.id}?done=sent`, 303);
  });

  act('/campaigns/:id/start', async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    const body = form['acceptRejected'] === undefined ? {} : { acceptRejected: true };
    await reader.api.startCampaign({ id, body });
    return c.redirect(`/campaigns/${encodeURIComponent(id)}?done=started`, 303);
  });
}

export interface DraftProps {
  readonly reader: Reader;
  readonly campaign: Campaign;
  readonly refusal: Refusal | undefined;
  readonly file: CheckedFile | undefined;
}

export function Draft({ reader, campaign, refusal, file }: DraftProps) {
  const { id, imported, audience, variants } = campaign;
  const path = `/campaigns/${encodeURIComponent(id)}`;
  const isReady = imported !== undefined && audience > 0;
  return (
    <ol class="steps">
      <li class="card">
        <h2>Recipients</h2>
        <FileStep reader={reader} campaign={campaign} refusal={refusal} file={file} />
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
            <Field
              name="line"
              label="Line"
              hint="The line of the file whose values the test has. Empty: the first recipient."
              refusal={refusal}
            >
              <input
                id="line"
                name="line"
                type="number"
                min={1}
                value={refusal?.form['line']}
                {...described('line', refusal, true)}
              />
            </Field>
            {variants !== undefined && (
              <Field name="variant" label="Variant" refusal={refusal}>
                <select id="variant" name="variant">
                  <option value="">that of the recipient</option>
                  {variants.map(({ name }) => (
                    <option selected={name === refusal?.form['variant']}>{name}</option>
                  ))}
                </select>
              </Field>
            )}
          </Action>
        </li>
      )}
      {isReady && (
        <li class="card">
          <h2>Start</h2>
          <p>
            {counted(audience, 'recipient', reader)} get the message. Recipients and their values cannot be changed
            after the start.
          </p>
          <Action reader={reader} to={`${path}/start`} label="Start the campaign" refusal={refusal}>
            {(imported?.rejected ?? 0) > 0 && (
              <p>
                <label>
                  <input type="checkbox" name="acceptRejected" value="yes" />{' '}
                  {`Start without ${counted(imported?.rejected ?? 0, 'line', reader)} that added no recipient`}
                </label>
              </p>
            )}
          </Action>
        </li>
      )}
    </ol>
  );
}
