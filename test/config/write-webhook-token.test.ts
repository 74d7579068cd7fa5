import { chmodSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig, writeWebhookToken } from '../../src/config/index.js';
import { Secret } from '../../src/contract/index.js';
import { aFolder } from '../support/folder.js';

const TOKEN = new Secret('a-new-token');
const SHOP = { baseUrl: 'https://gateway.example', idInstance: '1', apiTokenInstance: { env: 'SHOP_TOKEN' } };
const BAR = { ...SHOP, idInstance: '2', allowedRecipients: ['15550001111@c.us'] };

function aFile(content: unknown = { shop: SHOP, bar: BAR }): string {
  const file = path.join(aFolder(), 'instances.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 4));
  return file;
}

const modeOf = (file: string) => statSync(file).mode & 0o777;
const contentOf = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

describe("an instance's first webhook token", () => {
  it('is written into its entry, and everything else is unchanged', async () => {
    const file = aFile();
    await writeWebhookToken(file, 'shop', TOKEN);
    expect(contentOf(file)).toEqual({ shop: { ...SHOP, webhookToken: 'a-new-token' }, bar: BAR });
    expect(readFileSync(file, 'utf8')).toMatch(/^\{\n {4}"shop": \{\n {8}"baseUrl"/);
  });

  it('is read by a receiver from then on', async () => {
    const file = aFile();
    await writeWebhookToken(file, 'bar', TOKEN);
    const env = { EVERPOST_INSTANCES_FILE: file, SHOP_TOKEN: 'x' };
    const instances = loadConfig(env, { cwd: '/' }).instances?.open(() => undefined);
    expect(instances?.get('bar').webhookTokens?.map((token) => token.reveal())).toEqual(['a-new-token']);
  });

  it('leaves the file readable for its owner only', async () => {
    const file = aFile();
    chmodSync(file, 0o644);
    await writeWebhookToken(file, 'shop', TOKEN);
    expect(modeOf(file)).toBe(0o600);
  });

  it("keeps the group's access to a file that only its group could read", async () => {
    const file = aFile();
    chmodSync(file, 0o640);
    await writeWebhookToken(file, 'shop', TOKEN);
    expect(modeOf(file)).toBe(0o640);
  });

  it('is written to the target of a link, and the link stays', async () => {
    const file = aFile();
    const link = path.join(path.dirname(file), 'link.json');
    symlinkSync(file, link);
    await writeWebhookToken(link, 'shop', TOKEN);
    expect(contentOf(file)).toMatchObject({ shop: { webhookToken: 'a-new-token' } });
    expect(contentOf(link)).toEqual(contentOf(file));
  });

  it.each([
    ['whose instance is gone', { bar: BAR }],
    ['that has a token by now', { shop: { ...SHOP, webhookToken: { file: 'elsewhere' } } }],
    ['that is invalid JSON', '{ "shop": { "apiTokenInstance": "very-secret" '],
  ])('is not written into a file %s; the error shows what to write by hand, and no secret', async (_, content) => {
    const file = aFile(content);
    const before = readFileSync(file, 'utf8');
    const failure = await writeWebhookToken(file, 'shop', TOKEN).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'CONFIG_INVALID' });
    expect(String(failure)).toContain('"webhookToken": {"env":"SHOP_WEBHOOK_TOKEN"}');
    expect(String(failure)).toContain('everpost doctor --fix');
    expect(String(failure)).not.toMatch(/a-new-token|very-secret/);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(path.dirname(file))).toEqual(['instances.json']);
  });

  it('leaves no partial file when it cannot be written', async () => {
    const file = aFile();
    // A temporary file beside one with so long a name is impossible, also for a test that runs as root.
    const long = path.join(path.dirname(file), `${'i'.repeat(240)}.json`);
    writeFileSync(long, readFileSync(file));
    const failure = await writeWebhookToken(long, 'shop', TOKEN).catch((error: unknown) => error);
    expect(String(failure)).toContain('(ENAMETOOLONG)');
    expect(contentOf(long)).toEqual(contentOf(file));
    const nowhere = await writeWebhookToken('/nowhere/instances.json', 'shop', TOKEN).catch((error: unknown) => error);
    expect(String(nowhere)).toContain('(ENOENT)');
  });
});
