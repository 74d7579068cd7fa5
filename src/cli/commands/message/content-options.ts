import { InvalidArgumentError, type Command } from 'commander';
import { AppError, type MessageKind, type Problem, present } from '../../../contract/index.js';
import { templateParameters } from '../../../domain/index.js';
import type { TemplateResponse } from '../../../client/index.js';
import { parsed, readJsonOption, repeated, type Given, type Specs } from '../../options.js';
import type { Terminal } from '../../terminal.js';

/** Options for the content of a message. */
export const CONTENT = {
  '--text <text>': 'the text, at most 20,000 characters (a status: 500)',
  '--status': 'publish the text as a status; takes no --to',
  '--file <link or path>': 'link to a file (http:// or https://), or path of a local file, at most 100 MB',
  '--file-name <name>': "the file's name with its extension (default: the name of the local file)",
  '--caption <text>': "the file's caption",
  '--poll <question>': 'question of a poll, at most 255 characters',
  '--option <text>': repeated("one of the poll's 2 to 12 options; may be repeated"),
  '--multiple-answers': 'allow more than one option of the poll',
  '--template <name>': 'name of a template that was submitted through everpost, or a prefix of it',
  '--param <key=value>': parsed(
    withParam,
    "a value for one of the template's placeholders, e.g. 1=Ann; may be repeated",
  ),
  '--content <json>': 'content of any kind in the format of the API: JSON, @file, or - for standard input',
} as const;

type ContentOptions = Given<Specs, typeof CONTENT>;

/** The option that gives the content of each kind. */
const GIVEN_BY = {
  text: 'text',
  status: 'text',
  file: 'file',
  poll: 'poll',
  template: 'template',
  location: 'content',
  contact: 'content',
  forward: 'content',
} as const satisfies Readonly<Record<MessageKind, keyof ContentOptions>>;
const WAYS = [...new Set(Object.values(GIVEN_BY))];

/** Rejects incompatible options before any request. */
export function checkContentOptions(options: ContentOptions, command: Command): void {
  const { text, status, file, fileName, caption, poll, option, multipleAnswers, template, param } = options;
  if (WAYS.filter((way) => options[way] !== undefined).length !== 1) {
    const names = WAYS.map((way) => `--${way}`);
    return command.error(`error: give one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`);
  }
  if (file === undefined && (fileName ?? caption) !== undefined) {
    return command.error('error: --file-name and --caption require --file');
  }
  if (poll === undefined && (option ?? multipleAnswers) !== undefined) {
    return command.error('error: --option and --multiple-answers require --poll');
  }
  if (template === undefined && param !== undefined) return command.error('error: --param requires --template');
  if (text === undefined && status) return command.error('error: --status requires --text');
  if (poll !== undefined && option === undefined) {
    return command.error('error: --poll requires --option, once for each choice');
  }
  if (file !== undefined && isLink(file) && fileName === undefined) {
    return command.error('error: --file with a link requires --file-name');
  }
}

/** The API calls that resolve a content. */
interface ContentSources {
  findTemplate(name: string): Promise<TemplateResponse>;
  storeFile(path: string): Promise<{ readonly fileId: string; readonly fileName: string }>;
}

function isLink(file: string): boolean {
  return /^https?:\/\//.test(file);
}

/**
 * Builds the content from the options. The API validates it.
 * @param options  checked by {@link checkContentOptions}
 * @throws AppError INPUT_INVALID when the parameters are not those of the template
 */
export async function contentOf(
  options: ContentOptions,
  terminal: Terminal,
  { findTemplate, storeFile }: ContentSources,
): Promise<unknown> {
  const {
    text,
    status,
    file,
    fileName,
    caption,
    poll,
    option = [],
    multipleAnswers,
    template,
    param,
    content,
  } = options;
  if (template !== undefined) return templateContent(await findTemplate(template), param ?? new Map<string, string>());
  if (text !== undefined) return { kind: status ? 'status' : 'text', text };
  if (poll !== undefined) {
    const choices = option.map((optionName) => ({ optionName }));
    return { kind: 'poll', message: poll, options: choices, ...(multipleAnswers ? { multipleAnswers } : {}) };
  }
  if (content !== undefined) return readJsonOption('--content', content, terminal);
  if (file === undefined || isLink(file)) return { kind: 'file', url: file, fileName, ...present({ caption }) };
  return { kind: 'file', ...(await storeFile(file)), ...present({ fileName, caption }) };
}

function templateContent(
  { elementName, definition }: TemplateResponse,
  given: ReadonlyMap<string, string>,
): { kind: 'template'; elementName: string; params?: string[] } {
  const names = templateParameters(definition);
  const problems: Problem[] = [
    ...names
      .filter((name) => !given.has(name))
      .map((name) => ({ path: `--param ${name}`, message: `{{${name}}} has no value; give --param ${name}=…` })),
    ...[...given.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => ({ path: `--param ${name}`, message: 'is not a placeholder of the template' })),
  ];
  if (problems.length > 0) {
    const known =
      names.length === 0 ? 'no placeholders' : `the placeholders ${names.map((name) => `{{${name}}}`).join(', ')}`;
    throw new AppError('INPUT_INVALID', `Template ${elementName} has ${known}. Nothing was sent.`, { problems });
  }
  const params = names.map((name) => given.get(name) ?? '');
  return { kind: 'template', elementName, ...(params.length === 0 ? {} : { params }) };
}

function withParam(text: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('must be KEY=VALUE, e.g. 1=Ann');
  const name = text.slice(0, at).trim();
  if (before.has(name)) throw new InvalidArgumentError(`has ${name} twice`);
  return new Map([...before, [name, text.slice(at + 1)]]);
}
