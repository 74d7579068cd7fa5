import { endWhereNobodyReads } from './nobody-reads.js';
import { runCli } from './run-cli.js';
import { processTerminal } from './terminal.js';

// A service ends in order at this signal, a command at once.
endWhereNobodyReads(process.stdout, () => process.kill(process.pid, 'SIGTERM'));
process.exitCode = await runCli(process.argv.slice(2), processTerminal());
