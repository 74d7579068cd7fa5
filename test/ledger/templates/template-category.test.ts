/** A single message without a category has that of its template. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { MessageCategory, TemplateDefinition } from '../../../src/contract/index.js';
import { PLAIN_TEMPLATE } from '../../support/template.js';
import { NOW, SECOND, useOwnCast } from '../cast.js';

const the = useOwnCast();

async function aTemplate(category: TemplateDefinition['category']) {
  const key = { instance: the.instance, elementName: 'spring_sale' };
  const definition = { ...PLAIN_TEMPLATE, category };
  await the.ledger.templates.submit({ ...key, definition, definitionHash: 'd', requestedAt: '' }, NOW);
  const token = randomUUID();
  await the.ledger.templates.claim({ key, token, reconcileAfterMs: NOW });
  const reading = { templateId: 't-1', status: 'PENDING', category };
  await the.ledger.templates.recordOutcome(key, token, { kind: 'accepted', reading, witness: 'response' }, NOW);
  return {
    read: (reviewed: string) =>
      the.ledger.templates.recordReading(key, {
        reading: { templateId: 't-1', status: 'APPROVED', category: reviewed },
        witness: 'getTemplateById',
        nowMs: NOW + SECOND,
      }),
  };
}

async function categoryOf(named: { elementName: string } | { templateId: string }, category?: MessageCategory) {
  const content = { kind: 'template', ...named } as const;
  const id = await the.pending({ content, ...(category === undefined ? {} : { category }) });
  return (await the.view(id)).category;
}

describe('a template message without a category', () => {
  it('is marketing if its template is, named by our name or by its id', async () => {
    await aTemplate('MARKETING');
    expect(await categoryOf({ elementName: 'spring_sale' })).toBe('marketing');
    expect(await categoryOf({ templateId: 't-1' })).toBe('marketing');
  });

  it('is transactional if its template is not, or is unknown', async () => {
    await aTemplate('UTILITY');
    expect(await categoryOf({ elementName: 'spring_sale' })).toBe('transactional');
    expect(await categoryOf({ templateId: 'created-elsewhere' })).toBe('transactional');
  });

  it('follows the category that a review has changed, for messages written from then on', async () => {
    const template = await aTemplate('UTILITY');
    const before = await the.pending({ content: { kind: 'template', elementName: 'spring_sale' } });
    await template.read('MARKETING');
    expect(await categoryOf({ elementName: 'spring_sale' })).toBe('marketing');
    expect((await the.view(before)).category).toBe('transactional');
  });

  it('ends suppressed for a recipient who has written STOP', async () => {
    await aTemplate('MARKETING');
    const said = { what: 'stop', instance: the.instance, word: 'STOP', idMessage: randomUUID(), nowMs: NOW } as const;
    await the.ledger.suppressions.applyWord({ ...said, chatId: '15550001111@c.us', atMs: NOW });
    const id = await the.pending({
      chatId: '15550001111@c.us',
      content: { kind: 'template', elementName: 'spring_sale' },
    });
    expect(await the.view(id)).toMatchObject({ category: 'marketing', state: 'suppressed' });
  });
});

it('a category in the request wins', async () => {
  await aTemplate('MARKETING');
  expect(await categoryOf({ elementName: 'spring_sale' }, 'transactional')).toBe('transactional');
});
