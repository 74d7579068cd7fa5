import { payloadCodec } from '../../codec/index.js';
import { createChangeBell } from '../change-bell.js';
import type { Caller, InstanceDirectory } from '../../contract/index.js';
import type { Background } from '../background.js';
import { beginMessageWith } from '../begin-message.js';
import { amendmentRuns, startAmendmentWith } from '../campaigns/amendment-runs.js';
import { askGatewayWith } from '../campaigns/ask-gateway.js';
import { campaignRuns as openCampaignRuns } from '../campaigns/campaign-runs.js';
import { createCampaigns } from '../campaigns/campaigns.js';
import { followCampaignWith } from '../campaigns/follow-campaign.js';
import { createCampaignSteering } from '../campaigns/steer-campaign.js';
import { createCampaignWaker } from '../campaigns/wake-campaigns.js';
import { cancelMessageWith } from '../cancel-message.js';
import { resolveMessageWith } from '../resolve-message.js';
import { editMessageWith } from '../edit-message.js';
import { createEventEndpoints } from '../events/event-endpoints.js';
import { findIdWith } from '../find-id.js';
import { findMessageWith } from '../find-message.js';
import { instanceStatusWith } from '../instances/instance-status.js';
import { pauseInstanceWith } from '../instances/pause-instance.js';
import { resumeInstanceWith } from '../instances/resume-instance.js';
import { createKeys } from '../keys/keys.js';
import type { Keyring } from '../keys/keyring.js';
import { messageRuns } from '../message-runs.js';
import { operationRuns } from '../operation-runs.js';
import { createOperations } from '../operations.js';
import { createSchedules } from '../schedules/schedules.js';
import { syncScheduleWith } from '../schedules/sync-schedule.js';
import { temporalSchedules } from '../schedules/temporal-schedules.js';
import { createSuppressionList } from '../suppressions/suppressions.js';
import { createTemplates } from '../templates/templates.js';
import { templateRuns } from '../templates/template-runs.js';
import { createWaker } from '../wake-instance.js';
import { onlyInstances } from './access.js';
import type { ApiOptions } from './api.js';
import { docsPage } from './docs-page.js';
import { openApiDocument } from './openapi.js';
import { DEFAULT_MAX_IMPORT_BYTES } from './read-request.js';
import type { RouteDependencies } from './route-dependencies.js';
import { createWaiting } from './waiting.js';

interface Shared {
  readonly closing: AbortSignal;
  readonly background: Background;
  readonly isExposed: () => boolean;
  readonly keyring: Keyring;
}

/** What handlers work with, as their caller sees it: a key that is limited to some instances sees no other (ACCESS-2). */
export function dependenciesOfCallers(
  options: ApiOptions,
  { closing, background, isExposed, keyring }: Shared,
): (caller: Caller | undefined) => RouteDependencies {
  const { ledger, clock, checkOperation, log } = options;
  const { bell = createChangeBell(), maxImportBytes = DEFAULT_MAX_IMPORT_BYTES } = options;
  const allowPrivateCallbacks = options.allowPrivateCallbacks ?? false;
  const waiting = createWaiting(bell, closing);
  const runs = messageRuns(options);
  const campaignRuns = openCampaignRuns(options);
  const wake = background.track(createWaker(options));
  const followCampaign = background.track(followCampaignWith({ runs: campaignRuns, log }));
  const startAmendment = background.track(startAmendmentWith({ runs: amendmentRuns(options), log }));
  const wakeCampaigns = background.track(createCampaignWaker({ ...options, campaigns: ledger.campaigns }));
  const wakeAll = async (instance: string) => void (await Promise.all([wake(instance), wakeCampaigns(instance)]));
  const document = openApiDocument({ version: options.version, operations: options.operationDocs });
  const docs = docsPage(document);
  const codec = payloadCodec(options.encryption);
  const temporal = temporalSchedules(options);
  const sync = syncScheduleWith({ ledger, temporal, clock });
  const keys = createKeys({ ledger, clock, keyring, instances: options.instances });

  function seenIn(instances: InstanceDirectory, own?: readonly string[]): RouteDependencies {
    const signalRuns = () => options.receiver.signal();
    const core = { ledger, instances, runs, clock, bell, wake, followCampaign, signalRuns };
    const beginMessage = beginMessageWith({ ...core, load: options.load });
    const editMessage = editMessageWith(core);
    const findMessage = findMessageWith(core);
    const findId = findIdWith({ ledger, instances: own });
    const dependencies = { ledger, clock, instances, checkOperation, beginMessage, findMessage, findId, editMessage };
    const templates = createTemplates({ ...core, reachable: () => runs.reachable(), runs: templateRuns(options) });
    const operations = createOperations({ ...dependencies, templates, runs: operationRuns(options) });
    const askGateway = askGatewayWith({ operations, bell });
    return {
      ...dependencies,
      waiting,
      cancelMessage: cancelMessageWith(core),
      resolveMessage: resolveMessageWith(core),
      campaigns: createCampaigns({ ...dependencies, askGateway }),
      steering: createCampaignSteering({ ...core, checkOperation, startAmendment, runs: campaignRuns }),
      schedules: createSchedules({ ...options, instances, temporal, sync, allowPrivate: allowPrivateCallbacks }),
      templates,
      suppressions: createSuppressionList({ ledger, instances, clock }),
      eventEndpoints: createEventEndpoints({ ledger, instances, clock, allowPrivate: allowPrivateCallbacks }),
      operations,
      askGateway,
      instanceStatus: instanceStatusWith(dependencies),
      pauseInstance: pauseInstanceWith({ ...core, wake: wakeAll }),
      resumeInstance: resumeInstanceWith({ ...core, askGateway, wake: wakeAll }),
      keys,
      receiver: options.receiver,
      codec,
      isExposed,
      allowPrivateCallbacks,
      maxImportBytes,
      metrics: () => options.metrics.ofLedger(),
      document,
      docs,
    };
  }

  const unlimited = seenIn(options.instances);
  const limited = new Map<string, RouteDependencies>();

  return (caller) => {
    const own = caller?.instances;
    if (own === undefined) return unlimited;
    const list = own.join(' ');
    const known = limited.get(list) ?? seenIn(onlyInstances(options.instances, own), own);
    limited.set(list, known);
    return known;
  };
}
