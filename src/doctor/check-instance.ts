import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  Secret,
  lacksWebhookToken,
  type AccountState,
  type Finding,
  type InstanceConfig,
  present,
} from '../contract/index.js';
import { isAccountState, isSendingState } from '../domain/index.js';
import { NEEDED_FLAGS, type Gateway, type OperationResponse } from '../gateway/index.js';
import type { Examination, SettingsChange } from './finding.js';

/** The remedy for each state of an account; undefined if only the gateway's console has one. */
const STATE_REMEDIES: Readonly<Record<AccountState, string | undefined>> = {
  authorized: undefined,
  notAuthorized: 'Link the phone again. Until then messages wait, and the gateway keeps what it has for 24 hours.',
  blocked: 'The network has banned the account. Stop sending through it; use another one.',
  sleepMode: 'The phone is off. Switch it on; it takes up to five minutes.',
  starting: 'It is starting; wait up to five minutes. If it does not end, reboot the instance.',
  yellowCard:
    'The network suspects spam. Send nothing for some days, reboot the instance, then run: everpost instance resume.',
  suspended: undefined,
};

interface CheckOptions {
  /** The address at which the gateway reaches the receiver, without a trailing slash. Absent if not configured. */
  readonly publicUrl?: string | undefined;
  /** Whether other machines can reach the receiver. @default false */
  readonly isExposed?: boolean;
  /** For an instance without a token. Absent without an instances file. */
  readonly newToken?: Secret | undefined;
}

/** Reads an account's state and settings, and reports the settings that must change. Changes nothing. */
export async function checkInstance(
  gateway: Gateway,
  instance: InstanceConfig,
  options: CheckOptions,
): Promise<Examination> {
  const { name } = instance;
  const subject = `instance ${name}`;
  try {
    const { response: state } = await retryWhileBusy(() => gateway.call(name, 'getStateInstance', {}));
    const { response: settings } = await retryWhileBusy(() => gateway.call(name, 'getSettings', {}));
    const compared = compareSettings(instance, settings, options);
    const findings = compared.map((one): Finding => {
      const { verdict, found, remedy, change } = one;
      if (change === undefined) return { subject, verdict, found, ...present({ remedy }) };
      // Only names of settings are shown: a value may be a token.
      const names = [...(one.webhookToken === undefined ? [] : [TOKEN_IN_FILE]), ...Object.keys(change)].join(', ');
      return { subject, verdict, found, remedy: `Run: everpost doctor --fix (sets ${names})`, isFixable: true };
    });
    const webhookToken = compared.find((one) => one.webhookToken !== undefined)?.webhookToken;
    const change: SettingsChange = Object.assign({}, ...compared.map((one) => one.change));
    const isRight = webhookToken === undefined && Object.keys(change).length === 0;
    return {
      findings: [stateFinding(subject, state.stateInstance), ...findings],
      changes: isRight ? [] : [{ instance: name, change, ...present({ webhookToken }) }],
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message } = error;
    const busy = 'busy: asked too often (429), by everpost or by another program, so its settings are not checked';
    const failed: Finding =
      code === 'GATEWAY_BUSY'
        ? { subject, verdict: 'unknown', found: busy, remedy: 'Run the doctor again in a minute.' }
        : { subject, verdict: 'broken', found: `${message} [${code}]` };
    if (options.newToken === undefined || !lacksWebhookToken(instance)) return { findings: [failed], changes: [] };
    const remedy = 'Once the gateway responds, run: everpost doctor --fix';
    return { findings: [failed, { subject, ...unguarded(options), remedy }], changes: [] };
  }
}

/** The gateway takes each of these requests once a second for an account, also from workers and other doctors. */
const ASK_AGAIN_MS = 1_100;
/** How long one request is repeated while the gateway is busy. */
const BUSY_BUDGET_MS = 20_000;

/** Waits as long as the gateway asks. @throws AppError GATEWAY_BUSY if that takes too long */
async function retryWhileBusy<Result>(ask: () => Promise<Result>): Promise<Result> {
  const untilMs = performance.now() + BUSY_BUDGET_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'GATEWAY_BUSY') throw error;
      // Doctors that started together would otherwise ask together again.
      const pauseMs = (error.retryAfterMs ?? ASK_AGAIN_MS) * (1 + Math.random());
      if (performance.now() + pauseMs > untilMs) throw error;
      await delay(pauseMs);
    }
  }
}

function stateFinding(subject: string, state: string | null): Finding {
  if (state !== null && isSendingState(state)) return { subject, verdict: 'ok', found: state };
  const known = state ?? 'starting';
  const remedy = (isAccountState(known) && STATE_REMEDIES[known]) || "See the gateway's own console.";
  return { subject, verdict: 'broken', found: state ?? 'is being created', remedy };
}

const TOKEN_IN_FILE = 'webhookToken in the instances file';

/*
 * The settings that an account needs for everpost to see all notifications. Pure rules; no text contains a token.
 */

export type Settings = OperationResponse<'getSettings'>;

/** A finding about the settings, and the change that corrects it. */
interface SettingFinding {
  readonly verdict: 'ok' | 'advice' | 'broken';
  readonly found: string;
  readonly remedy?: string;
  /** Absent if no setting corrects it, or the right value is unknown. */
  readonly change?: SettingsChange;
  /** The token to write to the instances file. */
  readonly webhookToken?: Secret;
}

/** The gateway advises against a longer delay: messages behind a full queue are sent hours later. */
const LONG_DELAY_MS = 300_000;

/** Compares settings with those needed. */
export function compareSettings(
  instance: InstanceConfig,
  settings: Settings,
  options: CheckOptions,
): readonly SettingFinding[] {
  const findings: SettingFinding[] = [];
  if (instance.notifications !== 'poll') {
    findings.push(...pushedTo(instance, settings, options));
  } else if (settings.webhookUrl) {
    const found = 'webhookUrl is set, so the gateway pushes notifications and polls get none';
    findings.push({ verdict: 'broken', found, change: { webhookUrl: '' } });
  } else {
    findings.push({ verdict: 'ok', found: 'notifications are polled' });
  }
  for (const { name, verdict, consequence } of NEEDED_FLAGS) {
    // A gateway that lacks a setting does not show it, and might refuse a change that contains it.
    const isNeeded = settings[name] !== undefined || verdict === 'broken';
    if (settings[name] === 'yes' || !isNeeded) continue;
    findings.push({ verdict, found: `${name} is off: ${consequence}`, change: { [name]: 'yes' } });
  }
  const { sendDelayMs } = instance;
  const { delaySendMessagesMilliseconds: delayMs } = settings;
  const found = `releases one message every ${delayMs ?? '?'} ms`;
  if (sendDelayMs !== undefined && delayMs !== sendDelayMs) {
    const otherwise = `${found}, and the instances file says ${sendDelayMs} ms`;
    findings.push({ verdict: 'advice', found: otherwise, change: { delaySendMessagesMilliseconds: sendDelayMs } });
  } else if (typeof delayMs === 'number' && delayMs > LONG_DELAY_MS) {
    const remedy = `Set a shorter sendDelayMs in the instances file, and run: everpost doctor --fix`;
    findings.push({ verdict: 'advice', found: `${found}: an urgent message may wait for hours`, remedy });
  } else if (typeof delayMs === 'number') {
    findings.push({ verdict: 'ok', found });
  }
  return findings;
}

function pushedTo(instance: InstanceConfig, settings: Settings, options: CheckOptions): SettingFinding[] {
  const path = `/webhooks/${instance.name}`;
  const needed = options.publicUrl && `${options.publicUrl}${path}`;
  const given = settings.webhookUrl ?? '';
  const [token] = instance.webhookTokens ?? [];
  const isRight = needed === undefined ? given.endsWith(path) : given === needed;
  if (isRight) {
    const findings: SettingFinding[] = [{ verdict: 'ok', found: `notifications go to ${path}` }];
    const bare = (one: string) => one.replace(/^Bearer /, '');
    const sent = bare(settings.webhookUrlToken ?? '');
    if (token !== undefined && !instance.webhookTokens?.some((one) => bare(one.reveal()) === sent)) {
      const found =
        "the gateway's webhookUrlToken is not in the instances file: its notifications are refused with 401";
      findings.push({ verdict: 'broken', found, change: { webhookUrlToken: token.reveal() } });
    }
    return [...findings, ...firstToken(instance, settings, options)];
  }
  const found =
    given === ''
      ? 'no webhookUrl: no notification arrives'
      : `webhookUrl is not ${needed ?? `…${path}`}: its notifications do not arrive here`;
  if (needed === undefined) {
    const remedy = `Set EVERPOST_PUBLIC_URL to where the gateway reaches the receiver, and run: everpost doctor --fix. Without a public address: "notifications": "poll" in the instances file.`;
    return [{ verdict: 'broken', found, remedy }, ...firstToken(instance, undefined, options)];
  }
  const withToken = token === undefined ? {} : { webhookUrlToken: token.reveal() };
  const address: SettingFinding = { verdict: 'broken', found, change: { webhookUrl: needed, ...withToken } };
  return [address, ...firstToken(instance, { webhookUrlToken: '' }, options)];
}

/**
 * The finding for an instance without a webhook token. If the gateway already sends a token to us, it is used.
 * @param settings  undefined if they belong to another receiver, and must not change
 */
function firstToken(
  instance: InstanceConfig,
  settings: Pick<Settings, 'webhookUrlToken'> | undefined,
  options: CheckOptions,
): SettingFinding[] {
  const { newToken } = options;
  if (newToken === undefined || !lacksWebhookToken(instance)) return [];
  const sent = settings?.webhookUrlToken?.trim() ?? '';
  const webhookToken = sent === '' ? newToken : new Secret(sent);
  const change = settings === undefined || sent !== '' ? {} : { webhookUrlToken: newToken.reveal() };
  return [{ ...unguarded(options), change, webhookToken }];
}

function unguarded({ isExposed = false }: CheckOptions): Pick<SettingFinding, 'verdict' | 'found'> {
  return isExposed
    ? {
        verdict: 'broken',
        found: 'no webhookToken: its notifications are refused, since other machines can reach the receiver',
      }
    : { verdict: 'advice', found: 'no webhookToken: any program on this machine can forge its notifications' };
}
