import type { Command } from 'commander';
import { withApi, type CommandContext } from '../command-context.js';
import { instanceColumns, instanceStory } from '../instance-text.js';
import { showPage } from '../table.js';

interface JsonOption {
  readonly json?: true;
}

export function addInstanceCommands(program: Command, context: CommandContext): void {
  const instance = program
    .command('instance')
    .description('How the accounts are, what holds them, and releasing them.');
  addList(instance, context);
  addStatus(instance, context);
  addRelease(instance, context);
}

function addList(instance: Command, context: CommandContext): void {
  instance
    .command('list')
    .description('List the accounts: state, queue, and what waits.')
    .option('--json', 'print { items } as one line of JSON')
    .addHelpText(
      'after',
      `
QUEUE is the number of items in the gateway's queue, as read last. WAITING are single messages that are not posted yet.
UNKNOWN are messages whose answer was lost. NOTIFIED is how long ago the last notification came.

Example:
  everpost instance list`,
    )
    .action(async ({ json }: JsonOption) => {
      const items = await withApi(context, (api) => api.instances());
      if (json) return context.terminal.out(JSON.stringify({ items }));
      showPage(context.terminal, { columns: instanceColumns(Date.now()), page: { items }, what: 'instances' });
    });
}

function addStatus(instance: Command, context: CommandContext): void {
  instance
    .command('status')
    .description('Show state, queue, what holds an account, and what waits for it.')
    .argument('[name]', 'one account; all of them without it')
    .option('--json', 'print it as one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  everpost instance status
  everpost instance status main --json`,
    )
    .action(async (name: string | undefined, { json }: JsonOption) => {
      const { terminal } = context;
      const items = await withApi(context, async (api) =>
        name === undefined ? api.instances() : [await api.instance(name)],
      );
      if (json) return terminal.out(JSON.stringify(name === undefined ? { items } : items[0]));
      for (const line of items.flatMap(instanceStory)) terminal.out(line);
    });
}

function addRelease(instance: Command, context: CommandContext): void {
  instance
    .command('release')
    .description(
      "Say that a held account may send again: a yellow card, a block or a suspension waits for a person's word.",
    )
    .argument('<name>', 'the account')
    .option('--json', 'print { released, instance } as one line of JSON')
    .addHelpText(
      'after',
      `
The account has to be authorized again. Look at it first: what put the brake on may do so again.
Campaigns go on at once, single messages within half a minute.

Exit code: 0 nothing holds it now; 1 it is not authorized yet, and stays held.

Example:
  everpost instance release main`,
    )
    .action(async (name: string, { json }: JsonOption) => {
      const { terminal } = context;
      const answer = await withApi(context, (api) => api.releaseInstance(name));
      if (json) return terminal.out(JSON.stringify(answer));
      const states = answer.released.map(({ state, since }) => `${state} since ${since}`);
      terminal.out(states.length === 0 ? `${name} was not held` : `${name} is released (${states.join(', ')})`);
      for (const line of instanceStory(answer.instance).slice(1)) terminal.out(line);
    });
}
