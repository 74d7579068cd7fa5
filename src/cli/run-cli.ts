import { Command } from 'commander';
import { addCampaignCommands } from './commands/campaign/index.js';
import { addCancelCommand } from './commands/cancel.js';
import { addDemoCommand } from './commands/demo.js';
import { addDevCommand } from './commands/dev.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addEditCommand } from './commands/edit.js';
import { addInstanceCommands } from './commands/instance.js';
import { addMessageCommand } from './commands/message.js';
import { addMessagesCommand } from './commands/messages.js';
import { addOperationCommand } from './commands/operation.js';
import { addApiCommand, addSimulatorCommand, addWorkerCommand } from './commands/parts.js';
import { addProveCommand } from './commands/prove.js';
import { addSendCommand } from './commands/send.js';
import { addStatusCommand } from './commands/status.js';
import { addSuppressCommands } from './commands/suppress/index.js';
import { addTemplateCommands } from './commands/template/index.js';
import { addWebhooksCommands } from './commands/webhooks/index.js';
import { createCommandContext, type CommandContext } from './command-context.js';
import { errorLines } from './error-lines.js';
import { exitCodeOf, type ExitCode } from './exit-code.js';
import { packageVersion } from './package-version.js';
import type { Terminal } from './terminal.js';

/**
 * Runs one command line.
 * @param args  without the program's own name
 * @returns the code to exit with; never rejects, whatever goes wrong is told on the terminal
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const context = createCommandContext(terminal);
  try {
    await buildProgram(context).parseAsync(args, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    const exitCode = exitCodeOf(error);
    // Commander has told its own errors already.
    if (!isTold(error)) {
      const withStack = /^(debug|trace)$/i.test(terminal.env['EVERPOST_LOG_LEVEL'] ?? '');
      for (const line of errorLines(error, { withStack })) terminal.err(line);
    }
    return exitCode;
  }
}

function buildProgram(context: CommandContext): Command {
  const program = new Command('everpost')
    .description('Durable messaging for an HTTP gateway: every message ends in one honest state.')
    .version(packageVersion(), '--version', 'print the version')
    .showHelpAfterError('(add --help for the options and examples)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.terminal.out(text.replace(/\n$/, '')),
      writeErr: (text) => context.terminal.err(text.replace(/\n$/, '')),
    });
  addDevCommand(program, context);
  addDemoCommand(program, context);
  addWorkerCommand(program, context);
  addApiCommand(program, context);
  addSimulatorCommand(program, context);
  addSendCommand(program, context);
  addEditCommand(program, context);
  addCancelCommand(program, context);
  addStatusCommand(program, context);
  addMessagesCommand(program, context);
  addMessageCommand(program, context);
  addCampaignCommands(program, context);
  addTemplateCommands(program, context);
  addInstanceCommands(program, context);
  addSuppressCommands(program, context);
  addOperationCommand(program, context);
  addWebhooksCommands(program, context);
  addDoctorCommand(program, context);
  addProveCommand(program, context);
  return program;
}

function isTold(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}
