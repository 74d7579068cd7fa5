/** All routes. The server, openapi.json and the client are derived from them. */
import type { Route } from './route.js';
import { ACCOUNT_ROUTES } from './routes/instances/account.js';
import { CAMPAIGN_ROUTES } from './routes/campaigns.js';
import { CODEC_ROUTES } from './routes/codec.js';
import { CONTACT_ROUTES } from './routes/contacts.js';
import { EDIT_ROUTES } from './routes/edits.js';
import { ERASURE_ROUTES } from './routes/erasures.js';
import { EVENT_ENDPOINT_ROUTES } from './routes/events/event-endpoints.js';
import { EVENT_ROUTES } from './routes/events/events.js';
import { FILE_ROUTES } from './routes/files.js';
import { FINDING_ROUTES } from './routes/findings.js';
import { INSTANCE_ROUTES } from './routes/instances/instances.js';
import { KEY_ROUTES } from './routes/keys.js';
import { MESSAGE_ROUTES } from './routes/messages.js';
import { NOTIFICATION_ROUTES } from './routes/notifications.js';
import { OPERATION_ROUTES } from './routes/instances/operations.js';
import { RECIPIENT_ROUTES } from './routes/recipients.js';
import { REPORT_ROUTES } from './routes/reports.js';
import { SCHEDULE_ROUTES } from './routes/schedules.js';
import { SERVICE_ROUTES } from './routes/service.js';
import { SUPPRESSION_ROUTES } from './routes/suppressions.js';
import { TEMPLATE_ROUTES } from './routes/templates.js';

export const ROUTES = {
  ...MESSAGE_ROUTES,
  ...EDIT_ROUTES,
  ...FILE_ROUTES,
  ...CAMPAIGN_ROUTES,
  ...RECIPIENT_ROUTES,
  ...REPORT_ROUTES,
  ...ERASURE_ROUTES,
  ...TEMPLATE_ROUTES,
  ...SUPPRESSION_ROUTES,
  ...CONTACT_ROUTES,
  ...NOTIFICATION_ROUTES,
  ...EVENT_ENDPOINT_ROUTES,
  ...EVENT_ROUTES,
  ...OPERATION_ROUTES,
  ...SCHEDULE_ROUTES,
  ...INSTANCE_ROUTES,
  ...ACCOUNT_ROUTES,
  ...FINDING_ROUTES,
  ...CODEC_ROUTES,
  ...KEY_ROUTES,
  ...SERVICE_ROUTES,
} satisfies Record<string, Route>;

export type Routes = typeof ROUTES;
