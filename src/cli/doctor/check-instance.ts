import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  Secret,
  lacksWebhookToken,
  type AccountState,
  type InstanceConfig,
  present,
} from '../../contract/index.js';
import { isAccountState, isSendingState } from '../../domain/index.js';
import type { Gateway } from '../../gateway/index.js';
import type { Examination, Finding, NeededChange } from './finding.js';
import { compareSettings, unguarded, type SettingFinding, type SettingsChange } from './needed-settings.js';

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

export interface CheckOptions {
  /** Whether webhook tokens come from an instances file. */
  readonly knowsWebhookTokens: boolean;
  /** The address at which the gateway reaches the receiver; undefined if it is not configured. */
  readonly publicUrl: string | undefined;
  /** Whether other machines can reach the receiver. @default false */
  readonly isExposed?: boolean;
}

const TOKEN_BYTES = 32;

/** Reads an account's state and settings, and reports the settings that must change. Changes nothing. */
export async function checkInstance(
  gateway: Gateway,
  instance: InstanceConfig,
  { knowsWebhookTokens, publicUrl, isExposed = false }: CheckOptions,
): Promise<Examination> {
  const { name } = instance;
  const subject = `instance ${name}`;
  const newToken = knowsWebhookTokens ? new Secret(randomBytes(TOKEN_BYTES).toString('base64url')) : undefined;
  try {
    const { response: state } = await retryWhileBusy(() => gateway.call(name, 'getStateInstance', {}));
    const { response: settings } = await retryWhileBusy(() => gateway.call(name, 'getSettings', {}));
    const compared = compareSettings(instance, settings, publicUrl, { isExposed, newToken });
    const webhookToken = compared.find((one) => one.webhookToken !== undefined)?.webhookToken;
    const change: SettingsChange = Object.assign({}, ...compared.map((one) => one.change));
    return {
      findings: [stateFinding(subject, state.stateInstance), ...compared.map((one) => settingFinding(subject, one))],
      changes: neededChanges(name, change, webhookToken),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const broken: Finding = { subject, verdict: 'broken', found: `${error.message} [${error.code}]` };
    const isUnguarded = knowsWebhookTokens && lacksWebhookToken(instance);
    return { findings: isUnguarded ? [broken, unreachable(subject, isExposed)] : [broken], changes: [] };
  }
}

/** The gateway takes each of these requests once a second for an account, also from the workers. */
const ASK_AGAIN_MS = 1_100;
const LONGEST_PAUSE_MS = 5_000;
const TRIES = 4;

async function retryWhileBusy<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'GATEWAY_BUSY' || tries === TRIES) throw error;
      await delay(Math.min(LONGEST_PAUSE_MS, error.retryAfterMs ?? ASK_AGAIN_MS));
    }
  }
}

/** Shows only names of settings: a value may be a token. */
function settingFinding(subject: string, { verdict, found, remedy, change, webhookToken }: SettingFinding): Finding {
  if (change === undefined) return { subject, verdict, found, ...present({ remedy }) };
  const names = [...(webhookToken === undefined ? [] : [TOKEN_IN_FILE]), ...Object.keys(change)].join(', ');
  return { subject, verdict, found, remedy: `Run: everpost doctor --fix (sets ${names})`, isFixable: true };
}

function stateFinding(subject: string, state: string | null): Finding {
  if (state !== null && isSendingState(state)) return { subject, verdict: 'ok', found: state };
  const known = state ?? 'starting';
  const remedy = (isAccountState(known) && STATE_REMEDIES[known]) || "See the gateway's own console.";
  return { subject, verdict: 'broken', found: state ?? 'is being created', remedy };
}

const TOKEN_IN_FILE = 'webhookToken in the instances file';

function neededChanges(name: string, change: SettingsChange, webhookToken: Secret | undefined): NeededChange[] {
  if (webhookToken !== undefined) return [{ instance: name, change, webhookToken }];
  return Object.keys(change).length === 0 ? [] : [{ instance: name, change }];
}

/** For an instance without a token whose gateway does not respond. */
function unreachable(subject: string, isExposed: boolean): Finding {
  const remedy = 'Once the gateway responds, run: everpost doctor --fix';
  return { subject, ...unguarded(isExposed), remedy };
}
