import type { Command } from 'commander';
import { withApi, type CommandContext, type JsonOption } from '../command-context.js';
import { instanceColumns, instanceStory } from '../instance-text.js';
import { showPage } from '../table.js';

export function addInstanceCommands(program: Command, context: CommandContext): void {
  const instance = program.command('instance').description('Show account health; pause and resume accounts.');
  addList(instance, context);
  addShow(instance, context);
  addPause(instance, context);
  addResume(instance, context);
}

function addList(instance: Command, context: CommandContext): void {
  instance
    .command('list')
    .description('List the accounts: state, queue, and messages that wait.')
    .option('--json', 'print { items } as one line of JSON')
    .addHelpText(
      'after',
      `
QUEUE is the number of items in the gateway's queue, as read last. WAITING counts single messages that are not posted yet,
UNKNOWN messages whose response was lost. NOTIFIED is the age of the last notification.

Example:
  everpost instance list`,
    )
    .action(async ({ json }: JsonOption) => {
      const page = await withApi(context, (api) => api.listInstances());
      showPage(context, json, { columns: instanceColumns(Date.now()), page, what: 'instances' });
    });
}

function addShow(instance: Command, context: CommandContext): void {
  instance
    .command('show')
    .description('Show the state, pauses and queue of an account, and which messages and campaigns wait for it.')
    .argument('[name]', 'one account; all of them without it')
    .option('--json', 'print it as one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  everpost instance show
  everpost instance show main --json`,
    )
    .action(async (name: string | undefined, { json }: JsonOption) => {
      const { terminal } = context;
      const items = await withApi(context, async (api) =>
        name === undefined ? (await api.listInstances()).items : [await api.getInstance({ name })],
      );
      if (json) return terminal.out(JSON.stringify(name === undefined ? { items } : items[0]));
      for (const line of items.flatMap(instanceStory)) terminal.out(line);
    });
}

function addPause(instance: Command, context: CommandContext): void {
  instance
    .command('pause')
    .description('Pause an account: nothing is posted until it is resumed.')
    .argument('<name>', 'the account')
    .option('--json', 'print { pause, instance } as one line of JSON')
    .addHelpText(
      'after',
      `
Messages being posted, and items in the gateway's queue, still go out. Messages that wait keep their expiry.
Pausing again changes nothing. The pause stays until everpost instance resume.

Example:
  everpost instance pause main`,
    )
    .action(async (name: string, { json }: JsonOption) => {
      const { terminal } = context;
      const response = await withApi(context, (api) => api.pauseInstance({ name }));
      if (json) return terminal.out(JSON.stringify(response));
      for (const line of instanceStory(response.instance)) terminal.out(line);
    });
}

function addResume(instance: Command, context: CommandContext): void {
  instance
    .command('resume')
    .description('Resume a paused account.')
    .argument('<name>', 'the account')
    .option('--json', 'print { resumed, instance } as one line of JSON')
    .addHelpText(
      'after',
      `
After a yellow card, a block or a suspension, check the account first: the cause may pause it again. It is resumed only while
it is authorized. Campaigns resume at once, single messages within 30 seconds.

Exit code: 0 it is not paused now; 1 it is not authorized yet, and stays paused.

Example:
  everpost instance resume main`,
    )
    .action(async (name: string, { json }: JsonOption) => {
      const { terminal } = context;
      const response = await withApi(context, (api) => api.resumeInstance({ name }));
      if (json) return terminal.out(JSON.stringify(response));
      const reasons = response.resumed.map(({ reason, since }) => `${reason} since ${since}`);
      terminal.out(reasons.length === 0 ? `${name} was not paused` : `${name} is resumed (${reasons.join(', ')})`);
      for (const line of instanceStory(response.instance).slice(1)) terminal.out(line);
    });
}
