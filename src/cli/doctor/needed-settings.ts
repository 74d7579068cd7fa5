/**
 * The settings that an account needs for everpost to see all notifications. Pure rules; no text contains a token.
 */
import { Secret, lacksWebhookToken, type InstanceConfig } from '../../contract/index.js';
import { NEEDED_FLAGS, type OperationResponse, type OperationRequest } from '../../gateway/index.js';

export type Settings = OperationResponse<'getSettings'>;
export type SettingsChange = OperationRequest<'setSettings'>;

/** A finding about the settings, and the change that corrects it. */
export interface SettingFinding {
  readonly verdict: 'ok' | 'advice' | 'broken';
  readonly found: string;
  readonly remedy?: string;
  /** Absent if no setting corrects it, or the right value is unknown. */
  readonly change?: SettingsChange;
  /** The token to write to the instances file. */
  readonly webhookToken?: Secret;
}

export interface TokenOptions {
  /** For an instance without a token. Absent without an instances file. */
  readonly newToken?: Secret | undefined;
  /** Whether other machines can reach the receiver. @default false */
  readonly isExposed?: boolean;
}

/** The gateway advises against a longer delay: messages behind a full queue are sent hours later. */
const LONG_DELAY_MS = 300_000;

/**
 * Compares settings with those needed.
 * @param publicUrl  the address of the receiver for the gateway, without a trailing slash; undefined if it is not
 *   configured
 */
export function compareSettings(
  instance: InstanceConfig,
  settings: Settings,
  publicUrl: string | undefined,
  tokens: TokenOptions = {},
): readonly SettingFinding[] {
  const address =
    instance.notifications === 'poll' ? polledAddress(settings) : pushedTo(instance, settings, publicUrl, tokens);
  return [...address, ...flags(settings), ...delay(instance, settings)];
}

/** A gateway with a webhookUrl pushes notifications, so polls get none. */
function polledAddress({ webhookUrl }: Settings): SettingFinding[] {
  if (!webhookUrl) return [{ verdict: 'ok', found: 'notifications are polled' }];
  const found = 'webhookUrl is set, so the gateway pushes notifications and polls get none';
  return [{ verdict: 'broken', found, change: { webhookUrl: '' } }];
}

function pushedTo(
  instance: InstanceConfig,
  settings: Settings,
  publicUrl: string | undefined,
  tokens: TokenOptions,
): SettingFinding[] {
  const { name } = instance;
  const path = `/webhooks/${name}`;
  const needed = publicUrl === undefined ? undefined : `${publicUrl}${path}`;
  const given = settings.webhookUrl ?? '';
  const isRight = needed === undefined ? given.endsWith(path) : given === needed;
  if (isRight) {
    const ok: SettingFinding = { verdict: 'ok', found: `notifications go to ${path}` };
    return [ok, ...tokenShown(instance, settings), ...firstToken(instance, settings, tokens)];
  }
  const found =
    given === ''
      ? 'no webhookUrl: no notification arrives'
      : `webhookUrl is not ${needed ?? `…${path}`}: its notifications do not arrive here`;
  if (needed === undefined) {
    const remedy = `Set EVERPOST_PUBLIC_URL to where the gateway reaches the receiver, and run: everpost doctor --fix. Without a public address: "notifications": "poll" in the instances file.`;
    return [{ verdict: 'broken', found, remedy }, ...firstToken(instance, undefined, tokens)];
  }
  const [token] = instance.webhookTokens ?? [];
  const withToken = token === undefined ? {} : { webhookUrlToken: token.reveal() };
  const address: SettingFinding = { verdict: 'broken', found, change: { webhookUrl: needed, ...withToken } };
  return [address, ...firstToken(instance, { webhookUrlToken: '' }, tokens)];
}

/**
 * The finding for an instance without a webhook token. If the gateway already sends a token to us, it is used.
 * @param settings  undefined if they belong to another receiver, and must not change
 */
function firstToken(
  instance: InstanceConfig,
  settings: Pick<Settings, 'webhookUrlToken'> | undefined,
  { newToken, isExposed = false }: TokenOptions,
): SettingFinding[] {
  if (newToken === undefined || !lacksWebhookToken(instance)) return [];
  const sent = settings?.webhookUrlToken?.trim() ?? '';
  const webhookToken = sent === '' ? newToken : new Secret(sent);
  const change = settings === undefined || sent !== '' ? {} : { webhookUrlToken: newToken.reveal() };
  return [{ ...unguarded(isExposed), change, webhookToken }];
}

export function unguarded(isExposed: boolean): Pick<SettingFinding, 'verdict' | 'found'> {
  return isExposed
    ? {
        verdict: 'broken',
        found: 'no webhookToken: its notifications are refused, since other machines can reach the receiver',
      }
    : { verdict: 'advice', found: 'no webhookToken: any program on this machine can forge its notifications' };
}

/** Compares the token that the gateway sends with the accepted ones, and prints none of them. */
function tokenShown({ webhookTokens = [] }: InstanceConfig, { webhookUrlToken }: Settings): SettingFinding[] {
  const bare = (token: string) => token.replace(/^Bearer /, '');
  const [first] = webhookTokens;
  if (first === undefined) return [];
  if (webhookTokens.some((token) => bare(token.reveal()) === bare(webhookUrlToken ?? ''))) return [];
  const found = "the gateway's webhookUrlToken is not in the instances file: its notifications are refused with 401";
  return [{ verdict: 'broken', found, change: { webhookUrlToken: first.reveal() } }];
}

/** A gateway that lacks a setting does not show it, and might refuse a change that contains it. */
function flags(settings: Settings): SettingFinding[] {
  return NEEDED_FLAGS.filter(({ name }) => settings[name] !== 'yes').flatMap(({ name, verdict, consequence }) => {
    const found = `${name} is off: ${consequence}`;
    if (settings[name] !== undefined) return [{ verdict, found, change: { [name]: 'yes' } }];
    return verdict === 'broken' ? [{ verdict, found, change: { [name]: 'yes' } }] : [];
  });
}

function delay({ sendDelayMs }: InstanceConfig, settings: Settings): SettingFinding[] {
  const { delaySendMessagesMilliseconds: delayMs } = settings;
  if (sendDelayMs !== undefined && delayMs !== sendDelayMs) {
    const found = `releases one message every ${delayMs ?? '?'} ms, and the instances file says ${sendDelayMs} ms`;
    return [{ verdict: 'advice', found, change: { delaySendMessagesMilliseconds: sendDelayMs } }];
  }
  if (typeof delayMs !== 'number') return [];
  const found = `releases one message every ${delayMs} ms`;
  if (delayMs <= LONG_DELAY_MS) return [{ verdict: 'ok', found }];
  const remedy = `Set a shorter sendDelayMs in the instances file, and run: everpost doctor --fix`;
  return [{ verdict: 'advice', found: `${found}: an urgent message may wait for hours`, remedy }];
}
