import { AppError, type InstanceConfig } from '../../contract/index.js';
import type { Gateway, OperationAnswer } from '../../gateway/index.js';
import type { Finding } from './finding.js';

/** What to do about each state of an account. Any other word is shown as it is. */
const STATE_REMEDIES: Readonly<Record<string, string>> = {
  notAuthorized: 'Link the phone again. Until then messages wait, and the gateway keeps what it has for 24 hours.',
  blocked: 'The network has banned the account. Stop sending through it; use another one.',
  sleepMode: 'The phone is off. Switch it on; it takes up to five minutes.',
  starting: 'It is starting; wait up to five minutes. If it stays so, reboot the instance.',
  yellowCard: 'The network suspects spam. Let the account rest for some days, then reboot the instance.',
};

/** Settings that everpost lives on, and what is missing without them. */
const NEEDED_FLAGS = {
  outgoingWebhook: ['broken', 'nobody learns that a message was sent or delivered, and no edit can be posted'],
  outgoingAPIMessageWebhook: ['advice', 'edits are confirmed by asking only'],
  editedMessageWebhook: ['advice', 'edits are confirmed by asking only'],
  stateWebhook: ['advice', 'a lost authorization is noticed only when a send fails'],
} as const satisfies Partial<Record<keyof OperationAnswer<'getSettings'>, readonly [Finding['verdict'], string]>>;

/** Asks one account for its state and its settings. Changes nothing. */
export async function checkInstance(
  gateway: Gateway,
  instance: InstanceConfig,
  { knowsWebhookTokens }: { readonly knowsWebhookTokens: boolean },
): Promise<Finding[]> {
  const subject = `instance ${instance.name}`;
  const unguarded = knowsWebhookTokens ? unguardedFindings(subject, instance) : [];
  try {
    const { answer: state } = await gateway.call(instance.name, 'getStateInstance', {});
    const { answer: settings } = await gateway.call(instance.name, 'getSettings', {});
    return [
      stateFinding(subject, state.stateInstance),
      ...settingsFindings(subject, instance, settings),
      ...unguarded,
      ...(settings.webhookUrl && instance.notifications !== 'poll'
        ? tokenFindings(subject, instance, settings.webhookUrlToken ?? '')
        : []),
    ];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ subject, verdict: 'broken', found: `${error.message} [${error.code}]` }, ...unguarded];
  }
}

function stateFinding(subject: string, state: string | null): Finding {
  if (state === 'authorized') return { subject, verdict: 'ok', found: 'authorized' };
  const remedy = STATE_REMEDIES[state ?? 'starting'] ?? "See the gateway's own console.";
  return { subject, verdict: 'broken', found: state ?? 'is being created', remedy };
}

function settingsFindings(
  subject: string,
  instance: InstanceConfig,
  settings: OperationAnswer<'getSettings'>,
): Finding[] {
  const findings: Finding[] = [];
  const { name, notifications } = instance;
  const { webhookUrl, delaySendMessagesMilliseconds: delayMs } = settings;
  const repair = (body: Record<string, string>) =>
    `Run: everpost operation setSettings --instance ${name} --body '${JSON.stringify(body)}'`;
  const hasNoUrl = webhookUrl === undefined || webhookUrl === null || webhookUrl === '';
  if (notifications === 'poll') {
    findings.push(
      hasNoUrl
        ? { subject, verdict: 'ok', found: 'notifications are fetched, as its "notifications": "poll" says' }
        : {
            subject,
            verdict: 'broken',
            found: 'its "notifications" are to be fetched, but it has a webhookUrl: the gateway lets nobody fetch them',
            remedy: `${repair({ webhookUrl: '' })}; or take "notifications" out of the instances file`,
          },
    );
  } else if (hasNoUrl) {
    const remedy = `${repair({ webhookUrl: `https://YOUR-HOST/webhooks/${name}` })}; without a public address set "notifications": "poll" in the instances file`;
    findings.push({ subject, verdict: 'broken', found: 'no webhookUrl: no notification arrives', remedy });
  } else if (!webhookUrl.endsWith(`/webhooks/${name}`)) {
    const found = `webhookUrl does not end in /webhooks/${name}: its notifications do not arrive here`;
    const remedy = repair({ webhookUrl: `https://YOUR-HOST/webhooks/${name}` });
    findings.push({ subject, verdict: 'broken', found, remedy });
  } else {
    findings.push({ subject, verdict: 'ok', found: `notifications go to /webhooks/${name}` });
  }
  for (const [flag, [verdict, consequence]] of Object.entries(NEEDED_FLAGS)) {
    if (settings[flag] === 'yes') continue;
    findings.push({ subject, verdict, found: `${flag} is off: ${consequence}`, remedy: repair({ [flag]: 'yes' }) });
  }
  if (typeof delayMs === 'number')
    findings.push({ subject, verdict: 'ok', found: `releases one message each ${delayMs} ms` });
  return findings;
}

function unguardedFindings(subject: string, { name, webhookTokens = [], notifications }: InstanceConfig): Finding[] {
  if (webhookTokens.length > 0 || notifications === 'poll') return [];
  const found = 'no webhookToken: notifications are accepted from everybody who reaches the receiver';
  const remedy = `Set webhookToken of ${name} in the instances file, and the same as webhookUrlToken at the gateway.`;
  return [{ subject, verdict: 'advice', found, remedy }];
}

/** Compares the token that the gateway sends with those we accept, where there are any; shows neither. */
function tokenFindings(subject: string, { name, webhookTokens = [] }: InstanceConfig, sent: string): Finding[] {
  if (webhookTokens.length === 0) return [];
  const bare = (token: string) => token.replace(/^Bearer /, '');
  if (webhookTokens.some((token) => bare(token.reveal()) === bare(sent))) return [];
  const found = "the gateway's webhookUrlToken is none of those we accept: its notifications are answered 401";
  const remedy = `Give the gateway the webhookToken of ${name} as webhookUrlToken (setSettings).`;
  return [{ subject, verdict: 'broken', found, remedy }];
}
