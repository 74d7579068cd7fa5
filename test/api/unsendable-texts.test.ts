/** Half an emoji and NUL are refused in every text that a request can have, with its path. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError, isRecord, UNSENDABLE_WORDS } from '../../src/contract/index.js';
import { unsendableTexts } from '../../src/domain/index.js';
import { createWorkflowInputs } from '../../src/starter/index.js';
import { anInstance, aDirectory, useApi } from './api-parts.js';
import { pathOf, TAKING_A_QUERY, TAKING_JSON } from './every-route.js';

const parts = useApi();
const JSON_TYPE = { 'Content-Type': 'application/json' };
const HALF_AN_EMOJI = 'Hi \ud83d';
const NUL = 'a\0b';

type Place = (value: unknown) => unknown;

/** Every text of a body by its JSON schema, with a body that has only this text. */
function textsOf(body: z.ZodType): { readonly path: string; readonly bodyWith: Place }[] {
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  const definitions: Readonly<Record<string, unknown>> = schema.$defs ?? {};
  const found = new Map<string, Place>();
  walk(schema, '', (value) => value);
  return [...found].map(([path, bodyWith]) => ({ path, bodyWith }));

  function walk(part: unknown, path: string, bodyWith: Place): void {
    if (!isRecord(part)) return;
    const { $ref, type, properties, items, additionalProperties: free, anyOf, oneOf, allOf } = part;
    if (typeof $ref === 'string') walk(definitions[$ref.split('/').at(-1) ?? ''], path, bodyWith);
    if (type === 'string') found.set(path, bodyWith);
    for (const one of [anyOf, oneOf, allOf].flat()) walk(one, path, bodyWith);
    for (const [name, one] of Object.entries(isRecord(properties) ? properties : {})) {
      walk(one, path === '' ? name : `${path}.${name}`, (value) => bodyWith({ [name]: value }));
    }
    if (isRecord(items)) walk(items, `${path}[0]`, (value) => bodyWith([value]));
    if (isRecord(free)) {
      const one = Object.keys(free).length === 0 ? { type: 'string' } : free;
      walk(one, path === '' ? 'any' : `${path}.any`, (value) => bodyWith({ any: value }));
    }
  }
}

const TEXTS = TAKING_JSON.flatMap(({ name, route }) =>
  route.body === undefined ? [] : textsOf(route.body).map((text) => ({ name, route, ...text })),
);

describe('half an emoji or a NUL in a request', () => {
  it('is looked for in the texts of all routes', () => {
    expect(TEXTS.length).toBeGreaterThan(150);
    expect(TEXTS.map(({ name, path }) => `${name} ${path}`)).toEqual(
      expect.arrayContaining([
        'sendMessage content.options[0].optionName',
        'beginOperation request.any',
        'submitTemplate template.any',
        'beginCampaign name',
      ]),
    );
  });

  it.each(TEXTS)('is refused with its path: $name $path', async ({ route, path, bodyWith }) => {
    for (const text of [HALF_AN_EMOJI, NUL]) {
      const response = await parts.call(route.method.toUpperCase(), pathOf(route), bodyWith(text), JSON_TYPE);
      expect(response).toMatchObject({ status: 422, body: { code: 'INPUT_INVALID' } });
      expect(response.body.errors).toContainEqual({ path, message: UNSENDABLE_WORDS });
    }
  });

  it('is refused in the name of a field', async () => {
    const body = { instance: 'main', request: { [`a${NUL}`]: 1 } };
    const response = await parts.call('POST', '/v1/operations/getStateInstance', body, JSON_TYPE);
    const message = `has a name that ${UNSENDABLE_WORDS}`;
    expect(response).toMatchObject({ status: 422, body: { errors: [{ path: 'request.aa\uFFFDb', message }] } });
  });

  it.each(TAKING_A_QUERY)('is refused in a query: $name', async ({ route }) => {
    for (const name of Object.keys(route.query?.shape ?? {})) {
      const address = `${pathOf(route)}?${name}=a%00b`;
      const { status, body } = await parts.call(route.method.toUpperCase(), address, undefined, JSON_TYPE);
      expect(status, `${address} ${JSON.stringify(body)}`).toBe(422);
      expect(body.errors).toContainEqual({ path: name, message: UNSENDABLE_WORDS });
    }
  });

  it('does not hide a whole emoji, nor a replacement character', () => {
    expect(unsendableTexts({ text: 'Hi 👍🏽 \uFFFD', list: [null, 1, true] })).toEqual([]);
  });

  it('is found in a value that is nested very deeply', () => {
    let value: unknown = HALF_AN_EMOJI;
    for (let level = 0; level < 20_000; level += 1) value = [value];
    expect(unsendableTexts(value)).toHaveLength(1);
  });
});

describe("half an emoji in a workflow's input", () => {
  const ledger = { templates: {}, files: {} } as Parameters<typeof createWorkflowInputs>[0]['ledger'];
  const inputs = createWorkflowInputs({ instances: aDirectory(anInstance()), ledger });

  const problemsOf = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      if (error instanceof AppError) return error.problems;
    }
    return undefined;
  };
  const start = (input: object) => ({ input, firstRunId: 'r', requestedAt: '2026-03-01T10:00:00.000Z' }) as never;

  it.each([
    ['content.participants[0]', { content: { kind: 'status', text: 'x', participants: [HALF_AN_EMOJI] } }],
    ['content.text', { content: { kind: 'text', text: HALF_AN_EMOJI } }],
    ['key', { content: { kind: 'text', text: 'x' }, key: HALF_AN_EMOJI }],
  ])('is refused with its path: %s', (path, fields) => {
    const input = { instance: 'main', to: '15550000001', ...fields };
    const problems = problemsOf(() => inputs.message(start(input), 'any'));
    expect(problems).toContainEqual({ path, message: UNSENDABLE_WORDS });
  });

  it('is refused in a template, with its path', () => {
    const template = { buttons: [{ type: 'URL', text: HALF_AN_EMOJI }] };
    const problems = problemsOf(() => inputs.template({ instance: 'main', template }, '2026-03-01T10:00:00.000Z'));
    expect(problems).toContainEqual({ path: 'template.buttons[0].text', message: UNSENDABLE_WORDS });
  });
});
