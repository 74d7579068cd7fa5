import { Command, CommanderError } from 'commander';
import { packageVersion } from '../../compose/index.js';
import { AppError, type ErrorCode, codeOf } from '../../contract/index.js';
import { PRODUCT_COMMAND } from '../../tools/prove/index.js';
import { createCommandContext, ExitCode, type CommandContext } from '../command-context.js';
import { type Terminal, printableOnly } from '../terminal.js';
import { CommandGroup } from '../command-group.js';
import { addAccountCommands, addOperationCommands } from './account.js';
import { addCampaignCommands } from './campaign/campaign.js';
import { addDemoCommand, addDevCommand } from './run/dev.js';
import { addDoctorCommand } from './doctor.js';
import { addEventCommands, addNotificationCommands } from './event/event.js';
import { addInstanceCommands } from './instance.js';
import { addKeyCommands } from './key.js';
import { addMessageCommands } from './message/message.js';
import { addProveCommand } from './run/prove.js';
import { addScheduleCommands } from './schedule/schedule.js';
import { addSendCommand } from './message/send.js';
import { addBackupCommands } from './run/backup.js';
import { addServiceCommands } from './run/services.js';
import { addRecipientCommands, addSuppressionCommands } from './recipients.js';
import { addTemplateCommands } from './template.js';

/**
 * Runs one command line.
 * @param args  without the program's own name
 * @returns the exit code; never rejects, since every error is printed on the terminal
 */
export async function runCli(args: readonly string[], rawTerminal: Terminal): Promise<ExitCode> {
  const terminal = printableOnly(rawTerminal);
  const context = createCommandContext(terminal);
  try {
    await buildProgram(context).parseAsync(args, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    // Commander prints its own errors.
    if (!codeOf(error)?.startsWith('commander.')) {
      const withStack = /^(debug|trace)$/i.test(terminal.env['EVERPOST_LOG_LEVEL'] ?? '');
      for (const line of errorLines(error, { withStack })) terminal.err(line);
    }
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.wrongUse;
    return error instanceof AppError && WRONG_USE.includes(error.code) ? ExitCode.wrongUse : ExitCode.failed;
  }
}

/** Builds the program with all commands, and runs none. */
export function buildProgram(context: CommandContext): Command {
  const program = new Command('everpost')
    .description('Durable messaging through an HTTP gateway that takes no idempotency key.')
    .version(packageVersion(), '--version', 'print the version')
    .showHelpAfterError('(add --help for the options and examples)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => linesOf(text).forEach((line) => context.terminal.out(line)),
      writeErr: (text) => linesOf(text).forEach((line) => context.terminal.err(line)),
    });
  const commands = new CommandGroup(program, context);
  for (const add of COMMANDS) add(commands);
  addDataDirOption(program, context);
  return program;
}

/** The lines of a help page. */
function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** In the order of the help page. */
const COMMANDS: readonly ((program: CommandGroup) => void)[] = [
  addDevCommand,
  addDemoCommand,
  addServiceCommands,
  addBackupCommands,
  addSendCommand,
  addMessageCommands,
  addCampaignCommands,
  addTemplateCommands,
  addInstanceCommands,
  addScheduleCommands,
  addSuppressionCommands,
  addRecipientCommands,
  addOperationCommands,
  addAccountCommands,
  addNotificationCommands,
  addEventCommands,
  addKeyCommands,
  addDoctorCommand,
  addProveCommand,
];

/** Commands that start everpost or a part of it, and so use no running one. */
const START_SOMETHING = ['dev', 'demo', 'worker', 'api', 'simulator', 'prove', PRODUCT_COMMAND];

/** Adds `--data-dir` to every command that uses a running everpost. */
function addDataDirOption(program: Command, context: CommandContext): void {
  const users = program.commands.filter((command) => !START_SOMETHING.includes(command.name())).flatMap(leaves);
  for (const command of users) {
    command.option('--data-dir <path>', 'data directory of the everpost dev to use (default: EVERPOST_DATA_DIR)');
    command.hook('preAction', () => {
      const options = command.opts<{ dataDir?: string }>();
      context.override({ EVERPOST_DATA_DIR: options.dataDir });
      // Lists pass their other options to the API as a filter.
      delete options.dataDir;
    });
  }
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

const WRONG_USE: readonly ErrorCode[] = ['CONFIG_INVALID', 'INPUT_INVALID', 'INPUT_TOO_LARGE'];

/**
 * Formats an error for an operator: its message, then each problem that the message does not contain, one a line.
 * Includes the stack trace only with EVERPOST_LOG_LEVEL=debug.
 */
export function errorLines(error: unknown, { withStack }: { readonly withStack: boolean }): string[] {
  if (error instanceof AppError && error.next !== 'bug') {
    const problems = (error.problems ?? [])
      .filter(({ message }) => !error.message.includes(message))
      .map(({ path, message }) => `  ${path === '' ? '' : `${path}: `}${message}`);
    const gateway = error.gatewayText === undefined ? [] : [`  The gateway responded: ${error.gatewayText}`];
    const candidates = (error.candidates ?? []).map((id) => `  ${id}`);
    return [
      `everpost: ${error.message} [${error.code}]`,
      ...problems,
      ...candidates,
      ...gateway,
      ...stackOf(error, withStack),
    ];
  }
  const words = error instanceof Error ? error.message : String(error);
  return [
    `everpost: unexpected error: ${words.split('\n')[0]}`,
    ...(withStack ? stackOf(error, true) : ['  Set EVERPOST_LOG_LEVEL=debug to print the stack trace.']),
  ];
}

function stackOf(error: unknown, withStack: boolean): string[] {
  return withStack && error instanceof Error && error.stack !== undefined ? error.stack.split('\n') : [];
}
