/** The steps of a template with everything real, except Temporal: ledger, gateway client and simulator. */
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { followTemplate } from '../../src/activities/template-activities.js';
import { submitTemplate } from '../../src/activities/submit-template.js';
import {
  AppError,
  OPERATION_NAMES,
  Secret,
  present,
  type InstanceConfig,
  type MessageId,
  type TemplateContent,
  type TemplateDefinition,
  type TemplateInput,
  type TemplateSnapshot,
} from '../../src/contract/index.js';
import { createGateway } from '../../src/gateway/index.js';
import { jsonHash, type MessageView, type TemplateView } from '../../src/ledger/index.js';
import { startSimulator } from '../../src/simulator/index.js';
import { aLedger } from '../support/ledger/ledger.js';
import { claim } from '../support/send-once.js';
import { TEMPLATE } from '../support/template.js';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
export const POLL_MS = [15_000, MINUTE, 5 * MINUTE];
export const KEY = { instance: 'main', elementName: 'order_ready' };

export function aDefinition(more: Partial<TemplateDefinition> = {}): TemplateDefinition {
  return { ...TEMPLATE, elementName: KEY.elementName, enableSample: true, ...more };
}

export function anInput(definition: TemplateDefinition = aDefinition()): TemplateInput {
  const { elementName } = definition;
  const definitionHash = jsonHash(definition);
  return { instance: 'main', elementName, definition, definitionHash, requestedAt: '2026-01-01T00:00:00.000Z' };
}

export type TemplateWorld = Awaited<ReturnType<typeof aTemplateWorld>>;

export async function aTemplateWorld(instance: Partial<InstanceConfig> = {}) {
  let nowMs = Date.parse('2026-01-01T00:00:00.000Z');
  const clock = { nowMs: () => nowMs };
  const ledger = await aLedger();
  const simulator = await startSimulator({ clock, settings: {} });
  const config: InstanceConfig = {
    name: 'main',
    baseUrl: simulator.url,
    idInstance: '1101000001',
    apiTokenInstance: new Secret('simulator-token'),
    rateLimits: Object.fromEntries(OPERATION_NAMES.map((name) => [name, 0])),
    ...instance,
  };
  const gateway = createGateway({
    instances: { get: () => config, names: () => ['main'] },
    clock,
    gatewayTimeoutMs: 1_000,
    connectTimeoutMs: 1_000,
  });
  onTestFinished(async () => {
    await gateway.close();
    await simulator.close();
    await ledger.close();
  });
  const times = {
    postingDeadlineMs: 5_000,
    gatewayTimeoutMs: 1_000,
    settleTimeMs: 1_000,
    editConfirmTimeoutMs: 0,
    templatePollIntervalsMs: POLL_MS,
  };
  const deps = { ledger, gateway, clock, times, timesOf: () => times, log: () => undefined };

  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${simulator.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`simulator ${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
  /** One request to the simulator's control endpoints. */
  const control = (method: string, path: string, body?: unknown) => call(method, `/_sim/${path}`, body);
  /** One try of the submitting activity. */
  const submit = () => submitTemplate(deps, KEY);

  return {
    ledger,
    control,
    submit,
    /** Requested, and in the ledger. */
    ask: (definition?: TemplateDefinition) => ledger.templates.submit(anInput(definition), nowMs),
    /** Retries the activity as Temporal would, without the pauses. */
    async submitted(): Promise<TemplateSnapshot> {
      for (let tries = 0; tries < 10; tries += 1) {
        try {
          return await submit();
        } catch (error) {
          if (!(error instanceof AppError) || error.next === 'stop') throw error;
          nowMs += error.retryAfterMs ?? 1_000;
        }
      }
      throw new Error('never submitted');
    },
    follow: (seenVersion: number, polls = 1) => followTemplate(deps, { ...KEY, seenVersion }, polls),
    /** Stores a message of the template in the ledger. */
    async message(content: Omit<TemplateContent, 'kind'>): Promise<MessageId> {
      const id = `msg_${randomUUID().replaceAll('-', '')}` as MessageId;
      const request = {
        instance: 'main',
        chatId: '15550000002@c.us',
        content: { kind: 'template', ...content },
      } as const;
      await ledger.intake.open({ id, requestHash: id, request, expiresAtMs: nowMs + DAY, nowMs });
      return id;
    },
    /** Whether the dispatcher may post it now, or its state. */
    async claimed(id: MessageId): Promise<'claimed' | MessageView> {
      if ((await claim(deps, id)) !== undefined) return 'claimed';
      const view = await ledger.views.message(id, Date.now());
      if (view === undefined) throw new Error(`${id} is not in the ledger`);
      return view;
    },
    async view(): Promise<TemplateView> {
      const view = await ledger.templates.view(KEY);
      if (view === undefined) throw new Error('no such template');
      return view;
    },
    pass: (ms: number) => void (nowMs += ms),
    setReview: (status: string, reason?: string) =>
      control('POST', `templates/${KEY.elementName}/decision`, { status, ...present({ reason }) }),
    /** The names of the received operations, in order. */
    async requests(): Promise<string[]> {
      return ((await control('GET', 'requests')) as { method: string }[]).map(({ method }) => method);
    },
    /** All templates of the simulator. */
    async names(): Promise<string[]> {
      const path = '/waInstance1101000001/getTemplates/simulator-token';
      const { templates } = (await call('GET', path)) as { templates: { elementName: string }[] };
      return templates.map(({ elementName }) => elementName);
    },
    /** A createTemplate of another sender. */
    createElsewhere: (definition: TemplateDefinition) =>
      call('POST', '/waInstance1101000001/createTemplate/simulator-token', definition),
    outage: (isAway: boolean) => (isAway ? simulator.pauseListening() : simulator.resumeListening()),
  };
}
