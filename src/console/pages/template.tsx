import type { Context } from 'hono';
import { TemplateStatus, templateWorkflowId } from '../../contract/index.js';
import type { Template } from '../../http-client/index.js';
import { Action, Confirmed, Facts, Field, Pill, RunLink, Table, described } from '../elements.js';
import type { Refusal } from '../form.js';
import { SubPage } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { ago, time } from '../times.js';
import { TemplatePreview } from './template-preview.js';
import { verdictOf } from './templates.js';

/** One template: its verdict, why, what happened, and how a phone shows it. */
export function templateDetailPages(pages: Pages): void {
  pages.show('/templates/:instance/:elementName', (c, reader) => page(c, reader));
  pages.forms(page)('/templates/:instance/:elementName/review', async (c, reader, form) => {
    const key = keyIn(c);
    const { status = '', reason = '' } = form;
    await reader.api.setTemplateReview({ ...key, body: { status, ...(reason === '' ? {} : { reason }) } });
    return c.redirect(`${pathOf(key)}?done=review-set`, 303);
  });
}

function keyIn(c: Context) {
  return { instance: c.req.param('instance') ?? '', elementName: c.req.param('elementName') ?? '' };
}

export function pathOf({ instance, elementName }: Pick<Template, 'instance' | 'elementName'>): string {
  return `/templates/${encodeURIComponent(instance)}/${encodeURIComponent(elementName)}`;
}

async function page(c: Context, reader: Reader, refusal?: Refusal): Promise<Response> {
  const template = await reader.api.getTemplate({ ...keyIn(c), query: {} });
  const { elementName, reason, unwatchedSince, definition, changes, checkCode, checkText } = template;
  const [label, tone] = verdictOf(template);
  return c.html(
    <SubPage title={elementName} reader={reader} at="/templates" done={c.req.query('done')} refusal={refusal}>
      <div class="beside">
        <section class="card" aria-label="Verdict">
          <p class="headline">
            <Pill tone={tone}>{label}</Pill>
          </p>
          {reason === undefined ? null : <p class="notice wait">The reason: {reason}</p>}
          {unwatchedSince === undefined ? null : (
            <p class="notice wait">
              Its review is not watched since {time(unwatchedSince, reader)}. Submit the template again to continue.
            </p>
          )}
          {checkCode === undefined ? null : (
            <p class="notice wait">
              The last poll failed: {checkText ?? ''} <code>{checkCode}</code>
            </p>
          )}
          <Facts
            of={{
              Account: template.instance,
              Category: wordOf(definition['category']),
              Language: wordOf(definition['languageCode']),
              Since: time(template.statusSince, reader),
              Submitted: time(template.submittedAt, reader),
              Checked: ago(template.checkedAt, reader),
              'Checked next': ago(template.nextCheckAt, reader),
              'Id of the gateway': template.templateId && <code>{template.templateId}</code>,
            }}
          />
        </section>
        <section aria-label="As a phone shows it">
          <TemplatePreview definition={definition} />
        </section>
      </div>
      {reader.may('admin') && template.state === 'submitted' && (
        <Review reader={reader} template={template} refusal={refusal} />
      )}
      <section aria-labelledby="history">
        <h2 id="history">History</h2>
        <Table name="History" heads={['When', 'What', 'Status', 'Reason', 'By']}>
          {changes.toReversed().map(({ at, what, status, reason: why, witness }) => (
            <tr>
              <td>{time(at, reader)}</td>
              <td>{what.replaceAll('_', ' ')}</td>
              <td>{status}</td>
              <td class="text">{why}</td>
              <td>{witness.replace('key:', '')}</td>
            </tr>
          ))}
        </Table>
      </section>
      <RunLink reader={reader} id={templateWorkflowId(template)} />
    </SubPage>,
    refusal?.status ?? 200,
  );
}

function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.toLowerCase() : undefined;
}

/** An operator's word on a review that everpost cannot read. */
function Review({ reader, template, refusal }: { reader: Reader; template: Template; refusal: Refusal | undefined }) {
  return (
    <div class="actions">
      <Confirmed summary="Set the review…" open={refusal !== undefined}>
        <p>Only if the panel of the gateway shows another verdict. It applies until the gateway shows a new one.</p>
        <Action reader={reader} to={`${pathOf(template)}/review`} label="Set the review" refusal={refusal}>
          <Field name="status" label="Verdict" refusal={refusal}>
            <select id="status" name="status" {...described('status', refusal)}>
              {Object.values(TemplateStatus).map((status) => (
                <option selected={status === (refusal?.form['status'] ?? template.status)}>{status}</option>
              ))}
            </select>
          </Field>
          <Field name="reason" label="Reason" refusal={refusal}>
            <input id="reason" name="reason" value={refusal?.form['reason']} {...described('reason', refusal)} />
          </Field>
        </Action>
      </Confirmed>
    </div>
  );
}
