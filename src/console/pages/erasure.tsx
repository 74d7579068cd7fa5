import type { ApiResponse } from '../../http-client/index.js';
import { Facts, Pill } from '../elements.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { time, counted } from '../times.js';

const EVERY_MS = 2_000;

type Erasure = ApiResponse<'getErasure'>;

/** The receipt of an erasure, without the number. */
export function erasurePages(pages: Pages): void {
  pages.show(
    '/erasures/:id',
    async (c, reader) => {
      const erasure = await reader.api.getErasure({ id: c.req.param('id') ?? '' });
      return c.html(
        <Page title="Erasure" reader={reader} at="/contacts" done={c.req.query('done')}>
          <h1>Erasure of a contact</h1>
          <div data-live>
            <Receipt reader={reader} erasure={erasure} />
          </div>
        </Page>,
      );
    },
    {
      everyMs: EVERY_MS,
      render: async (c, reader) => (
        <Receipt reader={reader} erasure={await reader.api.getErasure({ id: c.req.param('id') ?? '' })} />
      ),
    },
  );
}

function Receipt({ reader, erasure }: { reader: Reader; erasure: Erasure }) {
  const { id, state, requestedBy, requestedAt, endedAt, rows, waiting, kept, notReached } = erasure;
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const waits = Object.entries(waiting).map(([what, count]) => `${count} ${what}`);
  const keptRows = Object.entries(kept);
  return (
    <>
      <section class="card" aria-label="State">
        <p class="headline">
          {state === 'done' ? <Pill tone="good">Done</Pill> : <Pill tone="busy">Under way</Pill>}{' '}
          {state === 'done'
            ? 'The contact is erased.'
            : waits.length === 0
              ? 'A worker erases the contact. Nothing is sent to them any more.'
              : `It waits for work in flight: ${waits.join(', ')}. Nothing is sent to the contact any more.`}
        </p>
        <Facts
          of={{
            Requested: time(requestedAt, reader),
            'Requested by': requestedBy.replace('key:', ''),
            Ended: time(endedAt, reader),
            Erased: counted(total, 'row', reader),
            Receipt: <code>{id}</code>,
          }}
        />
      </section>
      {keptRows.length === 0 ? null : (
        <section aria-labelledby="kept">
          <h2 id="kept">Still contains the number</h2>
          <p>It belongs to others and is still to be sent or found by. Erase the contact again once it has ended.</p>
          <ul>
            {keptRows.map(([table, { count, ids }]) => (
              <li>
                {counted(count, 'row', reader)} of {table}: {ids.join(', ')}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="not-reached">
        <h2 id="not-reached">What no erasure reaches</h2>
        <ul>
          {notReached.map((what) => (
            <li>{what}</li>
          ))}
        </ul>
      </section>
    </>
  );
}
