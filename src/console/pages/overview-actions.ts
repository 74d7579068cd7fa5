import { doneAt } from '../form.js';
import type { Pages } from '../page.js';

/** Actions of the overview, some of which other pages offer too. */
export function overviewActions(pages: Pages): void {
  pages.act('/opt-outs/:id/accept', async (c, { api }, form) => {
    await api.acceptPossibleOptOut({ id: c.req.param('id') ?? '' });
    return c.redirect(doneAt(form, 'accepted'), 303);
  });
  pages.act('/opt-outs/:id/dismiss', async (c, { api }, form) => {
    await api.dismissPossibleOptOut({ id: c.req.param('id') ?? '' });
    return c.redirect(doneAt(form, 'dismissed'), 303);
  });
}
