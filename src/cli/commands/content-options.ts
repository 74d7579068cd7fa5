import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { readJsonOption } from '../json-option.js';

/** The options that say what to send. */
export interface ContentOptions {
  readonly text?: string;
  readonly status?: true;
  readonly file?: string;
  readonly fileName?: string;
  readonly caption?: string;
  readonly poll?: string;
  readonly option?: readonly string[];
  readonly multipleAnswers?: true;
  readonly content?: string;
}

export function addContentOptions(command: Command): Command {
  return command
    .option('--text <text>', 'the text, at most 20,000 characters (a status: 500)')
    .option('--status', 'publish the text as a status; takes no --to')
    .option('--file <url>', 'link to a file, http:// or https://')
    .option('--file-name <name>', "the file's name with its extension")
    .option('--caption <text>', "the file's caption")
    .option('--poll <question>', 'a poll, its question at most 255 characters')
    .option('--option <text>', "one of the poll's 2 to 12 options; give it once for each", collected)
    .option('--multiple-answers', 'more than one option of the poll may be chosen')
    .option('--content <json>', 'the content of any kind as the API takes it: JSON, @file, or - for standard input');
}

/** The content that the options ask for; the API checks it, as it checks everybody's. */
export async function contentOf(options: ContentOptions, command: Command, context: CommandContext): Promise<unknown> {
  const { text, status, file, fileName, caption, poll, option, multipleAnswers, content } = options;
  if ([text, file, poll, content].filter((given) => given !== undefined).length !== 1) {
    return command.error('error: give one of --text, --file, --poll and --content');
  }
  if (file === undefined && (fileName ?? caption) !== undefined) {
    return command.error('error: --file-name and --caption belong to --file');
  }
  if (poll === undefined && (option ?? multipleAnswers) !== undefined) {
    return command.error('error: --option and --multiple-answers belong to --poll');
  }
  if (text === undefined && status) return command.error('error: a status is a text; give --text');
  if (text !== undefined) return { kind: status ? 'status' : 'text', text };
  if (poll !== undefined) {
    if (option === undefined) return command.error('error: --poll needs --option, once for each choice');
    const choices = option.map((optionName) => ({ optionName }));
    return { kind: 'poll', message: poll, options: choices, ...(multipleAnswers ? { multipleAnswers } : {}) };
  }
  if (content !== undefined) return readJsonOption('--content', content, context.terminal);
  if (fileName === undefined) return command.error('error: --file needs --file-name');
  return { kind: 'file', url: file, fileName, ...(caption === undefined ? {} : { caption }) };
}

function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
