import { InvalidArgumentError, type Command } from 'commander';
import { storeFile, type ApiClient, type MessageResponse, type TemplateResponse } from '../../../client/index.js';
import { AppError, MessageCategory, OnUnknown, Priority, present, type MessageKind } from '../../../contract/index.js';
import { templateParameters } from '../../../domain/index.js';
import type { CommandGroup } from '../../command-group.js';
import { messageLine } from './message-text.js';
import {
  COUNTRY,
  INSTANCE,
  choice,
  durationOption,
  parsed,
  readJsonOption,
  repeated,
  type Given,
  type Specs,
} from '../../options.js';
import type { Terminal } from '../../terminal.js';
import { WAIT, waitedExitCode, waitIfAsked } from './wait.js';
import { readText, textOptions } from '../../text-option.js';

/** Options for the content of a message. */
const CONTENT = {
  ...textOptions('the text, at most 20,000 characters (a status: 500)'),
  '--status': 'publish the text as a status; takes no --to',
  '--file <link or path>': 'link to a file (http:// or https://), or path of a local file, at most 100 MB',
  '--file-name <name>': "the file's name with its extension (default: the name of the local file)",
  '--caption <text>': "the file's caption",
  '--poll <question>': 'question of a poll, at most 255 characters',
  '--option <text>': repeated("one of the poll's 2 to 12 options; may be repeated"),
  '--multiple-answers': 'allow more than one option of the poll',
  '--template <name>': 'name of a template that was submitted through everpost, or a prefix of it',
  '--param <key=value>': parsed<ReadonlyMap<string, string>>((text, before = new Map()) => {
    const at = text.indexOf('=');
    if (at < 1) throw new InvalidArgumentError('must be KEY=VALUE, e.g. 1=Ann');
    const name = text.slice(0, at).trim();
    if (before.has(name)) throw new InvalidArgumentError(`has ${name} twice`);
    return new Map([...before, [name, text.slice(at + 1)]]);
  }, "a value for one of the template's placeholders, e.g. 1=Ann; may be repeated"),
  '--content <json>': 'content of any kind in the format of the API: JSON, @file, or - for standard input',
} as const;

type ContentOptions = Given<Specs, typeof CONTENT>;

/** The option that gives the content of each kind. Other kinds are given by --content. */
const GIVEN_BY: Readonly<Partial<Record<MessageKind, keyof ContentOptions>>> = {
  text: 'text',
  status: 'text',
  file: 'file',
  poll: 'poll',
  template: 'template',
};
const WAYS = [...new Set(Object.values(GIVEN_BY)), 'content'] as const;

export function addSendCommand(program: CommandGroup): void {
  program.call('send', {
    description:
      'Send one message: a text, a template, a status, a file (link or local path), a poll, a location, a contact or a forward.',
    options: {
      ...INSTANCE,
      '--instances <names>': 'in place of --instance: several accounts, of which one is chosen, e.g. north,south',
      '--to <recipient>': 'phone number with its country code, or a chat id (…@c.us, …@g.us, …@lid)',
      ...COUNTRY,
      ...CONTENT,
      '--key <key>': 'idempotency key: the same key and message are sent once',
      '--reference <words>': 'free text, shown in responses and searchable',
      '--callback <url>': 'URL to post every change of state to',
      '--at <time>': 'do not post before this time, e.g. 2030-01-31T12:00:00Z (default: immediately)',
      '--expires-in <duration>': parsed(
        durationOption,
        'do not post after this long, e.g. 30m, counted from --at if given (default: 24h)',
      ),
      '--typing <duration>':
        'show typing for this long before a text, poll, file or forward, 1s to 20s (default: none)',
      '--category <category>': choice(
        Object.values(MessageCategory),
        'marketing is not sent to recipients who wrote STOP (default: transactional)',
      ),
      '--priority <priority>': choice(
        Object.values(Priority),
        'messages with a higher priority are posted first (default: normal)',
      ),
      '--sensitive': 'for a one-time code: the text is shown nowhere, and removed once nothing needs it',
      '--on-unknown <what>': choice(
        Object.values(OnUnknown),
        'policy if the outcome of the POST stays unknown: manual waits for proof, late evidence or an operator; auto may presume and send twice (default: manual)',
      ),
      ...WAIT,
    },
    json: 'print the message as one line of JSON',
    help: `Exit code: 0 done, 1 failed or ended in another state, 2 wrong use, 3 not reached in time.

--wait end returns at delivered, or at any end state without delivery. A delivered message may never be read.

Examples:
  everpost send --to 15551234567 --text "Your order is ready" --wait delivered
  everpost send --instance main --to 15551234567 --text "The alarm went off" --priority urgent
  everpost send --to 15551234567 --text "Your code is 123456" --sensitive
  everpost send --to "0151 12345678" --country DE --text "Your order is ready"
  everpost send --to 15551234567 --text "See you at ten" --at 2030-01-31T08:00:00+01:00
  everpost send --to 15551234567 --text "Yes, we are open" --typing 3s
  printf 'First line\\nSecond line' | everpost send --to 15551234567 --text-file -
  everpost send --to 15551234567 --file https://example.com/a.pdf --file-name a.pdf --key order-17
  everpost send --to 15551234567 --template order_ready --param 1=17 --param "2=counter 4"
  everpost send --status --text "Open until 20:00"
  everpost send --to 15551234567 --poll "Tea or coffee?" --option Tea --option Coffee
  everpost send --to 15551234567 --content '{"kind":"location","latitude":44.94,"longitude":34.1}'
  everpost send --to 15551234567 --content '{"kind":"contact","contact":{"phoneContact":15557654321}}'
  everpost send --to 15551234567 \\
    --content '{"kind":"forward","chatIdFrom":"15557654321@c.us","messages":["3EB0…"]}'`,
    check: checkContentOptions,
    async call(api, options, { terminal, instance: chosen }): Promise<MessageResponse> {
      const instances = options.instances?.split(',').map((name) => name.trim());
      const instance = instances?.[0] ?? (await chosen());
      const content = await contentOf(options, { api, instance, terminal });
      const { to, reference, at: sendAt, expiresIn, typing, category, priority, onUnknown, sensitive } = options;
      // The API refuses a time that cannot be parsed.
      const fromMs = Math.max(Date.now(), Date.parse(sendAt ?? '') || 0);
      const expiresAt = expiresIn === undefined ? undefined : new Date(fromMs + expiresIn).toISOString();
      const { country: defaultCountry, callback: statusCallback } = options;
      const shown = { to, defaultCountry, reference, category, priority, onUnknown, sensitive };
      const facts = { ...shown, statusCallback, sendAt, typing, expiresAt };
      const sender = instances === undefined ? { instance } : { instances };
      const begun = await api.sendMessage({ body: { ...sender, content, ...present(facts) }, key: options.key });
      for (const warning of begun.warnings ?? []) terminal.err(`warning  ${warning}`);
      return waitIfAsked(api, begun, options);
    },
    exitCode: waitedExitCode,
    lines: messageLine,
  });
}

/** Refuses incompatible options before any request. */
function checkContentOptions(options: ContentOptions, command: Command): void {
  const { status, file, fileName, caption, poll, option, multipleAnswers, template, param } = options;
  const text = options.text ?? options.textFile;
  const given = WAYS.filter((way) => (way === 'text' ? text : options[way]) !== undefined);
  const names = WAYS.flatMap((way) => (way === 'text' ? ['--text', '--text-file'] : [`--${way}`]));
  const rules: readonly (readonly [isBroken: boolean | undefined, rule: string])[] = [
    [
      given.length !== 1 || (options.text !== undefined && options.textFile !== undefined),
      `give one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`,
    ],
    [file === undefined && (fileName ?? caption) !== undefined, '--file-name and --caption require --file'],
    [poll === undefined && (option ?? multipleAnswers) !== undefined, '--option and --multiple-answers require --poll'],
    [template === undefined && param !== undefined, '--param requires --template'],
    [text === undefined && status, '--status requires --text or --text-file'],
    [poll !== undefined && option === undefined, '--poll requires --option, once for each choice'],
    [file !== undefined && isLink(file) && fileName === undefined, '--file with a link requires --file-name'],
  ];
  for (const [isBroken, rule] of rules) if (isBroken) command.error(`error: ${rule}`);
}

function isLink(file: string): boolean {
  return /^https?:\/\//.test(file);
}

/**
 * Builds the content from the options. The API validates it.
 * @param options  checked by {@link checkContentOptions}
 * @throws AppError INPUT_INVALID when the parameters are not those of the template
 */
async function contentOf(
  options: ContentOptions,
  { api, instance, terminal }: { readonly api: ApiClient; readonly instance: string; readonly terminal: Terminal },
): Promise<unknown> {
  const { file, fileName, caption, poll, multipleAnswers, template, content } = options;
  if (template !== undefined) {
    return templateContent(await api.getTemplate({ instance, elementName: template }), options.param ?? new Map());
  }
  const text = await readText(options, terminal);
  if (text !== undefined) return { kind: options.status ? 'status' : 'text', text };
  if (poll !== undefined) {
    const choices = options.option?.map((optionName) => ({ optionName }));
    return { kind: 'poll', message: poll, options: choices, ...present({ multipleAnswers }) };
  }
  if (content !== undefined) return readJsonOption('--content', content, terminal);
  if (file === undefined || isLink(file)) return { kind: 'file', url: file, fileName, ...present({ caption }) };
  return { kind: 'file', ...(await storeFile(api, file, terminal.cwd)), ...present({ fileName, caption }) };
}

function templateContent({ elementName, definition }: TemplateResponse, given: ReadonlyMap<string, string>) {
  const names = templateParameters(definition);
  const missing = names.filter((name) => !given.has(name));
  const unknown = [...given.keys()].filter((name) => !names.includes(name));
  const problems = [
    ...missing.map((name) => ({
      path: `--param ${name}`,
      message: `{{${name}}} has no value; give --param ${name}=…`,
    })),
    ...unknown.map((name) => ({ path: `--param ${name}`, message: 'is not a placeholder of the template' })),
  ];
  if (problems.length > 0) {
    const known =
      names.length === 0 ? 'no placeholders' : `the placeholders ${names.map((name) => `{{${name}}}`).join(', ')}`;
    throw new AppError('INPUT_INVALID', `Template ${elementName} has ${known}. Nothing was sent.`, { problems });
  }
  const params = names.map((name) => given.get(name) ?? '');
  return { kind: 'template', elementName, ...(params.length === 0 ? {} : { params }) };
}
