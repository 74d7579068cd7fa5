import type { TemplateListItem } from '../../http-client/index.js';
import { Empty, Facts, Pager, Pill } from '../elements.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { Time } from '../times.js';
import type { Tone } from '../words.js';

const MOST_SHOWN = 24;

export function templatePages(pages: Pages): void {
  pages.show('/templates', async (c, reader) => {
    const { items, cursor } = await reader.api.listTemplates({
      query: { cursor: c.req.query('cursor'), limit: MOST_SHOWN },
    });
    return c.html(
      <Page title="Templates" reader={reader} at="/templates">
        <h1>Templates</h1>
        {items.length === 0 ? (
          <Empty>There is no template yet. Submit one on the command line: everpost template submit FILE</Empty>
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

const REVIEWS: ReadonlyMap<string, readonly [label: string, tone: Tone]> = new Map([
  ['PENDING', ['In review', 'wait']],
  ['APPROVED', ['Approved', 'good']],
  ['REJECTED', ['Rejected', 'bad']],
  ['FAILED', ['Failed', 'bad']],
  ['PAUSED', ['Paused', 'wait']],
]);

const SUBMISSIONS: Readonly<Record<TemplateListItem['state'], readonly [label: string, tone: Tone]>> = {
  pending: ['Not submitted yet', 'wait'],
  sending: ['Being submitted', 'busy'],
  unknown: ['Checking the submission', 'wait'],
  submitted: ['Submitted', 'busy'],
  refused: ['Refused', 'bad'],
};

/** As a phone shows it, with its verdict. */
function TemplateCard({ reader: { locale, nowMs }, template }: { reader: Reader; template: TemplateListItem }) {
  const { elementName, instance, state, status, statusSince, reason, definition, unwatchedSince } = template;
  const [label, tone] =
    status === undefined ? SUBMISSIONS[state] : (REVIEWS.get(status) ?? ([status, 'wait'] as const));
  const { content, category, languageCode } = definition as Readonly<Record<string, unknown>>;
  return (
    <article class="card">
      <h2 class="name">{elementName}</h2>
      <Pill tone={tone}>{label}</Pill>
      <p class="bubble">{typeof content === 'string' ? content : ''}</p>
      {reason === undefined ? null : <p>The reason: {reason}</p>}
      {unwatchedSince === undefined ? null : (
        <p>Its review is not watched any more. Submit the template again to continue.</p>
      )}
      <Facts
        of={{
          Account: instance,
          Category: typeof category === 'string' ? category.toLowerCase() : undefined,
          Language: typeof languageCode === 'string' ? languageCode : undefined,
          Since: statusSince && <Time at={statusSince} locale={locale} nowMs={nowMs} />,
        }}
      />
    </article>
  );
}
