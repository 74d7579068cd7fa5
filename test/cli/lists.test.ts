/** The lists of the commands, ids by prefix, and the account that a command uses. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { CampaignDefinition, CampaignId, MessageId, TemplateDefinition } from '../../src/contract/index.js';
import { aDirectory, anInstance, useListeningApi, SYSTEM_CLOCK } from '../api/api-parts.js';
import { useLedger } from '../support/ledger/ledger.js';
import { everpost, type CliRun } from './fake-terminal.js';

const MINUTE = 60_000;
const NOW = SYSTEM_CLOCK.nowMs();
const LONG = 'Your order is ready at counter 4, behind the flowers. Please bring the receipt with you.';
const TEMPLATE = { languageCode: 'en', category: 'UTILITY', templateType: 'TEXT', vertical: 'orders' } as const;

const ledger = useLedger();
const { env } = useListeningApi({ ledger });
const shop = anInstance({ name: 'shop', idInstance: '1101000002' });
const { env: envOfTwo } = useListeningApi({ ledger, instances: aDirectory(anInstance(), shop) });
beforeAll(async () => {
  await aMessage('msg_7k3m9x2q00000001', { minutesAgo: 5, to: '15551234567@c.us', text: LONG, reference: 'order-17' });
  await aMessage('msg_7k3m000000000002', { minutesAgo: 180, to: '120363043968066561@g.us', text: 'First\nSecond' });
  await aMessage('msg_c0000000000000s3', { minutesAgo: 1, to: '15557654321@c.us', text: 'Hi', instance: 'shop' });
  await aCampaign('garden-opening', { name: 'Garden opening 2026' });
  await aCampaign('garden-closing', {});
  await aTemplate('order_ready', 'Your order {{1}} is ready at {{2}}.');
  await aTemplate('welcome', 'Welcome!');
});

const run = (...args: readonly string[]): Promise<CliRun> => everpost(args, { env });

async function aMessage(
  id: string,
  given: { minutesAgo: number; to: string; text: string; instance?: string; reference?: string },
): Promise<void> {
  const { minutesAgo, to, text, instance = 'main', reference } = given;
  const content = { kind: 'text', text } as const;
  const request = { instance, chatId: to, content, ...(reference === undefined ? {} : { reference }) };
  const nowMs = NOW - minutesAgo * MINUTE;
  await ledger.intake.open({ id: id as MessageId, requestHash: id, request, expiresAtMs: NOW + 60 * MINUTE, nowMs });
}

async function aCampaign(id: string, over: Partial<CampaignDefinition>): Promise<void> {
  const definition = { instance: 'main', content: { kind: 'text', text: 'Hello' }, ...over } as const;
  await ledger.audiences.open({ id: id as CampaignId, requestHash: 'h', definition, nowMs: NOW });
}

async function aTemplate(elementName: string, content: string): Promise<void> {
  const definition: TemplateDefinition = { ...TEMPLATE, elementName, content };
  const input = { instance: 'main', elementName, definition, definitionHash: 'h' };
  await ledger.templates.submit({ ...input, requestedAt: new Date(NOW).toISOString() }, NOW);
}

describe('everpost message list', () => {
  it('shows the newest first: short id, state, recipient, account, age and the beginning of the text', async () => {
    const { exitCode, out, err } = await run('message', 'list');
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: [] });
    expect(out[0]).toMatch(/^ID +STATE +TO +INSTANCE +AGE +TEXT$/);
    expect(out.slice(1)).toEqual([
      expect.stringMatching(/^msg_c0000000 +pending +15557654321 +shop +1m +Hi$/),
      expect.stringMatching(/^msg_7k3m9x2q +pending +15551234567 +main +5m +Your order is ready at counter 4.*…$/),
      expect.stringMatching(/^msg_7k3m0000 +pending +120363043968066561@g\.us +main +3h +First\\nSecond$/),
    ]);
    expect(Math.max(...out.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('filters by recipient, state, account and reference', async () => {
    const ids = async (...filter: readonly string[]): Promise<string[]> =>
      (await run('message', 'list', ...filter)).out.slice(1).map((line) => line.slice(0, 12));
    expect(await ids('--to', '+1 555 123 4567')).toEqual(['msg_7k3m9x2q']);
    expect(await ids('--instance', 'shop')).toEqual(['msg_c0000000']);
    expect(await ids('--reference', 'order-17')).toEqual(['msg_7k3m9x2q']);
    expect(await run('message', 'list', '--state', 'delivered')).toEqual({
      exitCode: 0,
      out: [],
      err: ['No messages found.'],
    });
  });

  it('continues after the end of a page', async () => {
    const first = await run('message', 'list', '--limit', '2');
    expect(first.out).toHaveLength(3);
    const [, cursor = ''] = /--cursor (\S+)$/.exec(first.err[0] ?? '') ?? [];
    const next = await run('message', 'list', '--limit', '2', '--cursor', cursor);
    expect(next.out[1]).toMatch(/^msg_7k3m0000/);
    expect(next.err).toEqual([]);
  });

  it('shows all accounts whatever EVERPOST_INSTANCE is, and whole ids in JSON', async () => {
    const { out } = await everpost(['message', 'list', '--json'], { env: { ...env, EVERPOST_INSTANCE: 'main' } });
    const { items } = JSON.parse(out[0] ?? '') as { items: { id: string }[] };
    expect(items.map(({ id }) => id)).toContain('msg_c0000000000000s3');
  });
});

describe('an id prefix', () => {
  it('finds the message, which is shown with its whole id', async () => {
    expect((await run('message', 'show', '7k3m9x')).out[0]).toMatch(/^msg_7k3m9x2q00000001 {2}pending/);
  });

  it('is refused with the ids of all when several messages share it', async () => {
    expect(await run('message', 'show', 'msg_7k3m')).toEqual({
      exitCode: 1,
      out: [],
      err: [
        'everpost: 2 messages have an id that begins with msg_7k3m. Give more characters of the id. [ID_AMBIGUOUS]',
        '  msg_7k3m000000000002',
        '  msg_7k3m9x2q00000001',
      ],
    });
  });

  it('finds the campaign, also for commands that change it', async () => {
    const { exitCode, out } = await run('campaign', 'update', 'garden-cl', '--name', 'Closing');
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: ['garden-closing  "Closing"  draft  0 recipients'] });
    expect((await run('campaign', 'cancel', 'garden')).err).toEqual([
      expect.stringContaining('[ID_AMBIGUOUS]'),
      '  garden-closing',
      '  garden-opening',
    ]);
  });
});

describe('everpost campaign list', () => {
  it('shows the name of each campaign', async () => {
    const { out } = await run('campaign', 'list');
    expect(out[0]).toMatch(/^ID +STATE +INSTANCE +RECIPIENTS +DONE +REPLIED +OPT-OUTS +LEFT +AGE +NAME$/);
    expect(out).toContainEqual(
      expect.stringMatching(/^garden-opening +draft +main +0 +0% +0 +0 +- +\d+s +Garden opening 2026$/),
    );
  });
});

describe('everpost template list', () => {
  it('shows status, category, language and text, by name', async () => {
    const { out } = await run('template', 'list', '--instance', 'main');
    expect(out[0]).toMatch(/^NAME +STATUS +CATEGORY +LANGUAGE +INSTANCE +AGE +TEXT$/);
    expect(out.slice(1)).toEqual([
      expect.stringMatching(
        /^order_ready +pending +UTILITY +en +main +\d+s +Your order \{\{1\}\} is ready at \{\{2\}\}\.$/,
      ),
      expect.stringMatching(/^welcome +pending +UTILITY +en +main +\d+s +Welcome!$/),
    ]);
  });

  it('continues after the end of a page', async () => {
    const first = await run('template', 'list', '--limit', '1');
    const [, cursor = ''] = /--cursor (\S+)$/.exec(first.err[0] ?? '') ?? [];
    expect((await run('template', 'list', '--cursor', cursor)).out.slice(1)).toEqual([
      expect.stringMatching(/^welcome/),
    ]);
    expect(await run('template', 'list', '--cursor', 'elsewhere')).toMatchObject({ exitCode: 2 });
  });
});

describe('everpost instance list', () => {
  it('shows a line for each account', async () => {
    const { out } = await everpost(['instance', 'list'], { env: envOfTwo });
    expect(out[0]).toMatch(/^NAME +STATE +QUEUE +WAITING +UNKNOWN +NOTIFIED +GATEWAY$/);
    expect(out.slice(1)).toEqual([
      expect.stringMatching(/^main +not seen yet +- +2 +0 +- +1101000001 at http/),
      expect.stringMatching(/^shop +not seen yet +- +1 +0 +- +1101000002 at http/),
    ]);
  });
});

/** Temporal is unavailable; no command is refused for that. */
const TAKEN = { exitCode: 0, err: [], out: [expect.stringMatching(/^msg_\w+ +pending$/)] };

describe('the account that a command uses', () => {
  const send = ['send', '--to', '15551234567', '--text', 'Hello'];

  it('is the only one, when there is one', async () => {
    expect(await run(...send)).toMatchObject(TAKEN);
  });

  it('has to be chosen among several, by an option or by EVERPOST_INSTANCE', async () => {
    expect(await everpost(send, { env: envOfTwo })).toMatchObject({
      exitCode: 2,
      err: [
        'everpost: Several instances are configured: main, shop. Choose one: --instance main, or set EVERPOST_INSTANCE. [INPUT_INVALID]',
      ],
    });
    expect(await everpost([...send, '--instance', 'shop'], { env: envOfTwo })).toMatchObject(TAKEN);
    const named = { ...envOfTwo, EVERPOST_INSTANCE: 'shop' };
    expect(await everpost(send, { env: named })).toMatchObject(TAKEN);
    const wrong = await everpost([...send, '--instance', 'store'], { env: named });
    expect(wrong.err[0]).toContain('Known: main, shop');
  });
});

describe('everpost send --template', () => {
  const send = ['send', '--to', '15551234567', '--template', 'order'];

  it('reports every placeholder without a value, and every value without a placeholder', async () => {
    expect(await run(...send, '--param', '1=17', '--param', 'day=Monday')).toEqual({
      exitCode: 2,
      out: [],
      err: [
        'everpost: Template order_ready has the placeholders {{1}}, {{2}}. Nothing was sent. [INPUT_INVALID]',
        '  --param 2: {{2}} has no value; give --param 2=…',
        '  --param day: is not a placeholder of the template',
      ],
    });
    expect((await run('send', '--to', '15551234567', '--template', 'welcome', '--param', '1=x')).err[0]).toContain(
      'Template welcome has no placeholders.',
    );
  });

  it('sends the message when all values are given', async () => {
    expect(await run(...send, '--param', '2=counter = 4', '--param', '1=17')).toMatchObject(TAKEN);
  });

  it('reports an unknown template', async () => {
    const { exitCode, err } = await run('send', '--to', '15551234567', '--template', 'nothing');
    expect(exitCode).toBe(1);
    expect(err[0]).toContain('[TEMPLATE_NOT_FOUND]');
  });
});
