import type { MessageResponse } from '../../../client/index.js';
import { present } from '../../../contract/index.js';
import type { CommandGroup } from '../../command-group.js';
import { COUNTRY, numberOption } from '../../options.js';
import { messageLine } from '../message/message-text.js';
import { WAIT, waitedExitCode, waitIfAsked } from '../message/wait.js';

export function addCampaignTestCommand(campaign: CommandGroup): void {
  campaign.call('test', {
    description: "Send a test of a campaign: its content with one recipient's values, to any number.",
    arguments: { '<id>': "the campaign's id, or a prefix of it" },
    options: {
      '--to <recipient>': 'phone number with its country code, or a chat id (…@c.us, …@g.us, …@lid)',
      ...COUNTRY,
      '--line <number>': numberOption(
        1,
        9_999_999_999,
        'must be the number of a line',
        'line of the recipients file whose values it contains (default: the first recipient)',
      ),
      '--variant <name>': "the variant of the content (default: the recipient's own)",
      '--key <key>': 'idempotency key: the same key sends the test once',
      ...WAIT,
    },
    json: 'print the message as one line of JSON',
    help: `A test is a message of its own. It is in no count, report or limit of the campaign, and goes at once, also outside
of sending windows. Recipients on the suppression list get no test. The campaign may be a draft, and must not have ended.
Exit code: 0 done, 1 failed or ended in another state, 2 wrong use, 3 not reached in time.

Examples:
  everpost campaign test sale --to 15551234567
  everpost campaign test sale --to 15551234567 --line 17 --wait delivered`,
    check({ to }, command) {
      if (to === undefined) command.error('error: name the number that gets the test: --to 15551234567');
    },
    async call(
      api,
      { id: given, to = '', country: defaultCountry, line, variant, key, ...wait },
    ): Promise<MessageResponse> {
      const { id } = await api.getCampaign({ id: given });
      const begun = await api.testCampaign({ id, body: { to, ...present({ defaultCountry, line, variant }) }, key });
      return waitIfAsked(api, begun, wait);
    },
    exitCode: waitedExitCode,
    lines: messageLine,
  });
}
