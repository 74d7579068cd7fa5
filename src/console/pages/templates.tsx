import type { TemplateListItem } from '../../http-client/index.js';
import { Empty, Facts, Pager, Pill } from '../elements.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { time } from '../times.js';
import type { Tone } from '../words.js';
import { TemplatePreview } from './template-preview.js';

const MOST_SHOWN = 24;

export function templatePages(pages: Pages): void {
  pages.show('/templates', async (c, reader) => {
    const { items, cursor } = await reader.api.listTemplates({
      query: { cursor: c.req.query('cursor'), limit: MOST_SHOWN },
    });
    return c.html(
      <Page title="Templates" reader={reader} at="/templates">
        <h1>Templates</h1>
        {reader.may('send') && (
          <p class="actions">
            <a class="button" href="/templates/new">
              New template
            </a>
          </p>
        )}
        {items.length === 0 ? (
          <Empty>There is no template yet.</Empty>
        ) : (
          <div class="cards">
            {items.map((template) => (
              <TemplateCard reader={reader} template={template} />
            ))}
          </div>
        )}
        <Pager path="/templates" query={new URL(c.req.url).searchParams} cursor={cursor} />
      </Page>,
    );
  });
}

const REVIEWS: ReadonlyMap<string, Verdict> = new Map([
  ['PENDING', ['In review', 'wait']],
  ['APPROVED', ['Approved', 'good']],
  ['REJECTED', ['Rejected', 'bad']],
  ['FAILED', ['Failed', 'bad']],
  ['PAUSED', ['Paused', 'wait']],
]);

const SUBMISSIONS: Readonly<Record<TemplateListItem['state'], Verdict>> = {
  pending: ['Not submitted yet', 'wait'],
  sending: ['Being submitted', 'busy'],
  unknown: ['Checking the submission', 'wait'],
  submitted: ['Submitted', 'busy'],
  refused: ['Refused', 'bad'],
};

type Verdict = readonly [label: string, tone: Tone];

/** Of the review or, before it, of the submission. */
export function verdictOf({ state, status }: Pick<TemplateListItem, 'state' | 'status'>): Verdict {
  return status === undefined ? SUBMISSIONS[state] : (REVIEWS.get(status) ?? [status, 'wait']);
}

/** As a phone shows it, with its verdict. */
function TemplateCard({ reader, template }: { reader: Reader; template: TemplateListItem }) {
  const { elementName, instance, statusSince, reason, definition } = template;
  const [label, tone] = verdictOf(template);
  return (
    <article class="card">
      <h2 class="name">
        <a href={`/templates/${encodeURIComponent(instance)}/${encodeURIComponent(elementName)}`}>{elementName}</a>
      </h2>
      <Pill tone={tone}>{label}</Pill>
      <TemplatePreview definition={definition} />
      {reason === undefined ? null : <p>The reason: {reason}</p>}
      <Facts
        of={{
          Account: instance,
          Since: time(statusSince, reader),
        }}
      />
    </article>
  );
}
