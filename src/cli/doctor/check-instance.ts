import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type InstanceConfig } from '../../contract/index.js';
import type { Gateway } from '../../gateway/index.js';
import type { Examination, Finding } from './finding.js';
import { compareSettings, type SettingFinding, type SettingsChange } from './needed-settings.js';

/** What to do about each state of an account. Any other word is shown as it is. */
const STATE_REMEDIES: Readonly<Record<string, string>> = {
  notAuthorized: 'Link the phone again. Until then messages wait, and the gateway keeps what it has for 24 hours.',
  blocked: 'The network has banned the account. Stop sending through it; use another one.',
  sleepMode: 'The phone is off. Switch it on; it takes up to five minutes.',
  starting: 'It is starting; wait up to five minutes. If it stays so, reboot the instance.',
  yellowCard:
    'The network suspects spam. Let the account rest for some days, reboot it, then: everpost instance release.',
};

export interface CheckOptions {
  readonly knowsWebhookTokens: boolean;
  /** Where the gateway reaches the receiver; undefined when nobody has said. */
  readonly publicUrl: string | undefined;
}

/** Asks one account for its state and its settings, and says which would have to be others. Changes nothing. */
export async function checkInstance(
  gateway: Gateway,
  instance: InstanceConfig,
  { knowsWebhookTokens, publicUrl }: CheckOptions,
): Promise<Examination> {
  const { name } = instance;
  const subject = `instance ${name}`;
  const unguarded = knowsWebhookTokens ? unguardedFindings(subject, instance) : [];
  try {
    const { answer: state } = await onceFree(() => gateway.call(name, 'getStateInstance', {}));
    const { answer: settings } = await onceFree(() => gateway.call(name, 'getSettings', {}));
    const compared = compareSettings(instance, settings, publicUrl);
    const change: SettingsChange = Object.assign({}, ...compared.map((one) => one.change));
    return {
      findings: [
        stateFinding(subject, state.stateInstance),
        ...compared.map((one) => settingFinding(subject, one)),
        ...unguarded,
      ],
      changes: Object.keys(change).length === 0 ? [] : [{ instance: name, change }],
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const broken: Finding = { subject, verdict: 'broken', found: `${error.message} [${error.code}]` };
    return { findings: [broken, ...unguarded], changes: [] };
  }
}

/** The account answers each question once a second, and its workers ask too. */
const ASK_AGAIN_MS = 1_100;
const LONGEST_PAUSE_MS = 5_000;
const TRIES = 4;

async function onceFree<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'GATEWAY_BUSY' || tries === TRIES) throw error;
      await delay(Math.min(LONGEST_PAUSE_MS, error.retryAfterMs ?? ASK_AGAIN_MS));
    }
  }
}

/** Names of settings only: a value may be a token. */
function settingFinding(subject: string, { verdict, found, remedy, change }: SettingFinding): Finding {
  if (change === undefined) return { subject, verdict, found, ...(remedy === undefined ? {} : { remedy }) };
  const names = Object.keys(change).join(', ');
  return { subject, verdict, found, remedy: `Run: everpost doctor --fix (sets ${names})`, isFixable: true };
}

function stateFinding(subject: string, state: string | null): Finding {
  if (state === 'authorized') return { subject, verdict: 'ok', found: 'authorized' };
  const remedy = STATE_REMEDIES[state ?? 'starting'] ?? "See the gateway's own console.";
  return { subject, verdict: 'broken', found: state ?? 'is being created', remedy };
}

function unguardedFindings(subject: string, { name, webhookTokens = [], notifications }: InstanceConfig): Finding[] {
  if (webhookTokens.length > 0 || notifications === 'poll') return [];
  const found = 'no webhookToken: notifications are accepted from everybody who reaches the receiver';
  const remedy = `Set webhookToken of ${name} in the instances file, and the same as webhookUrlToken at the gateway.`;
  return [{ subject, verdict: 'advice', found, remedy }];
}
