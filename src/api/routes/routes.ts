/** All routes. The server, openapi.json and the client are derived from them. */
import type { Route } from '../route.js';
import { ACCOUNT_ROUTES } from './instances/account.js';
import { CAMPAIGN_ROUTES } from './campaigns.js';
import { CODEC_ROUTES } from './codec.js';
import { CONTACT_ROUTES } from './contacts.js';
import { EDIT_ROUTES } from './edits.js';
import { ERASURE_ROUTES } from './erasures.js';
import { EVENT_ENDPOINT_ROUTES } from './events/event-endpoints.js';
import { EVENT_ROUTES } from './events/events.js';
import { FILE_ROUTES } from './files.js';
import { FINDING_ROUTES } from './findings.js';
import { INSTANCE_ROUTES } from './instances/instances.js';
import { KEY_ROUTES } from './keys.js';
import { MESSAGE_ROUTES } from './messages.js';
import { NOTIFICATION_ROUTES } from './notifications.js';
import { OPERATION_ROUTES } from './instances/operations.js';
import { RECIPIENT_ROUTES } from './recipients.js';
import { REPORT_ROUTES } from './reports.js';
import { SCHEDULE_ROUTES } from './schedules.js';
import { SERVICE_ROUTES } from './service.js';
import { SUPPRESSION_ROUTES } from './suppressions.js';
import { TEMPLATE_ROUTES } from './templates.js';

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
