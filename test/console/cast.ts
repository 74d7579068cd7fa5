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
