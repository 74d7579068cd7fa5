import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { STEER_WITHIN_MS, type ApiClient } from '../../client/index.js';
import { AppError, ErrorNext, type CampaignId, type ErrorCode, type MessageId } from '../../contract/index.js';
import type { AskedCampaign } from './account/campaign-account.js';
import type { AccountChange, PlannedCampaign } from './plan/campaign-plan.js';
import type { Count, GatewayUnderTest } from './gateway-under-test.js';
import { ORDER_TEMPLATE } from './order-template.js';
import type { PlannedMessage } from './plan/plan.js';
import type { PlannedTemplate } from './plan/rolling.js';

/** Short, so that messages move while an account is lost. */
const MOVE_AFTER = '2s';

const TEMPLATE_POLL_MS = 1_000;

/** A killed product is back within seconds. */
const ASK_AGAIN_MS = 150;

/** A message as its sender knows it: the request, and the id from the acknowledgement. */
export interface AskedSingle {
  readonly planned: PlannedMessage;
  readonly id?: MessageId;
}

type Changing<Asked> = { -readonly [Fact in keyof Asked]: Asked[Fact] };
type Campaign = Changing<AskedCampaign> & {
  readonly prepared: Promise<boolean>;
  pauses: number;
  accountChanges: number;
};

export type Backend = ReturnType<typeof createBackend>;

/**
 * Stands for a backend that sends and edits messages, and runs campaigns. It requests everything in the background, and
 * retries a request as a backend should: with the same body and the same key, until there is a response.
 * @param stop  aborted to reject the requests that still wait for a response
 */
export function createBackend(api: ApiClient, gateway: GatewayUnderTest, stop: AbortSignal) {
  const messages: Changing<AskedSingle>[] = [];
  const campaigns: Campaign[] = [];
  const templates: PlannedTemplate[] = [];
  const approved: string[] = [];
  const underWay: Promise<unknown>[] = [];
  const surprises: string[] = [];

  function track<Work extends Promise<unknown>>(work: Work): Work {
    // `responded` reports the error.
    work.catch(() => undefined);
    underWay.push(work);
    return work;
  }

  /** @returns undefined if the API refused the request for good */
  async function untilResponse<Result>(what: string, request: () => Promise<Result>): Promise<Result | undefined> {
    for (;;) {
      stop.throwIfAborted();
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.next !== ErrorNext.wait) {
          surprises.push(`${what}: ${error.code}`);
          return undefined;
        }
        await delay(ASK_AGAIN_MS, undefined, { signal: stop });
      }
    }
  }

  async function send(message: Changing<AskedSingle>): Promise<void> {
    const { number, instance, to, text, onUnknown, idempotencyKey: key, edits } = message.planned;
    const body = { instance, to, content: { kind: 'text' as const, text }, onUnknown };
    const begun = await untilResponse(`message ${number}`, () => api.sendMessage({ body, key }));
    if (begun === undefined) return;
    message.id = begun.id;
    for (const { text: newText, idempotencyKey, afterMs } of edits) {
      await delay(afterMs, undefined, { signal: stop });
      const edit = { id: begun.id, body: { text: newText }, key: idempotencyKey, query: { timeoutMs: 0 } };
      // The outcome of the edit does not matter here: the account compares the ledger with the phone.
      await untilResponse(`message ${number}`, () => unlessRefused('EDIT_NOT_POSSIBLE', () => api.editMessage(edit)));
    }
  }

  async function prepare(campaign: PlannedCampaign): Promise<boolean> {
    const { id, instances, text, priority, onUnknown, highWater, recipients } = campaign;
    const body = { instances, content: { kind: 'text', text }, priority, onUnknown, highWater, moveAfter: MOVE_AFTER };
    const defined = await untilResponse(`definition of campaign ${id}`, () => api.defineCampaign({ id, body }));
    if (defined === undefined) return false;
    const lines = recipients.map(({ to, name }) => `${JSON.stringify({ phone: to, name })}\n`);
    const imported = await untilResponse(`import of campaign ${id}`, () =>
      api.importRecipients({ id, file: { type: 'application/x-ndjson', body: Readable.from(lines) } }),
    );
    return imported !== undefined;
  }

  async function start(campaign: Campaign): Promise<void> {
    const { id, recipients } = campaign.planned;
    if (!(await campaign.prepared)) return;
    for (const { to, gatewayFault } of recipients) {
      if (gatewayFault !== undefined) await gateway.breakNextSendTo(chatOf(to), gatewayFault);
    }
    const started = await untilResponse(`start of campaign ${id}`, () => api.startCampaign({ id, body: {} }));
    if (started === undefined) return;
    campaign.isStarted = true;
    await Promise.all([pauseOnce(campaign), changeAccounts(campaign)]);
  }

  async function pauseOnce(campaign: Campaign): Promise<void> {
    const { id, recipients, pause } = campaign.planned;
    await delay(pause.afterMs, undefined, { signal: stop });
    if (!(await steer(id, 'pause'))) return;
    const pausedAtMs = Date.now();
    await delay(pause.forMs, undefined, { signal: stop });
    const chats = new Set(recipients.map(({ to }) => chatOf(to)));
    campaign.sentWhilePaused = gateway.sendsSince(pausedAtMs, chats);
    if (await steer(id, 'resume')) campaign.pauses += 1;
  }

  /** PAIR-5 */
  async function changeAccounts(campaign: Campaign): Promise<void> {
    for (const change of campaign.planned.accountChanges) {
      await delay(change.afterMs, undefined, { signal: stop });
      await changeAccount(campaign.planned, change, 'begin');
      await delay(change.forMs, undefined, { signal: stop });
      await changeAccount(campaign.planned, change, 'end');
      campaign.accountChanges += 1;
    }
  }

  async function changeAccount(
    { id, instances }: PlannedCampaign,
    { kind, instance }: AccountChange,
    which: 'begin' | 'end',
  ): Promise<void> {
    const [what, isBegun] = [`${which} of ${kind} ${instance} in campaign ${id}`, which === 'begin'];
    if (kind === 'not authorized') return gateway.setState(instance, isBegun ? 'notAuthorized' : 'authorized');
    if (kind === 'paused') {
      const request = { name: instance, key: `${id}-${what}` };
      await untilResponse<unknown>(what, () => (isBegun ? api.pauseInstance(request) : api.resumeInstance(request)));
      return;
    }
    const body = { instances: isBegun ? instances.filter((other) => other !== instance) : instances };
    const request = { id, body, key: `${id}-${what}`, waitMs: STEER_WITHIN_MS };
    // A pause or resume that was requested later may come first.
    await untilResponse(what, () => unlessRefused('COMMAND_SUPERSEDED', () => api.updateCampaign(request)));
  }

  async function submitTemplate({ instance, elementName }: PlannedTemplate): Promise<void> {
    const what = `template ${elementName}`;
    const template = { ...ORDER_TEMPLATE, elementName };
    await untilResponse(what, () => api.submitTemplate({ body: { instance, template } }));
    while (!(await gateway.approve(elementName))) await delay(ASK_AGAIN_MS, undefined, { signal: stop });
    for (;;) {
      const read = await untilResponse(what, () => api.getTemplate({ instance, elementName }));
      if (read === undefined || read.status === 'APPROVED') break;
      await delay(TEMPLATE_POLL_MS, undefined, { signal: stop });
    }
    approved.push(elementName);
    const submissions = gateway.submissionsOf(elementName);
    if (submissions > 1) surprises.push(`${what} was submitted ${submissions} times`);
  }

  /** @returns false if the campaign had ended before */
  async function steer(id: CampaignId, wish: 'pause' | 'resume'): Promise<boolean> {
    const request = { id, key: `${id}-${wish}`, waitMs: STEER_WITHIN_MS };
    const granted = await untilResponse(`${wish} of campaign ${id}`, () =>
      unlessRefused('CAMPAIGN_ENDED', () =>
        wish === 'pause' ? api.pauseCampaign(request) : api.resumeCampaign({ ...request, body: {} }),
      ),
    );
    return granted ?? false;
  }

  return {
    /** Requests a message and, after its acknowledgement, its edits. */
    ask(planned: PlannedMessage): void {
      const message = { planned };
      messages.push(message);
      void track(send(message));
    },
    /** Defines a campaign and imports its recipients. */
    prepare(planned: PlannedCampaign): void {
      const prepared = track(prepare(planned));
      campaigns.push({ planned, prepared, isStarted: false, sentWhilePaused: 0, pauses: 0, accountChanges: 0 });
    },
    /** Starts a prepared campaign and pauses and resumes it as planned. */
    start(planned: PlannedCampaign): void {
      for (const campaign of campaigns) if (campaign.planned === planned) void track(start(campaign));
    },
    /** Submits a template, which the gateway approves, and waits until everpost knows that. */
    submit(planned: PlannedTemplate): void {
      templates.push(planned);
      void track(submitTemplate(planned));
    },
    /** All messages requested so far. */
    asked: messages as readonly AskedSingle[],
    campaigns: campaigns as readonly AskedCampaign[],
    /** Responses that no request should get: the request and the error code. */
    surprises: surprises as readonly string[],
    /** Resolves when every request has a response, follow-up requests included. */
    responded: () => Promise.all(underWay),
    /** How often templates, and pauses and losses of accounts, were planned and happened. */
    counts(): ReadonlyMap<string, Count> {
      const ofTemplates: [string, Count][] =
        templates.length === 0
          ? []
          : [['template submitted and approved', { planned: templates.length, fired: approved.length }]];
      if (campaigns.length === 0) return new Map(ofTemplates);
      const sum = (countOf: (campaign: Campaign) => number) =>
        campaigns.reduce((total, campaign) => total + countOf(campaign), 0);
      const changes = sum(({ planned }) => planned.accountChanges.length);
      return new Map([
        ...ofTemplates,
        ['campaign paused and resumed', { planned: campaigns.length, fired: sum(({ pauses }) => pauses) }],
        ...(changes === 0
          ? []
          : [
              [
                'account lost and regained',
                { planned: changes, fired: sum(({ accountChanges }) => accountChanges) },
              ] as const,
            ]),
      ]);
    },
  };
}

/** @returns whether the request was granted; false if it was refused with this code */
async function unlessRefused(code: ErrorCode, request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === code) return false;
    throw error;
  }
}

function chatOf(to: string): string {
  return `${to}@c.us`;
}
