import { runCli } from './commands/run-cli.js';
import { endWhenOutputCloses, processTerminal } from './terminal.js';

// This signal stops a service in order, and a command immediately.
endWhenOutputCloses(process.stdout, () => process.kill(process.pid, 'SIGTERM'));
process.exitCode = await runCli(process.argv.slice(2), processTerminal());
