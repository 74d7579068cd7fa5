import { expect } from 'vitest';
import type { FieldType, Row } from '../row.js';
import { ROWS } from '../rows.js';
import { CHAT, SECOND_MS, type Json } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { aTemplate } from '../template-requests.js';
import { expectOk, onSimulator } from './assertions.js';
import { aGroup, groupData } from './groups.js';
import { queueOfEveryKind } from './queue-items.js';
import { aStory, stories } from './stories.js';

const LINK = {
  text: 'https://example.com',
  description: 'An example',
  title: 'Example',
  previewType: 'None',
  jpegThumbnail: 'aGVsbG8=',
  stanzaId: 'BAE5000000000009',
  participant: CHAT,
};

/** For each table of fields: objects in the simulator's responses, some of which have each field. */
const SAMPLES: Readonly<Record<string, (sim: SimulatorDriver) => Promise<readonly unknown[]>>> = {
  group: async (sim) => {
    await aGroup(sim);
    return [await groupData(sim)];
  },
  participant: async (sim) => {
    await aGroup(sim);
    return (await groupData(sim))['participants'] as Json[];
  },
  story: storiesOfEveryKind,
  'story.extended': async (sim) => (await storiesOfEveryKind(sim)).map((story) => story['extendedTextMessage']),
  template: async (sim) => {
    const response = await sim.post('createTemplate', aTemplate());
    expectOk(response);
    return [(response.json as { template: unknown }).template];
  },
  'queue-item.body': async (sim) => (await queueOfEveryKind(sim)).map((item) => item['body']),
  'queue-item.contact': async (sim) => (await queueOfEveryKind(sim)).map((item) => (item['body'] as Json)['contact']),
  notification: async (sim) => {
    const webhook = await sim.webhook({ stateWebhook: 'yes' });
    await sim.instance({ state: 'notAuthorized' });
    await sim.advance(SECOND_MS);
    const bodies = webhook.received.map(({ body }) => body);
    return bodies.flatMap((body) => [body, body['instanceData']]);
  },
};

async function storiesOfEveryKind(sim: SimulatorDriver): Promise<Json[]> {
  await aStory(sim, { textMessage: 'hello', quotedMessage: { stanzaId: 'BAE5000000000008' } });
  await aStory(sim, { typeMessage: 'imageMessage', downloadUrl: 'https://files.example/a.jpg', caption: 'words' });
  await aStory(sim, { typeMessage: 'extendedTextMessage', extendedTextMessage: LINK });
  return await stories(sim);
}

function isOfType(value: unknown, type: FieldType): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'string or number':
      return typeof value === 'string' || typeof value === 'number';
    case 'string or boolean':
      return typeof value === 'string' || typeof value === 'boolean';
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
  }
}

function areaOf(row: Row): string {
  return row.id.slice(0, row.id.lastIndexOf('.'));
}

for (const row of ROWS) {
  const { fieldType, dropField } = row;
  const sample = SAMPLES[areaOf(row)];
  if (fieldType === undefined || dropField === undefined || sample === undefined) continue;
  onSimulator(row.id, async (sim) => {
    const values = (await sample(sim))
      .filter((object): object is Json => typeof object === 'object' && object !== null)
      .filter((object) => dropField in object)
      .map((object) => object[dropField]);
    expect(values, `no response carries ${dropField}`).not.toHaveLength(0);
    for (const value of values) {
      expect(isOfType(value, fieldType), `${dropField} is ${JSON.stringify(value)}, not ${fieldType}`).toBe(true);
    }
  });
}
