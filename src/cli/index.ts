import { runCli } from './run-cli.js';
import { endWhenOutputCloses, processTerminal } from './terminal.js';

// A service ends in order at this signal, a command at once.
endWhenOutputCloses(process.stdout, () => process.kill(process.pid, 'SIGTERM'));
process.exitCode = await runCli(process.argv.slice(2), processTerminal());
