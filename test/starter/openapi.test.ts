import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import {
  OPERATION_NAMES,
  type CampaignResponse,
  type PacedProgress,
  type Suppression,
  type CancelResult,
  type RetriedRecipients,
} from '../../src/contract/index.js';
import { operationContracts } from '../../src/gateway/index.js';
import type { ShownCampaign } from '../../src/starter/campaigns/campaigns.js';
import type {
  AttemptView,
  EditView,
  Evidence,
  MessageListItem,
  MessageView,
  ReportRow,
} from '../../src/ledger/index.js';
import {
  type cancelSchema,
  type editSchema,
  messageListItemSchema,
  messageSchema,
  type operationSchema,
  type problemSchema,
  type startedMessageSchema,
} from '../../src/starter/http/responses.js';
import {
  reportRowSchema,
  type campaignResponseSchema,
  type campaignPlanSchema,
  type campaignProgressSchema,
  type campaignSchema,
  type retriedSchema,
} from '../../src/starter/http/campaign-responses.js';
import { REPORT_COLUMNS } from '../../src/starter/http/report-formats.js';
import { docsPage } from '../../src/starter/http/docs-page.js';
import { ENDPOINTS, type Endpoint } from '../../src/starter/http/endpoints.js';
import { type instanceSchema } from '../../src/starter/http/instance-endpoints.js';
import { type suppressionSchema } from '../../src/starter/http/suppression-endpoints.js';
import { type RowlessMessage } from '../../src/starter/find-message.js';
import {
  openApiDocument,
  type CampaignPlan,
  type InstanceStatus,
  type OperationResponse,
  type ProblemDocument,
} from '../../src/starter/index.js';

const document = openApiDocument({ version: '1.2.3', operations: operationContracts });

describe('the OpenAPI document', () => {
  it('describes every endpoint with its parameters', () => {
    for (const endpoint of Object.values<Endpoint>(ENDPOINTS)) {
      const described = document.paths[endpoint.path]?.[endpoint.method];
      const names = described?.parameters.map(({ name }) => name) ?? [];
      expect(names).toEqual(expect.arrayContaining(Object.keys(endpoint.query?.shape ?? {})));
      expect(names).toEqual(expect.arrayContaining([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)));
      expect(names.includes('Idempotency-Key')).toBe(endpoint.takesKey === true);
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

  it('refers to nothing that it does not hold', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);

    expect(references.length).toBeGreaterThan(10);
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(references));
    expect(text).not.toContain('#/$defs/');
  });

  it("knows every gateway operation's request, and marks the beta ones", () => {
    const names = Object.keys(document.components.schemas);

    expect(names).toEqual(expect.arrayContaining(OPERATION_NAMES.map((name) => `operation.${name}`)));
    expect(document.components.schemas['operation.sendTextStatus']?.['description']).toMatch(/beta/);
  });

  it('says what a request must and may hold', () => {
    expect(document.components.schemas['SendRequest']).toMatchObject({ required: ['instance', 'content'] });
    expect(document.components.schemas['TextContent']).toMatchObject({
      required: ['kind', 'text'],
      additionalProperties: false,
    });
  });

  it('is the same each time it is made', () => {
    expect(JSON.stringify(openApiDocument({ version: '1.2.3', operations: operationContracts }))).toBe(
      JSON.stringify(document),
    );
  });

  it('describes what is really answered', () => {
    // Lists are left out: theirs are readonly, a schema's are not.
    expectTypeOf<Omit<MessageListItem, 'content'>>().toExtend<Omit<z.input<typeof messageListItemSchema>, 'content'>>();
    expectTypeOf<Evidence>().toExtend<z.input<typeof messageSchema>['evidence'][number]>();
    expectTypeOf<EditView>().toExtend<Omit<z.input<typeof editSchema>, 'messageId'>>();
    expectTypeOf<CancelResult>().toExtend<Omit<z.input<typeof cancelSchema>, 'id'>>();
    expectTypeOf<OperationResponse>().toExtend<z.input<typeof operationSchema>>();
    type Lists = 'errors' | 'candidates';
    expectTypeOf<Omit<ProblemDocument, Lists>>().toExtend<Omit<z.input<typeof problemSchema>, Lists>>();
    expect(Object.keys(messageSchema.shape)).toEqual(expect.arrayContaining(['id', 'state', 'evidence', 'edits']));
  });
});

/** A field that a type has and its schema lacks is one that a strict client breaks on. */
describe('a field that is answered', () => {
  it('stands in its schema, and the other way round', () => {
    expectTypeOf<keyof MessageListItem>().toEqualTypeOf<keyof z.input<typeof messageListItemSchema>>();
    expectTypeOf<keyof MessageView>().toEqualTypeOf<keyof z.input<typeof messageSchema>>();
    expectTypeOf<keyof AttemptView>().toEqualTypeOf<keyof z.input<typeof messageSchema>['attempts'][number]>();
    expectTypeOf<keyof EditView>().toEqualTypeOf<keyof z.input<typeof messageSchema>['edits'][number]>();
    expectTypeOf<keyof RowlessMessage>().toEqualTypeOf<keyof z.input<typeof startedMessageSchema>>();
    expectTypeOf<keyof OperationResponse>().toEqualTypeOf<keyof z.input<typeof operationSchema>>();
    expectTypeOf<keyof PacedProgress>().toEqualTypeOf<keyof z.input<typeof campaignProgressSchema>>();
    expectTypeOf<keyof ShownCampaign>().toEqualTypeOf<keyof z.input<typeof campaignSchema>>();
    expectTypeOf<keyof CampaignPlan>().toEqualTypeOf<keyof z.input<typeof campaignPlanSchema>>();
    expectTypeOf<keyof ReportRow>().toEqualTypeOf<keyof z.input<typeof reportRowSchema>>();
    expectTypeOf<keyof InstanceStatus>().toEqualTypeOf<keyof z.input<typeof instanceSchema>>();
    expectTypeOf<keyof Suppression>().toEqualTypeOf<keyof z.input<typeof suppressionSchema>>();
    expect(Object.keys(messageListItemSchema.shape)).toEqual(expect.arrayContaining(['campaignId', 'line']));
  });
});

describe('what is answered about campaigns', () => {
  it('is what the document says', () => {
    expectTypeOf<CampaignResponse>().toExtend<z.input<typeof campaignResponseSchema>>();
    expectTypeOf<RetriedRecipients>().toExtend<z.input<typeof retriedSchema>>();
    expectTypeOf<ReportRow>().toExtend<z.input<typeof reportRowSchema>>();
    expect(Object.keys(reportRowSchema.shape)).toEqual(REPORT_COLUMNS);
  });
});

describe('the page of the document', () => {
  const page = docsPage(document);

  it('shows every route', () => {
    for (const { method, path } of Object.values(ENDPOINTS)) {
      expect(page).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
    }
  });

  it('needs nothing from anywhere and runs nothing', () => {
    expect(page).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
    expect([...page.matchAll(/href="([^"]+)"/g)].every(([, href]) => /^(#|\/openapi\.json$)/.test(href ?? ''))).toBe(
      true,
    );
  });
});
