import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CampaignPlan } from '../../../src/api/index.js';
import { useListeningApi } from '../../api/api-parts.js';
import { everpost, type CliRun } from '../fake-terminal.js';
import { aFolder } from '../../support/folder.js';

const { env } = useListeningApi();

/** @returns where a file of this name is */
function someFiles(files: Readonly<Record<string, string>> = {}): (name: string) => string {
  const folder = aFolder(files);
  return (name) => path.join(folder, name);
}

const campaign = (args: readonly string[], stdin?: string): Promise<CliRun> =>
  everpost(['campaign', ...args], { env, ...(stdin === undefined ? {} : { stdin }) });

const SALE = 'instance: main\ncontent: { kind: text, text: "Hi you" }\n';

describe('everpost campaign import', () => {
  it('imports the example, and plans it', async () => {
    const inFolder = someFiles();
    for (const file of ['campaign.yaml', 'recipients.csv']) copyFileSync(`examples/${file}`, inFolder(file));

    const { exitCode, out, err } = await campaign(['import', inFolder('campaign.yaml')]);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: [] });
    expect(out.slice(0, 7)).toEqual([
      'garden-opening  32 recipients of 37 lines',
      '  accepted         32',
      '  duplicate        1',
      '  bad_number       1',
      '  country_missing  1',
      '  number_missing   1',
      '  unreadable       1',
    ]);
    expect(out.at(-1)).toContain('recipients.rejected.csv');
    const [head, ...rejected] = readFileSync(inFolder('recipients.rejected.csv'), 'utf8').trim().split('\r\n');
    expect(head).toBe('phone;name;day;time;place;line;reason;remedy');
    expect(rejected.map((line) => /;(\d+;[a-z_]+[^;]*);/.exec(line)?.[1])).toEqual([
      '7;duplicate of line 4',
      '11;bad_number',
      '15;country_missing',
      '23;number_missing',
      '38;unreadable',
    ]);

    const planned = await campaign(['plan', inFolder('campaign.yaml')]);
    expect(planned.exitCode).toBe(0);
    expect(planned.out).toEqual(
      expect.arrayContaining([
        'garden-opening  draft  32 recipients through main',
        'Line 2 to 15550002001@c.us: text',
        expect.stringContaining('Hello Ada, the garden opens on Friday.'),
        expect.stringMatching(/^Queue: unknown; one message leaves every 15 s \(assumed\)$/),
        'Takes about 7 min 45 s for 32 recipients',
      ]),
    );
  });

  it("reports an unchanged file, and replaces the recipients by another file's", async () => {
    const inFolder = someFiles({
      'again.yml': SALE,
      'one.csv': 'phone\n15550000001\n',
      'two.csv': 'phone\n15550000002\n',
    });
    const importing = ['import', inFolder('again.yml'), '--recipients'];
    expect((await campaign([...importing, inFolder('one.csv')])).out).toEqual([
      'again  1 recipients of 1 lines',
      '  accepted         1',
    ]);
    expect((await campaign([...importing, inFolder('one.csv')])).out[0]).toBe(
      'again  1 recipients of 1 lines, as before',
    );
    const { out } = await campaign([...importing, inFolder('two.csv'), '--json']);
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ id: 'again', unchanged: false, verdicts: { accepted: 1 } });
    expect(existsSync(inFolder('two.rejected.csv'))).toBe(false);
  });

  it('applies a changed text to a draft', async () => {
    const inFolder = someFiles({ 'changed.yaml': SALE, 'recipients.csv': 'phone\n15550000001\n' });
    await campaign(['import', inFolder('changed.yaml'), '--recipients', inFolder('recipients.csv')]);
    writeFileSync(inFolder('changed.yaml'), SALE.replace('Hi', 'Dear'));
    await campaign(['import', inFolder('changed.yaml'), '--recipients', inFolder('recipients.csv')]);
    const { out } = await campaign(['plan', 'changed', '--json']);
    expect((JSON.parse(out[0] ?? '') as CampaignPlan).samples).toMatchObject([{ content: { text: 'Dear you' } }]);
  });

  it.each([
    ['CSV', 'phone,name\n15550000001,Ann\n12,Bob\n'],
    ['NDJSON', '{"phone":15550000001,"name":"Ann"}\n{"phone":"12","name":"Bob"}\n'],
  ])('reads %s from standard input, and writes the rejected lines to the given file', async (_, stdin) => {
    const inFolder = someFiles({ 'piped.yaml': SALE });
    const rejects = inFolder('no.csv');
    const { exitCode, out } = await campaign(
      ['import', inFolder('piped.yaml'), '--recipients', '-', '--rejects', rejects, '--json'],
      stdin,
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ lines: 2, verdicts: { accepted: 1, bad_number: 1 }, rejects });
    expect(readFileSync(rejects, 'utf8')).toMatch(
      /^\uFEFFphone,name,line,reason,remedy\r\n12,Bob,\d,bad_number,"write one complete number/,
    );
  });

  it('reads JSON definitions and NDJSON files beside them', async () => {
    const definition = {
      id: 'from-json',
      instance: 'main',
      content: { kind: 'text', text: 'Hi {{name}}' },
      recipients: { file: 'recipients.ndjson' },
    };
    const inFolder = someFiles({
      'x.json': JSON.stringify(definition),
      'recipients.ndjson': '{"mobile":"+1 555 000 0001","name":"Ann"}\n',
    });
    expect((await campaign(['import', inFolder('x.json')])).out[0]).toBe('from-json  1 recipients of 1 lines');
  });

  it('reports all problems of a definition at once', async () => {
    const inFolder = someFiles({
      'bad.yaml': `instance: main\ncontent: { kind: txt }\nprioritty: low\nhighWater: 0\nrecipients: { file: a, group: 120363043968066561@g.us }\n`,
    });
    const { exitCode, out, err } = await campaign(['import', inFolder('bad.yaml')]);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: [] });
    expect(err.join('\n')).toMatch(
      /\[INPUT_INVALID\].*content\.kind: is not one of text, file.*highWater: is less than 1.*recipients: contains both.*prioritty: is not a known field/s,
    );
  });

  it('reports the limits that the text exceeds', async () => {
    const text = 'x'.repeat(20_001);
    const inFolder = someFiles({
      'long.yaml': `instance: main\ncontent: { kind: text, text: ${text} }\n`,
      'a.csv': 'phone\n',
    });
    const { exitCode, err } = await campaign(['import', inFolder('long.yaml'), '--recipients', inFolder('a.csv')]);
    expect(exitCode).toBe(2);
    expect(err.join('\n')).toMatch(/content\.text.*20000/);
  });

  it.each([
    ['broken.yaml', 'instance: main\ncontent: { kind: text\n', /not valid YAML.*line 3/s],
    ['broken.json', '{"instance": }', /not valid JSON/],
    ['empty.yaml', '', /is refused/],
    ['Über uns!.yaml', `${SALE}recipients: { file: nowhere.csv }\n`, /nowhere\.csv cannot be read \(ENOENT\)/],
    ['none.yaml', SALE, /give --recipients or --group/],
  ])('ends with 2 and shows the problem for %s', async (name, text, words) => {
    const inFolder = someFiles({ [name]: text });
    const { exitCode, err } = await campaign(['import', inFolder(name)]);
    expect(exitCode).toBe(2);
    expect(err.join('\n')).toMatch(words);
  });

  it('ends with 2 without a file', async () => {
    const { exitCode, err } = await campaign(['import', '/nowhere/sale.yaml']);
    expect(exitCode).toBe(2);
    expect(err[0]).toContain('/nowhere/sale.yaml cannot be read (ENOENT)');
  });
});

describe('everpost schedule create', () => {
  it("names a file in the instance's folder of the worker, which may be on another machine", async () => {
    const file = someFiles({ 'sale.yaml': SALE })('sale.yaml');
    const options = ['--id', 'sale', '--campaign', file, '--recipients', 'members/list.csv', '--cron', '0 9 * * *'];
    expect(await everpost(['schedule', 'create', ...options], { env })).toMatchObject({ exitCode: 0 });
    const { out } = await everpost(['schedule', 'show', 'sale'], { env });
    expect(out).toContain('  recipients: file members/list.csv');
  });

  it.each([
    ['--message', 'list.yaml', '- text', "The message's file"],
    ['--message', 'broken.yaml', 'to: [', "The message's file"],
    ['--campaign', 'list.yaml', '- text', "The campaign's file"],
  ])('names the kind of a faulty file: %s %s', async (option, name, text, kind) => {
    const file = someFiles({ [name]: text })(name);
    const { exitCode, err } = await everpost(['schedule', 'create', option, file, '--cron', '0 9 * * *'], { env });
    expect(exitCode).toBe(2);
    expect(err[0]).toContain(`${kind} ${file} is `);
  });
});

describe('everpost campaign plan', () => {
  it('ends with 1 while the campaign cannot start, and shows why', async () => {
    const inFolder = someFiles({
      'gaps.yaml': SALE.replace('Hi you', 'Hi {{name}}'),
      'p.csv': 'phone,name\n15550000001,Ann\n15550000002,\n',
    });
    const withoutRecipients = await campaign(['plan', inFolder('gaps.yaml')]);
    expect(withoutRecipients.exitCode).toBe(2);
    expect(withoutRecipients.err.join('\n')).toContain('--recipients');

    await campaign(['import', inFolder('gaps.yaml'), '--recipients', inFolder('p.csv')]);
    const { exitCode, out } = await campaign(['plan', 'gaps']);
    expect(exitCode).toBe(1);
    expect(out).toContain('Missing: {{name}} has no value for 1 recipients, the first on line 3');
    expect(out.join('\n')).toContain('VALUES_MISSING');
  });

  it('ends with 1 for an unknown id', async () => {
    const { exitCode, err } = await campaign(['plan', 'missing']);
    expect(exitCode).toBe(1);
    expect(err[0]).toMatch(/\[CAMPAIGN_NOT_FOUND\]$/);
  });
});

describe('everpost campaign test', () => {
  it('is refused without a number', async () => {
    const { exitCode, err } = await campaign(['test', 'x']);
    expect(exitCode).toBe(2);
    expect(err[0]).toContain('--to');
  });
});
