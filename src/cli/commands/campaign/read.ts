/** Commands that show campaigns: a list, and one of them. */
import { CAMPAIGN_STATES, senderWords } from '../../../contract/index.js';
import { amendmentLines, campaignStory, leftWords } from './campaign-text.js';
import { withApi } from '../../command-context.js';
import type { CommandGroup } from '../../command-group.js';
import { choice } from '../../options.js';
import { age } from '../../table.js';
import { endExitCode, watchCampaign } from './watch.js';

export function addCampaignReadCommands(campaign: CommandGroup): void {
  const { context } = campaign;
  const { terminal } = context;
  campaign.list('list', {
    description: 'List campaigns, newest first.',
    options: {
      '--instance <name>': 'only campaigns of this account (default: all)',
      '--state <state>': choice(CAMPAIGN_STATES, 'only campaigns in this state'),
    },
    help: `DONE counts recipients who were posted to or who ended without the message. LEFT is the time until its last
message leaves the gateway's queue, AGE the time since the campaign was defined.

Example:
  everpost campaign list --state running`,
    call: (api, query) => api.listCampaigns({ query }),
    what: 'campaigns',
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'STATE', value: ({ state }) => state },
      { header: 'INSTANCE', value: (row) => senderWords(row) },
      { header: 'RECIPIENTS', value: ({ audience }) => audience, align: 'right' },
      { header: 'DONE', value: ({ donePercent }) => `${donePercent}%`, align: 'right' },
      { header: 'REPLIED', value: ({ replied }) => replied, align: 'right' },
      { header: 'OPT-OUTS', value: ({ optedOut }) => optedOut, align: 'right' },
      { header: 'LEFT', value: leftWords, align: 'right' },
      { header: 'AGE', value: ({ createdAt }) => age(createdAt), align: 'right' },
      { header: 'NAME', value: ({ name }) => name },
    ],
  });
  campaign.add('show', {
    description: 'Show a campaign: state, progress, rate, and why it waits.',
    arguments: { '<id>': 'the campaign' },
    options: {
      '--watch': 'follow the campaign until it ends',
      '--json': 'print the campaign as one line of JSON; with --watch, one line at each change',
    },
    help: `Ctrl-C ends the command; the campaign continues.
Exit code: 0; with --watch: 0 every recipient was posted to; 1 it ended cancelled or expired; 3 it still runs.

Examples:
  everpost campaign show sale
  everpost campaign show sale --watch`,
    action: ({ id, watch, json }) =>
      withApi(context, async (api) => {
        if (watch) {
          context.exitCode = endExitCode(await watchCampaign(api, id, terminal, { isJson: json === true }));
          return;
        }
        const found = await api.getCampaign({ id });
        const amendments = (await api.listAmendments({ id: found.id })).items;
        const lines = json
          ? [JSON.stringify({ ...found, amendments })]
          : [...campaignStory(found), ...amendments.flatMap(amendmentLines)];
        for (const line of lines) terminal.out(line);
      }),
  });
}
