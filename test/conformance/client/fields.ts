import { expect } from 'vitest';
import type { FieldType } from '../row.js';
import { ROWS } from '../rows.js';
import { CHAT, GROUP, type Json } from '../scene.js';
import { GOOD } from '../good-requests.js';
import { onClient } from './assertions.js';

const SAMPLE_VALUES: Readonly<Record<FieldType, unknown>> = {
  string: 'words',
  number: 17,
  boolean: true,
  array: [],
  object: {},
  'string or number': '17',
  'string or boolean': 'no',
};

/** For each table of fields: the response that has such an object, and its place there. */
const RESPONSES: Readonly<
  Record<string, { operation: keyof typeof GOOD; response: (object: Json) => unknown; path: readonly string[] }>
> = {
  group: { operation: 'getGroupData', response: (object) => ({ groupId: GROUP, ...object }), path: [] },
  participant: {
    operation: 'getGroupData',
    response: (object) => ({ groupId: GROUP, participants: [{ id: CHAT, ...object }] }),
    path: ['participants', '0'],
  },
  story: {
    operation: 'getIncomingStories',
    response: (object) => [{ idMessage: 'BAE5', ...object }],
    path: ['0'],
  },
  'story.extended': {
    operation: 'getIncomingStories',
    response: (object) => [{ idMessage: 'BAE5', extendedTextMessage: object }],
    path: ['0', 'extendedTextMessage'],
  },
  template: {
    operation: 'createTemplate',
    response: (object) => ({ template: { templateId: '4c4b', ...object } }),
    path: ['template'],
  },
  'queue-item.body': {
    operation: 'showMessagesQueue',
    response: (object) => [{ type: 'sendMessage', messageID: 'BAE5', body: object }],
    path: ['0', 'body'],
  },
  'queue-item.contact': {
    operation: 'showMessagesQueue',
    response: (object) => [{ type: 'sendContact', messageID: 'BAE5', body: { contact: object } }],
    path: ['0', 'body', 'contact'],
  },
};

function at(value: unknown, path: readonly string[]): Json {
  return path.reduce<unknown>((inner, name) => (inner as Json)[name], value) as Json;
}

for (const { id, fieldType, dropField } of ROWS) {
  const place = RESPONSES[id.slice(0, id.lastIndexOf('.'))];
  if (fieldType === undefined || dropField === undefined || place === undefined) continue;
  onClient(id, async (client) => {
    const { operation, response, path } = place;
    const value = SAMPLE_VALUES[fieldType];
    client.responses(response({ [dropField]: value, newer: 'kept' }));
    const read = at(await client.call(operation, GOOD[operation].request), path);
    expect(read).toMatchObject({ [dropField]: value, newer: 'kept' });
    // The gateway omits fields that do not apply, and the rest must stay readable.
    client.responses(response({ newer: 'kept' }));
    expect(at(await client.call(operation, GOOD[operation].request), path)).toMatchObject({ newer: 'kept' });
  });
}
