/** Every door through which a recipient comes reads it by the one reader (NUMBER-1 to NUMBER-7). */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/index.js';
import { AppError, type Problem } from '../../src/contract/index.js';
import { isKnownCountry, readRecipient, readRecipientField, recipientKey } from '../../src/domain/index.js';
import { createWorkflowInputs } from '../../src/starter/index.js';
import { everpost } from '../cli/fake-terminal.js';
import { aFolder } from '../support/folder.js';
import { MOBILE, aMobile } from '../support/mobile-numbers.js';
import { aDirectory, anInstance, useListeningApi } from './api-parts.js';

const { parts, env } = useListeningApi();

/** A number as it is written, and the country of numbers without a country code. */
interface Written {
  readonly to: string;
  readonly defaultCountry?: string;
}
/** A chat id, or the text of the refusal of the number. */
type Answer = string;
type Door = (written: Written) => Promise<Answer>;

const TEXT = { instance: 'main', content: { kind: 'text', text: 'Hello' } } as const;

function refusalOf(problems: readonly Problem[] | undefined, field = 'to'): Answer {
  return problems?.find(({ path: at }) => at === field || at.endsWith(`.${field}`))?.message ?? 'refused for no reason';
}

async function chatOfMessage(id: string): Promise<Answer> {
  return (await parts.call('GET', `/v1/messages/${id}`)).body.chatId;
}

async function campaignId(): Promise<string> {
  const id = `sale-${randomUUID().slice(0, 8)}`;
  await parts.call('POST', '/v1/campaigns', { id, ...TEXT }, { 'idempotency-key': id });
  const type = { 'content-type': 'text/csv' };
  await parts.call('PUT', `/v1/campaigns/${id}/recipients`, 'phone\n15550000001\n', type);
  return id;
}

const countryOption = ({ defaultCountry }: Written) =>
  defaultCountry === undefined ? [] : ['--country', defaultCountry];

const DOORS: Readonly<Record<string, Door>> = {
  async 'POST /v1/messages'(written) {
    const { body } = await parts.call('POST', '/v1/messages', { ...TEXT, ...written });
    return body.id === undefined ? refusalOf(body.errors) : chatOfMessage(body.id);
  },
  async 'everpost send'({ to, ...more }) {
    const args = [
      'send',
      '--instance',
      'main',
      '--to',
      to,
      '--text',
      'Hello',
      '--json',
      ...countryOption({ to, ...more }),
    ];
    const { out, err } = await everpost(args, { env });
    if (out[0] !== undefined) return chatOfMessage(JSON.parse(out[0]).id);
    return err.join('\n');
  },
  async 'the workflow message'(written) {
    const instances = aDirectory(anInstance());
    const inputs = createWorkflowInputs({ instances, ledger: parts.ledger });
    const start = { input: { ...TEXT, ...written }, requestedAt: new Date().toISOString(), firstRunId: 'r' };
    try {
      const asked = inputs.message(start, 'greeting');
      return (asked.kind === 'new' ? asked.request.chatId : undefined) ?? 'no chat';
    } catch (error) {
      if (error instanceof AppError) return refusalOf(error.problems);
      throw error;
    }
  },
  async 'the filter of a list'(written) {
    const reference = randomUUID();
    const read = readRecipient(written.to, countryOf(written));
    const to = 'chatId' in read ? read.chatId : '15550000001';
    const { body } = await parts.call('POST', '/v1/messages', { ...TEXT, to, reference });
    const query = new URLSearchParams({ ...written, reference });
    const { body: list } = await parts.call('GET', `/v1/messages?${query.toString()}`);
    if (list.errors !== undefined) return refusalOf(list.errors);
    return list.items[0]?.id === body.id ? list.items[0].chatId : 'not found';
  },
  async 'the test of a campaign'(written) {
    const line = { ...written, line: 2 };
    const { body } = await parts.call('POST', `/v1/campaigns/${await campaignId()}/test`, line);
    return body.id === undefined ? refusalOf(body.errors) : chatOfMessage(body.id);
  },
  async 'the message of a schedule'(written) {
    const message = { ...TEXT, ...written };
    const { body } = await parts.call('POST', '/v1/schedules', { cron: ['0 8 * * *'], message });
    return body.errors === undefined ? body.message.to : refusalOf(body.errors);
  },
  async 'the chat of a forward'({ to: chatIdFrom, ...country }) {
    const content = { kind: 'forward', chatIdFrom, messages: ['3EB0'] };
    const request = { instance: 'main', to: '+15550000001', content, ...country };
    const { body } = await parts.call('POST', '/v1/messages', request);
    if (body.errors !== undefined) return refusalOf(body.errors, 'chatIdFrom');
    return (await parts.call('GET', `/v1/messages/${body.id}`)).body.content.chatIdFrom;
  },
  async 'suppression add'(written) {
    const { body } = await parts.call('POST', '/v1/suppressions', written);
    if (body.errors !== undefined) return refusalOf(body.errors);
    // A recipient who is on the list under another spelling has that entry.
    const answer = expected(written);
    return recipientKey(body.chatId) === recipientKey(answer) ? answer : body.chatId;
  },
  async 'an erasure'(written) {
    const { status, body } = await parts.call('POST', '/v1/recipients/erasures', written);
    if (body.errors !== undefined) return refusalOf(body.errors);
    const read = readRecipient(written.to, countryOf(written));
    const to = 'chatId' in read ? read.chatId : '';
    const again = await parts.call('POST', '/v1/recipients/erasures', { to });
    return again.body.id === body.id && status !== 400 ? to : 'another erasure';
  },
};

function countryOf({ defaultCountry }: Written) {
  return defaultCountry !== undefined && isKnownCountry(defaultCountry) ? defaultCountry : undefined;
}

function expected(written: Written): Answer {
  const read = readRecipientField('to', written.to, countryOf(written));
  return 'chatId' in read ? read.chatId : (read.problems[0]?.message ?? '');
}

const REFUSED: readonly Written[] = [
  { to: '0151 12345678' },
  { to: '+49 151 1234567 / 89' },
  { to: '5,51199E+12' },
  { to: '628123456789.5' },
  { to: '1234567890123456' },
  { to: '1234567890123456@c.us' },
  { to: 'Ann' },
  { to: ' ' },
];

const MEXICAN: readonly Written[] = [
  { to: '+5215512345678' },
  { to: '5215512345678' },
  { to: '5215512345678:4@s.whatsapp.net' },
  { to: '525512345678' },
  { to: '55 1234 5678', defaultCountry: 'MX' },
];

describe.each(Object.entries(DOORS))('%s', (name, door) => {
  it.each([...MEXICAN, ...REFUSED])('answers %j as the reader does', async (written) => {
    const answer = await door(written);
    if (name === 'everpost send') expect(answer).toContain(expected(written));
    else expect(answer).toBe(expected(written));
  });

  it('answers a number in any form as the reader does', async () => {
    const written = fc.constantFrom(...MOBILE).chain((mobile) =>
      aMobile(mobile).chain(({ country, international, dialled }) =>
        fc.oneof(
          fc.constantFrom(...international).map((to) => ({ to })),
          fc.constantFrom(...international, ...dialled).map((to) => ({ to, defaultCountry: country })),
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(written, async (one) => {
        expect([one, await door(one)]).toEqual([one, expected(one)]);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});

/** Proves NUMBER-6 for `allowedRecipients`. */
it('allowedRecipients lists every recipient that the reader reads, and no other text', async () => {
  const file = path.join(aFolder(), 'instances.json');
  const allowed = (to: string) => {
    const main = { baseUrl: 'http://127.0.0.1:9', idInstance: 1, apiTokenInstance: 't', allowedRecipients: [to] };
    writeFileSync(file, JSON.stringify({ main }));
    const { instances } = loadConfig({ EVERPOST_INSTANCES_FILE: file }, { cwd: path.dirname(file) });
    return instances?.open(() => undefined).get('main').allowedRecipients;
  };
  for (const { to, defaultCountry } of MEXICAN) {
    if (defaultCountry === undefined) expect(allowed(to)).toEqual([expected({ to })]);
  }
  for (const { to } of REFUSED) expect(() => allowed(to)).toThrow(AppError);
  fc.assert(
    fc.property(
      fc.constantFrom(...MOBILE).chain((mobile) => aMobile(mobile)),
      ({ chatId, international }) => {
        for (const to of international) expect(allowed(to)).toEqual([chatId]);
      },
    ),
    { numRuns: 20 },
  );
});
