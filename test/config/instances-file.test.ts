import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/index.js';
import { AppError, type InstanceDirectory } from '../../src/contract/index.js';
import { classify } from '../../src/gateway/classify.js';
import { aFolder } from '../support/folder.js';

let folder: string;

beforeEach(() => {
  folder = aFolder();
});

function aFile(content: unknown): string {
  const file = path.join(folder, 'instances.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

function open(file: string, env: Record<string, string> = {}): InstanceDirectory {
  const { instances } = loadConfig({ ...env, EVERPOST_INSTANCES_FILE: file }, { cwd: folder });
  if (instances === undefined) throw new Error('no instances are configured');
  return instances.open(() => undefined);
}

function refusal(content: unknown, env?: Record<string, string>): AppError {
  try {
    open(aFile(content), env);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('the file was accepted');
}

/** Whether `statusMeanings` has an effect on a response with this status. */
function isAmbiguous(status: string): boolean {
  const failure = { failure: 'status', operation: 'sendMessage', httpStatus: Number(status) } as const;
  return classify({ ...failure, statusMeanings: { [status]: 'not_accepted' } }).code === 'GATEWAY_NOT_ACCEPTED';
}

const SHOP = { baseUrl: 'https://gateway.example/', idInstance: 1101, apiTokenInstance: 'shop-token' };

describe('an instances file', () => {
  it('defines accounts with all options', () => {
    const directory = open(
      aFile({
        shop: {
          ...SHOP,
          mediaUrl: 'https://media.example',
          paths: { readChat: '' },
          rateLimits: { sendMessage: 20 },
          capabilities: ['sendMessage', 'editMessage'],
          webhookToken: ['one', 'two'],
          allowedRecipients: ['15551234567@c.us'],
          statusMeanings: { '503': 'not_accepted' },
          notifications: 'poll',
          messageWorkflows: 'on_demand',
          autoResume: ['yellowCard'],
          sendDelayMs: 3_000,
          settleTimeMs: 40_000,
          editWindowMs: 300_000,
          optOut: { languages: ['en', 'es'], stop: ['No más'], start: ['Vuelvo'], except: ['cancel'] },
        },
      }),
    );
    expect(directory.names()).toEqual(['shop']);
    const shop = directory.get('shop');
    expect(shop).toMatchObject({
      name: 'shop',
      baseUrl: 'https://gateway.example',
      idInstance: '1101',
      paths: { readChat: '' },
      statusMeanings: { '503': 'not_accepted' },
      notifications: 'poll',
      messageWorkflows: 'on_demand',
      autoResume: ['yellowCard'],
      sendDelayMs: 3_000,
      settleTimeMs: 40_000,
      editWindowMs: 300_000,
      optOut: { languages: ['en', 'es'], stop: ['No más'], start: ['Vuelvo'], except: ['cancel'] },
    });
    expect(shop.apiTokenInstance.reveal()).toBe('shop-token');
    expect(shop.webhookTokens?.map((token) => token.reveal())).toEqual(['one', 'two']);
  });

  it('reads tokens from the environment and from files beside it', () => {
    writeFileSync(path.join(folder, 'token'), 'from-file\n', { mode: 0o600 });
    const directory = open(
      aFile({
        a: { ...SHOP, apiTokenInstance: { env: 'SHOP_TOKEN' } },
        b: { ...SHOP, idInstance: '1102', apiTokenInstance: { file: 'token' } },
      }),
      { SHOP_TOKEN: 'from-env' },
    );
    expect(directory.get('a').apiTokenInstance.reveal()).toBe('from-env');
    expect(directory.get('b').apiTokenInstance.reveal()).toBe('from-file');
  });

  it.each([
    [0o644, 'refused'],
    [0o604, 'refused'],
    [0o660, 'refused'],
    [0o440, 'read'],
    [0o400, 'read'],
  ])('names a token file like any secret file: mode %o is %s, also behind a link', (mode, outcome) => {
    const target = path.join(folder, `mounted-${mode}`);
    const link = path.join(folder, `token-${mode}`);
    writeFileSync(target, 's3cret-token');
    chmodSync(target, mode);
    symlinkSync(target, link);
    const content = { shop: { ...SHOP, apiTokenInstance: { file: `token-${mode}` } } };
    if (outcome === 'read') {
      expect(open(aFile(content)).get('shop').apiTokenInstance.reveal()).toBe('s3cret-token');
      return;
    }
    const message = `names ${link}, which other users can read (mode ${mode.toString(8)}): chmod 600 ${link}`;
    expect(refusal(content).problems).toEqual([{ path: 'shop.apiTokenInstance', message }]);
  });

  it('is refused with every problem and its place', () => {
    const { code, problems } = refusal({
      shop: { ...SHOP, baseUrl: 'gateway.example', apiTokenInstance: 7, rateLimits: { sendMesage: 1 } },
      'bad name': { ...SHOP, apiTokenInstance: { env: 'NOT_SET' }, webhookToken: ['one', { file: 'missing' }] },
    });
    expect(code).toBe('CONFIG_INVALID');
    expect(problems?.map(({ path: at }) => at)).toEqual([
      'shop.baseUrl',
      'shop.apiTokenInstance',
      'shop.rateLimits.sendMesage',
      'bad name',
      'bad name.apiTokenInstance',
      'bad name.webhookToken[1]',
    ]);
  });

  it('is refused when a field is misspelled', () => {
    expect(refusal({ shop: { ...SHOP, webhoktoken: 'x' } }).problems).toEqual([
      { path: 'shop', message: expect.stringContaining('webhoktoken') as string },
    ]);
  });

  it('is refused when it names states, ways, delays or times that there are not', () => {
    const wrong = {
      notifications: 'fetch',
      messageWorkflows: 'never',
      autoResume: ['notAuthorized'],
      sendDelayMs: 100,
      settleTimeMs: 0,
      editWindowMs: 901_000,
    };
    expect(refusal({ shop: { ...SHOP, ...wrong } }).problems?.map(({ path: at }) => at)).toEqual([
      'shop.notifications',
      'shop.messageWorkflows',
      'shop.autoResume[0]',
      'shop.sendDelayMs',
      'shop.settleTimeMs',
      'shop.editWindowMs',
    ]);
  });

  it('defines the meaning of exactly the statuses that the gateway client treats as ambiguous', () => {
    const statuses = Array.from({ length: 500 }, (_, index) => String(index + 100));
    const [ambiguous, fixed] = [true, false].map((wanted) =>
      statuses.filter((status) => isAmbiguous(status) === wanted),
    );
    const meaning = (names: readonly string[] = []) => Object.fromEntries(names.map((name) => [name, 'not_accepted']));
    const { statusMeanings } = open(aFile({ shop: { ...SHOP, statusMeanings: meaning(ambiguous) } })).get('shop');
    expect(statusMeanings).toEqual(meaning(ambiguous));
    expect(refusal({ shop: { ...SHOP, statusMeanings: meaning(fixed) } }).problems).toEqual(
      fixed?.map((status) => ({
        path: `shop.statusMeanings.${status}`,
        message: 'must be 408, 499 or 500 to 599: the meaning of any other HTTP status is fixed',
      })),
    );
  });

  it('lists the allowed recipients as chat ids, whatever their notation', () => {
    const allowedRecipients = ['15551234567@c.us', '+52 1 55 1234 5678', '120363000000000000@g.us', '12345@lid'];
    expect(open(aFile({ shop: { ...SHOP, allowedRecipients } })).get('shop')?.allowedRecipients).toEqual([
      '15551234567@c.us',
      '5215512345678@c.us',
      '120363000000000000@g.us',
      '12345@lid',
    ]);
  });

  it('is refused when it lists a recipient that cannot be read', () => {
    const allowedRecipients = ['15551234567', '0151 12345678', '+49 151 1234567 / 89', '+1555@c.us', ''];
    const problems = [1, 2, 3, 4].map((at) => ({
      path: `shop.allowedRecipients[${at}]`,
      message: expect.stringMatching(/^must be one phone number with its country code/),
    }));
    expect(refusal({ shop: { ...SHOP, allowedRecipients } }).problems).toEqual(problems);
  });

  it('is refused with an unknown language or an empty opt-out word', () => {
    const optOut = { languages: ['en', 'tlh'], stop: ['Ho-la', '!!'], start: ['HO LA'], never: true };
    expect(refusal({ shop: { ...SHOP, optOut } }).problems).toEqual([
      { path: 'shop.optOut.languages[1]', message: expect.stringContaining('must be one of ar, cs') as string },
      { path: 'shop.optOut.stop[1]', message: 'must contain a letter or a digit' },
      { path: 'shop.optOut', message: expect.stringContaining('never') as string },
    ]);
    expect(refusal({ shop: { ...SHOP, optOut: { stop: ['Ho-la'], start: ['HO LA'] } } }).problems).toEqual([
      { path: 'shop.optOut.start[0]', message: 'is also a stop word' },
    ]);
  });

  it('is refused when one account has two names, also with different spellings of its address', () => {
    const { problems } = refusal({ shop: SHOP, store: { ...SHOP, baseUrl: 'HTTPS://Gateway.example:443' } });
    expect(problems).toEqual([{ path: 'store', message: expect.stringContaining('same account as shop') as string }]);
  });

  it('is refused when tokens are missing, with all of them at once', () => {
    const { problems } = refusal({
      a: { ...SHOP, apiTokenInstance: { env: 'NOT_SET' } },
      b: { ...SHOP, idInstance: 2, apiTokenInstance: { file: 'missing' } },
    });
    expect(problems?.map(({ path: at }) => at)).toEqual(['a.apiTokenInstance', 'b.apiTokenInstance']);
  });

  it.each([
    ['broken JSON', '{ "shop": { "apiTokenInstance": "s3cret-token", } }'],
    ['a token of the wrong kind', { shop: { ...SHOP, apiTokenInstance: ['s3cret-token'] } }],
    ['a second account with the same token', { a: { ...SHOP, apiTokenInstance: 's3cret-token' }, b: SHOP }],
  ])('never shows a token when refused: %s', (_what, content) => {
    const error = refusal(content);
    expect(JSON.stringify([error.message, error.problems, error.stack])).not.toContain('s3cret');
  });

  it('is reported when it does not exist', () => {
    expect(() => open(path.join(folder, 'nowhere.json'))).toThrow(/nowhere\.json is not valid/);
  });

  it('has its accounts named in the error for an unknown one', () => {
    expect(() => open(aFile({ shop: SHOP })).get('stop')).toThrow(/Instance stop is not known.*shop/);
  });
});
