/**
 * The console: pages at the address of the API.
 *
 * CONSOLE-1 A page reads and changes through the API only, with the key of its reader. Rights, checks, limits and the
 *    audit list are those of the API, and a page offers what its reader's scopes allow.
 * CONSOLE-2 A page loads the files of files.ts and nothing else, and runs no script that stands in it.
 * CONSOLE-3 A form carries its reader's token and its own Idempotency-Key: sent twice, it takes effect once.
 */
import { Hono } from 'hono';
import type { PagesDoor } from '../../api/index.js';
import { FILES } from '../files.js';
import { createPages } from '../page.js';
import { planPages } from './campaign-plan.js';
import { campaignPages } from './campaign.js';
import { campaignListPages } from './campaigns.js';
import { contactPages } from './contact.js';
import { conversationPages } from './conversation.js';
import { erasurePages } from './erasure.js';
import { inboxPages } from './inbox.js';
import { messagePages } from './message.js';
import { messageListPages } from './messages.js';
import { keyPages } from './keys.js';
import { newCampaignPages } from './new-campaign.js';
import { newTemplatePages } from './new-template.js';
import { eventEndpointPages } from './event-endpoint.js';
import { eventPages } from './events.js';
import { findingPages } from './findings.js';
import { instancePages } from './instance.js';
import { instanceListPages } from './instances.js';
import { overviewPages } from './overview.js';
import { recipientPages } from './recipients.js';
import { referencePages } from './reference.js';
import { schedulePages } from './schedules.js';
import { sendPages } from './send.js';
import { signInPages } from './sign-in.js';
import { suppressionPages } from './suppression.js';
import { templateDetailPages } from './template.js';
import { templatePages } from './templates.js';
import { createSessions } from '../session.js';

/** The address of a file changes with its content. */
const KEPT = 'public, max-age=31536000, immutable';
/** During an upgrade, the page of another version asks for a content that this process does not have. */
const OF_ANOTHER_VERSION = 'no-store';

export function createConsole(door: PagesDoor): Hono {
  const app = new Hono();
  for (const { path, hash, type, content } of Object.values(FILES)) {
    app.get(path, (c) => {
      const caching = c.req.query(hash) === undefined ? OF_ANOTHER_VERSION : KEPT;
      return c.body(content, 200, { 'Content-Type': type, 'Cache-Control': caching });
    });
  }
  const sessions = createSessions(door);
  const pages = createPages(app, door, sessions);
  signInPages(pages, door, sessions);
  overviewPages(pages);
  campaignListPages(pages);
  // Before the pages of an id.
  newCampaignPages(pages);
  campaignPages(pages);
  planPages(pages);
  recipientPages(pages);
  messageListPages(pages);
  messagePages(pages);
  inboxPages(pages);
  conversationPages(pages);
  contactPages(pages);
  erasurePages(pages);
  sendPages(pages);
  schedulePages(pages);
  templatePages(pages);
  newTemplatePages(pages);
  templateDetailPages(pages);
  suppressionPages(pages);
  instanceListPages(pages);
  instancePages(pages);
  findingPages(pages);
  eventPages(pages);
  eventEndpointPages(pages);
  keyPages(pages);
  referencePages(pages);
  pages.missing();
  return app;
}
