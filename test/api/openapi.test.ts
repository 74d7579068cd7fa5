import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import { OPERATION_NAMES, type CampaignProgress, type CampaignView } from '../../src/contract/index.js';
import { operationContracts } from '../../src/gateway/index.js';
import type { AttemptView, EditView, MessageListItem, MessageView, ReportRow } from '../../src/ledger/index.js';
import type { Route } from '../../src/api/route.js';
import { ROUTES } from '../../src/api/routes/routes.js';
import type { FoundMessage } from '../../src/api/existing-message.js';
import { openApiDocument } from '../../src/api/index.js';

const document = openApiDocument({ version: '1.2.3', operations: operationContracts });

describe('the OpenAPI document', () => {
  it('describes every route with its parameters', () => {
    for (const route of Object.values<Route>(ROUTES)) {
      const described = document.paths[route.path]?.[route.method];
      const names = described?.parameters.map(({ name }) => name) ?? [];
      expect(names).toEqual(expect.arrayContaining(Object.keys(route.query?.shape ?? {})));
      expect(names).toEqual(expect.arrayContaining([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)));
      expect(names.includes('Idempotency-Key')).toBe(route.takesKey === true);
    }
  });

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone({ ...document }));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it('lists each problem under its status', () => {
    const responses = document.paths['/v1/messages/{id}/edits']?.['post']?.responses;
    expect(responses).toMatchObject({
      404: { description: 'MESSAGE_NOT_FOUND (stop)' },
      409: { description: 'ID_AMBIGUOUS (stop), EDIT_NOT_TEXT (stop), EDIT_NOT_POSSIBLE (stop)' },
    });
  });

  it('contains every definition that it refers to', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);

    expect(references.length).toBeGreaterThan(10);
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(references));
    expect(text).not.toContain('#/$defs/');
  });

  it("has every gateway operation's request, and marks the beta ones", () => {
    const names = Object.keys(document.components.schemas);

    expect(names).toEqual(expect.arrayContaining(OPERATION_NAMES.map((name) => `operation.${name}`)));
    expect(document.components.schemas['operation.sendTextStatus']?.['description']).toMatch(/beta/);
  });
});

type Routes = typeof ROUTES;
type Described<Name extends keyof Routes> =
  Routes[Name]['responses'] extends Readonly<Record<number, { readonly schema: infer Schema extends z.ZodType }>>
    ? z.input<Schema>
    : never;

/**
 * The compiler checks the responses of handlers against their schemas, but allows extra fields, which break a strict
 * client.
 */
describe('a field of a response', () => {
  it('is in its schema, and vice versa', () => {
    expectTypeOf<keyof MessageListItem>().toEqualTypeOf<keyof Described<'listMessages'>['items'][number]>();
    type Message = Extract<Described<'getMessage'>, { version: number }>;
    expectTypeOf<keyof MessageView>().toEqualTypeOf<keyof Message>();
    expectTypeOf<keyof AttemptView>().toEqualTypeOf<keyof Message['attempts'][number]>();
    expectTypeOf<keyof EditView>().toEqualTypeOf<keyof Message['edits'][number]>();
    type Rowless = Exclude<Described<'getMessage'>, { version: number }>;
    expectTypeOf<keyof Exclude<FoundMessage, MessageView>>().toEqualTypeOf<keyof Rowless>();
    expectTypeOf<keyof CampaignProgress>().toEqualTypeOf<
      keyof Extract<Described<'retryCampaign'>, { recipients: number }>['progress']
    >();
    expectTypeOf<keyof CampaignView>().toEqualTypeOf<keyof Described<'getCampaign'>>();
    expectTypeOf<keyof ReportRow>().toEqualTypeOf<keyof Described<'listRecipients'>['items'][number]>();
  });
});
