import { readdir, readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { describe, expect, it, test } from 'vitest';
import { retryCampaignSchema, setTemplateReviewSchema } from '../../src/contract/schemas.js';
import {
  WORKFLOW_SCHEMAS,
  campaignUpdateInputSchema,
  campaignCommandConditionSchema,
  campaignInputSchema,
  editInputSchema,
  jsonSchemaOf,
  messageInputSchema,
  waitForInputSchema,
} from '../../src/contract/workflow-schemas.js';
import {
  checkCampaign,
  checkChange,
  checkCommand,
  checkReview,
  checkEdit,
  checkRetry,
  checkWaitFor,
} from '../../src/workflows/refusals.js';
import { unsendableTexts } from '../../src/domain/index.js';

const SCHEMAS = new URL('../../schemas/', import.meta.url);
const NAMES = Object.keys(WORKFLOW_SCHEMAS) as (keyof typeof WORKFLOW_SCHEMAS)[];

describe('schemas/', () => {
  it('contains the output of npm run generate, and nothing else', async () => {
    expect((await readdir(SCHEMAS)).toSorted()).toEqual(NAMES.map((name) => `${name}.json`).toSorted());
    for (const name of NAMES) {
      expect(JSON.parse(await readFile(new URL(`${name}.json`, SCHEMAS), 'utf8')), name).toEqual(jsonSchemaOf(name));
    }
  });

  it('is linked from docs/contract.md, each file of it', async () => {
    const document = await readFile(new URL('../../docs/contract.md', import.meta.url), 'utf8');
    expect(NAMES.filter((name) => !document.includes(`(../schemas/${name}.json)`))).toEqual([]);
  });
});

describe('docs/contract.md', () => {
  it('names every field of a message, an edit and a wait', async () => {
    const document = await readFile(new URL('../../docs/contract.md', import.meta.url), 'utf8');
    const [message] = messageInputSchema.options;
    const fields = [message, editInputSchema, waitForInputSchema].flatMap(({ shape }) => Object.keys(shape));
    expect(fields.filter((field) => !document.includes(`| \`${field}\``))).toEqual([]);
  });

  it('gives examples that the schemas accept', async () => {
    const document = await readFile(new URL('../../docs/contract.md', import.meta.url), 'utf8');
    const examples = [...document.matchAll(/<!-- (\S+) -->\n+```json\n([\s\S]*?)```/g)];
    expect(examples.length).toBeGreaterThan(8);
    for (const [, name = '', text = ''] of examples) {
      const { schema } = WORKFLOW_SCHEMAS[name as keyof typeof WORKFLOW_SCHEMAS];
      expect(schema.safeParse(JSON.parse(text)), name).toMatchObject({ success: true });
    }
  });
});

const LONG = 'x'.repeat(20_001);

/** A workflow's own check and its schema must have the same result. */
const BY_HAND: readonly {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly check: (input: unknown) => readonly unknown[];
  readonly inputs: readonly unknown[];
}[] = [
  {
    name: 'an edit',
    schema: editInputSchema,
    check: checkEdit,
    inputs: [
      undefined,
      null,
      'x',
      [],
      {},
      { text: 'New' },
      { text: '' },
      { text: 7 },
      { text: LONG },
      { text: 'a\0b' },
      { text: 'a\uD800' },
      { text: 'N', key: 'k' },
      { text: 'N', key: '' },
      { text: 'N', key: 'k'.repeat(256) },

      { text: 'N', key: 7 },
      { text: 'N', more: 1 },
    ],
  },
  {
    name: 'a wait',
    schema: waitForInputSchema,
    check: checkWaitFor,
    inputs: [
      undefined,
      null,
      'sent',
      {},
      { state: 'sent' },
      { state: 'end' },
      { state: 'arrived' },
      { state: 7 },
      ...[0, 1, 1.5, -1, 604_800_000, 604_800_001, '5', null].map((timeoutMs) => ({ state: 'read', timeoutMs })),
      { state: 'sent', timeout: 1 },
    ],
  },
  {
    name: 'a decision',
    schema: setTemplateReviewSchema,
    check: checkReview,
    inputs: [
      undefined,
      null,
      {},
      { status: 'APPROVED' },
      { status: 'approved' },
      { status: 7 },
      ...['', 'Why', 'x'.repeat(501), 7, 'a\0'].map((reason) => ({ status: 'REJECTED', reason })),
      ...['', 'id', 7].map((templateId) => ({ status: 'APPROVED', templateId })),
      { status: 'APPROVED', more: 1 },
    ],
  },
  {
    name: 'a campaign',
    schema: campaignInputSchema,
    check: checkCampaign,
    inputs: [
      undefined,
      null,
      'sale',
      {},
      { campaignId: 'sale' },
      { campaignId: 'No Id' },
      { campaignId: 'sale', more: 1 },
    ],
  },
  {
    name: 'a change',
    schema: campaignUpdateInputSchema,
    check: checkChange,
    inputs: [
      undefined,
      null,
      {},
      { deadline: '2030-01-31T12:00:00Z' },
      { deadline: '2030-01-31T12:00:00+02:00' },

      { deadline: 'soon' },
      { deadline: 7 },
      { deadline: '2030-13-31T12:00:00Z' },
      { more: 1, deadline: '2030-01-31T12:00:00Z' },
      ...[1, 10_000, 10_001, 0, -1, 1.5, '5', null, {}].map((highWater) => ({ highWater })),
      ...['Spring sale', '', 'x'.repeat(200), 'x'.repeat(201), 'two\nlines', 'a\0b', '\ud83c', 7, null].map((name) => ({
        name,
      })),
    ],
  },
  {
    name: 'the condition of a command',
    schema: campaignCommandConditionSchema,
    check: checkCommand,
    inputs: [{}, { after: 0 }, { after: 7 }, { after: -1 }, { after: 1.5 }, { after: '1' }, { more: 1 }, 'x', []],
  },
  {
    name: 'a retry',
    schema: retryCampaignSchema,
    check: checkRetry,
    inputs: [
      undefined,
      null,
      {},
      { scopes: [] },
      { scopes: ['failed'] },
      { scopes: ['sent'] },
      { scopes: 'failed' },
      ...[['x'], [], 'x', [7]].map((reasons) => ({ scopes: ['failed'], reasons })),

      { scopes: ['unknown'], maySendTwice: true },
      { scopes: ['failed'], maySendTwice: true },

      { scopes: ['failed'], maySendTwice: 1 },
      { scopes: ['failed'], deadline: 'soon' },
      { scopes: ['failed'], more: 1 },
    ],
  },
];

describe.each(BY_HAND)('$name', ({ schema, check, inputs }) => {
  test.each(inputs.map((input) => [JSON.stringify(input)?.slice(0, 60) ?? 'nothing', input]))(
    'has the same verdict from the workflow and from the reader of its schema: %s',
    (_, input) => {
      const isRead = schema.safeParse(input).success && unsendableTexts(input).length === 0;
      expect(check(input).length === 0).toBe(isRead);
    },
  );
});
