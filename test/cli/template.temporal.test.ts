import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished } from 'vitest';
import { aLiveApi, type LiveApi } from '../api/live-api.js';
import { test, type TemporalForTests } from '../support/temporal/temporal.js';
import { everpost as run, type CliRun } from './fake-terminal.js';
import { aFolder } from '../support/folder.js';
import { TEMPLATE } from '../support/template.js';

interface Stage {
  readonly live: LiveApi;
  /** Unique on the server: it is part of the run's id. */
  readonly elementName: string;
  everpost(...args: readonly string[]): Promise<CliRun>;
  file(fields: object, name?: string): Promise<string>;
}

async function aStage(temporal: TemporalForTests, taskQueue: string): Promise<Stage> {
  const live = await aLiveApi(temporal, taskQueue);
  const folder = aFolder();
  onTestFinished(() => live.close());
  const elementName = `order_${randomBytes(4).toString('hex')}`;
  return {
    live,
    elementName,
    everpost: (...args) => run(args, { env: { EVERPOST_API_URL: live.url } }),
    async file(fields, name = 'template.yaml') {
      const path = join(folder, name);
      const all = { ...TEMPLATE, elementName, ...fields };
      // JSON is YAML too.
      await writeFile(path, JSON.stringify(all));
      return path;
    },
  };
}

describe('everpost template', () => {
  test("validates a file without any service, with the API's rules", async ({ temporal, taskQueue }) => {
    const { everpost, file, live, elementName } = await aStage(temporal, taskQueue);
    const good = await everpost('template', 'validate', await file({}));
    expect(good).toMatchObject({ exitCode: 0, out: [expect.stringContaining('no errors, no warnings') as string] });

    const path = await file({ vertical: 'x'.repeat(181), templateType: 'IMAGE' });
    const bad = await everpost('template', 'validate', path);
    expect(bad.exitCode).toBe(1);
    expect(bad.out.join('\n')).toMatch(/error .*'vertical'.*180.*\(found 181\)\nwarning .*'mediaUrl'/);
    const json = JSON.parse((await everpost('template', 'validate', path, '--json')).out.join('')) as object;
    const response = await live.call('POST', '/v1/templates/validate', {
      template: { ...TEMPLATE, elementName, vertical: 'x'.repeat(181), templateType: 'IMAGE' },
    });
    expect(response.body).toEqual(json);

    const unreadable = await everpost('template', 'validate', 'no-such-file.yaml');
    expect(unreadable.exitCode).toBe(2);
  });

  test('submits a file once, shows the review, and takes an operator’s decision', async ({ temporal, taskQueue }) => {
    const { everpost, file, live, elementName } = await aStage(temporal, taskQueue);
    const path = await file({ buttons: [{ type: 'QUICK_REPLY', text: 'Thanks' }], allowTemplateCategoryChange: true });
    const submitted = await everpost('template', 'submit', path, '--wait', 'submitted', '--timeout', '2m');
    expect(submitted).toMatchObject({ exitCode: 0, out: [expect.stringContaining('PENDING') as string] });
    expect(submitted.err.join()).toContain('deprecated');
    const sent = live.simulator.requests().find(({ method }) => method === 'createTemplate')?.body as Record<
      string,
      unknown
    >;
    expect(sent).toMatchObject({ enableSample: true, buttons: '[{"type":"QUICK_REPLY","text":"Thanks"}]' });
    expect(sent).not.toHaveProperty('allowTemplateCategoryChange');

    expect(await everpost('template', 'submit', path)).toMatchObject({ exitCode: 0 });
    const changed = await everpost(
      'template',
      'submit',
      await file({ content: 'It is {{1}}', example: 'It is 17' }, 'b.yaml'),
    );
    expect(changed.exitCode).toBe(1);
    expect(changed.err.join('\n')).toMatch(/- content: "Your order.*\n\+ content: "It is/);
    expect(changed.err.join('\n')).toContain('[TEMPLATE_DIFFERS]');
    expect(live.simulator.requests().filter(({ method }) => method === 'createTemplate')).toHaveLength(1);

    const pending = await everpost('template', 'show', elementName, '--wait', '--timeout', '10ms');
    expect(pending.exitCode).toBe(3);
    const decided = await everpost(
      'template',
      'set-review',
      elementName,
      '--status',
      'REJECTED',
      '--reason',
      'too pushy',
    );
    expect(decided).toMatchObject({ exitCode: 0, out: [expect.stringContaining('REJECTED  too pushy') as string] });
    const status = await everpost('template', 'show', elementName, '--wait');
    expect(status.exitCode).toBe(1);
    expect(status.out.join('\n')).toMatch(
      /changes:\n.*request {2}pending\n.*response {2}submitted.*\n.*response {2}status {2}PENDING\n.*operator {2}status {2}REJECTED {2}too pushy/,
    );
    expect((await everpost('template', 'set-review', elementName, '--status', 'no')).exitCode).toBe(2);
  });

  test('lets its messages be sent once it is approved, and refuses a message that could never be sent', async ({
    temporal,
    taskQueue,
  }) => {
    const { everpost, file, live, elementName } = await aStage(temporal, taskQueue);
    const send = (content: object, ...more: string[]) =>
      everpost('send', '--to', '15550000001', '--content', JSON.stringify({ kind: 'template', ...content }), ...more);
    expect(await send({ elementName, params: ['42'] })).toMatchObject({ exitCode: 2 });
    await everpost('template', 'submit', await file({}), '--wait', 'submitted');
    expect((await send({ elementName })).err.join()).toContain('1 values');
    expect((await send({ elementName, templateId: 'both', params: ['42'] })).exitCode).toBe(2);
    await live.control('POST', `templates/${elementName}/decision`, { status: 'APPROVED' });
    await everpost('template', 'set-review', elementName, '--status', 'APPROVED');
    expect(await send({ elementName, params: ['42'] }, '--wait', 'delivered', '--timeout', '2m')).toMatchObject({
      exitCode: 0,
    });
    expect(live.phoneOf('15550000001')).toMatchObject([{ text: 'Your order 42 is ready.' }]);
  });

  test('is also created by the operation createTemplate, and an unknown one is reported', async ({
    temporal,
    taskQueue,
  }) => {
    const { everpost, live, elementName } = await aStage(temporal, taskQueue);
    const body = { instance: 'main', request: { ...TEMPLATE, elementName } };
    const response = await live.call('POST', '/v1/operations/createTemplate?wait=end', body);
    expect(response.body).toMatchObject({ state: 'done', result: { template: { elementName, status: 'PENDING' } } });
    expect((await live.call('GET', `/v1/templates/main/${elementName}`)).body).toMatchObject({ state: 'submitted' });
    await everpost('template', 'set-review', elementName, '--status', 'REJECTED');
    const unknown = await everpost('template', 'show', 'unheard_of');
    expect(unknown).toMatchObject({ exitCode: 1, err: [expect.stringContaining('[TEMPLATE_NOT_FOUND]') as string] });
  });
});
