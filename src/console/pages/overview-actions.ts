import { doneAt } from '../form.js';
import type { Pages } from '../page.js';

/** Actions of the overview, some of which other pages offer too. */
export function overviewActions(pages: Pages): void {
  pages.act('/instances/:name/pause', async (c, { api }, { key }) => {
    await api.pauseInstance({ name: c.req.param('name') ?? '', key, query: { timeoutMs: 5_000 } });
    return c.redirect('/?done=instance-paused', 303);
  });
  pages.act('/instances/:name/resume', async (c, { api }, { key }) => {
    await api.resumeInstance({ name: c.req.param('name') ?? '', key });
    return c.redirect('/?done=instance-resumed', 303);
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
