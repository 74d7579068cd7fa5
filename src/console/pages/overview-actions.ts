import type { Pages } from '../page.js';

/** Actions of the overview. */
export function overviewActions(pages: Pages): void {
  pages.act('/opt-outs/:id/accept', async (c, { api }) => {
    await api.acceptPossibleOptOut({ id: c.req.param('id') ?? '' });
    return c.redirect('/?done=accepted', 303);
  });
  pages.act('/opt-outs/:id/dismiss', async (c, { api }) => {
    await api.dismissPossibleOptOut({ id: c.req.param('id') ?? '' });
    return c.redirect('/?done=dismissed', 303);
  });
}
