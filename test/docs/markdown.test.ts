import { describe, expect, it } from 'vitest';
import { problemsOf } from './known-command.js';
import { plainWords } from './plain-words.js';
import { anchorsOf, commandBlocks, inlineCommands, linksOf, unlabelledCommands } from './markdown.js';

const FENCE = '```';

describe('the words of a command', () => {
  it('are split as by a shell, without its comment', () => {
    const command = `npx everpost send --to 1 \\\n  --text "Hello {{name|you}} & 'all'" --by='a $b'   # now`;
    const words = ['npx', 'everpost', 'send', '--to', '1', '--text', "Hello {{name|you}} & 'all'", '--by=a $b'];
    expect(plainWords(command)).toEqual(words);
  });

  it.each(['a | b', 'a > b', 'a && b', 'A=1 b', 'a "$b"', 'a `b`', 'a *.csv', 'a \\b', '(a)'])(
    'are left to a shell: %s',
    (command) => {
      expect(plainWords(command)).toBeUndefined();
    },
  );
});

describe('the commands of a document', () => {
  it('are one each, however many lines they have, without comments and output', () => {
    const markdown = [
      `${FENCE}sh`,
      '# a comment',
      'curl -X POST http://127.0.0.1:8080/v1/messages \\',
      `  -d '{`,
      `  }'`,
      '',
      'npx everpost message show msg_…   # shows it',
      FENCE,
      `${FENCE}console`,
      '$ npx everpost doctor',
      'ok      api',
      FENCE,
      `${FENCE}json`,
      '{}',
      FENCE,
    ].join('\n');
    expect(commandBlocks(markdown).map(({ commands }) => commands)).toEqual([
      [
        `curl -X POST http://127.0.0.1:8080/v1/messages \\\n  -d '{\n  }'`,
        'npx everpost message show msg_…   # shows it',
      ],
      ['npx everpost doctor'],
    ]);
  });

  it('have the directives of the comments right above, and nothing of other comments', () => {
    const said = '<!-- not run: takes long -->\n<!-- before: npx everpost suppression add 1 -->\n\n';
    const markdown = `<!-- not run: another -->\n\nText\n\n${said}${FENCE}sh\nnpx everpost demo\n${FENCE}\n`;
    expect(commandBlocks(markdown)).toEqual([
      { commands: ['npx everpost demo'], notRun: 'takes long', before: ['npx everpost suppression add 1'] },
    ]);
  });

  it('are found in running text, and missed in a block without a language', () => {
    const markdown = `Run \`everpost doctor --fix\`.\n\n${FENCE}\nnpx everpost dev\n${FENCE}\n`;
    expect(inlineCommands(markdown)).toEqual(['everpost doctor --fix']);
    expect(unlabelledCommands(markdown)).toEqual(['npx everpost dev']);
  });
});

describe('the links of a document', () => {
  it('are those to files and headings of the repository', () => {
    const markdown = `See [a](a.md), [b](../b.md#how-fast), [c](https://example.com).\n\n${FENCE}\n[d](d.md)\n${FENCE}\n`;
    expect(linksOf(markdown)).toEqual(['a.md', '../b.md#how-fast']);
  });

  it('find a heading by its words', () => {
    const markdown = `# Progress, rate and end\n\n## The \`/livez\` route\n\n${FENCE}\n# no heading\n${FENCE}\n`;
    expect(anchorsOf(markdown)).toEqual(['progress-rate-and-end', 'the-livez-route']);
  });
});

describe('a documented command', () => {
  it.for([
    ['npx everpost fly', /has no command fly/],
    ['npx everpost campaign begin x', /campaign has no command begin/],
    ['EVERPOST_LOG_LEVEL=debug npx everpost send --telegram x', /send has no option --telegram/],
    ['curl http://127.0.0.1:8080/v1/nothing?x=1', /\/v1\/nothing is no route/],
    ['npm run fly', /npm run fly is no script/],
    ['npx everpost list | frobnicate', /frobnicate is no known program/],
  ] as const)('is refused: %s', ([command, problem]) => {
    expect(problemsOf(command).join()).toMatch(problem);
  });

  it('is accepted when command, option and route exist', () => {
    const good = [
      'zcat recipients.csv.gz | npx everpost campaign import sale.yaml --recipients -',
      'npx everpost send --text "--not an option" --key=k --data-dir /tmp/try   # --nor this',
      "curl -X POST 'http://127.0.0.1:8080/v1/messages/msg_…/edits?timeoutMs=1'",
    ];
    expect(good.flatMap(problemsOf)).toEqual([]);
  });
});
