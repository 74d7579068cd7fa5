import type { Migration } from 'kysely';
import * as ledger from './0001-ledger.js';
import * as reconciling from './0002-reconciling.js';
import * as rateLimitBuckets from './0003-rate-limit-buckets.js';
import * as instanceStates from './0004-instance-states.js';
import * as drivenMessages from './0005-driven-messages.js';
import * as retryAt from './0006-retry-at.js';
import * as idLock from './0007-id-lock.js';
import * as campaigns from './0008-campaigns.js';
import * as templates from './0009-templates.js';
import * as webhooks from './0010-webhooks.js';
import * as pauses from './0011-pauses.js';
import * as suppressions from './0012-suppressions.js';
import * as notificationsApart from './0013-notifications-apart.js';
import * as gatewayClock from './0014-gateway-clock.js';
import * as commands from './0015-commands.js';
import * as receiptTimes from './0016-receipt-times.js';
import * as campaignPlans from './0017-campaign-plans.js';
import * as messageWorkflows from './0018-message-workflows.js';
import * as shortIds from './0019-short-ids.js';

/** Every migration there is, by the name under which a database remembers it. Only ever added to. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-ledger': ledger,
  '0002-reconciling': reconciling,
  '0003-rate-limit-buckets': rateLimitBuckets,
  '0004-instance-states': instanceStates,
  '0005-driven-messages': drivenMessages,
  '0006-retry-at': retryAt,
  '0007-id-lock': idLock,
  '0008-campaigns': campaigns,
  '0009-templates': templates,
  '0010-webhooks': webhooks,
  '0011-pauses': pauses,
  '0012-suppressions': suppressions,
  '0013-notifications-apart': notificationsApart,
  '0014-gateway-clock': gatewayClock,
  '0015-commands': commands,
  '0016-receipt-times': receiptTimes,
  '0017-campaign-plans': campaignPlans,
  '0018-message-workflows': messageWorkflows,
  '0019-short-ids': shortIds,
};
