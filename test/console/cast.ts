/** Campaigns and messages for pages to show. */
import type { ApiDependencies } from '../api/api-parts.js';

type Api = Pick<ApiDependencies, 'call'>;

/** Started, with two recipients. */
export async function aCampaign({ call }: Api, id = 'spring', more: object = {}): Promise<void> {
  const content = { kind: 'text', text: 'Hello {{name}}' };
  const definition = { id, name: 'Spring newsletter', instance: 'main', content, ...more };
  await call('POST', '/v1/campaigns', definition);
  const lines = 'phone,name\n+15551234567,Ann\n+15551234568,Bob\n';
  await call('PUT', `/v1/campaigns/${id}/recipients`, lines, { 'content-type': 'text/csv' });
  await call('POST', `/v1/campaigns/${id}/start`, {});
}

/** With one recipient, whose name is `name`. */
export async function aDraft({ call }: Api, id: string, name: string): Promise<void> {
  const content = { kind: 'text', text: 'Hello {{name|you}}' };
  await call('POST', '/v1/campaigns', { id, name, instance: 'main', content });
  const lines = `phone,name\n+15551234567,"${name.replaceAll('"', '""')}"\nnone,Eve\n`;
  await call('PUT', `/v1/campaigns/${id}/recipients`, lines, { 'content-type': 'text/csv' });
}

/** @returns its id */
export async function aMessage({ call }: Api, text = 'Your table is booked.', to = '15551234567'): Promise<string> {
  const { body } = await call('POST', '/v1/messages', { instance: 'main', to, content: { kind: 'text', text } });
  return body.id;
}

/** With hostile words in every part that a phone shows. */
export async function aTemplate({ ledger }: ApiDependencies, elementName: string, text = 'Your order {{1}}') {
  const key = { instance: 'main', elementName };
  const buttons = [{ type: 'QUICK_REPLY', text }];
  const definition = { elementName, content: text, header: text, footer: text, templateType: 'TEXT', buttons } as never;
  const requestedAt = '2026-03-01T10:00:00.000Z';
  await ledger.templates.submit({ ...key, definition, definitionHash: 'x', requestedAt }, Date.now());
}

/** An endpoint with a test event that waits. @returns their ids */
export async function anEndpoint({ call }: Api, description = 'Our shop') {
  const url = 'https://example.com/hook';
  const { body } = await call('POST', '/v1/event-endpoints', { instance: 'main', url, description });
  const tested = await call('POST', `/v1/event-endpoints/${body.id}/test`);
  return { endpoint: body.id as string, event: tested.body.event as string };
}
