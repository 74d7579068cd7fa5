/** `everpost message resolve`: one message, or all that are unresolved for a reason. */
import { forEachConcurrently, present } from '../../../contract/index.js';
import type { ApiClient, ApiResponse } from '../../../client/index.js';
import type { CommandGroup } from '../../command-group.js';
import { ExitCode } from '../../command-context.js';
import { choice } from '../../options.js';

type Resolved = ApiResponse<'resolveMessage'>;

/** What a request states of a message. */
type Stated = Parameters<ApiClient['resolveMessage']>[0]['body'];

const OUTCOMES = ['accepted', 'not_accepted'] as const;
/** The API shares what it reads of a gateway between requests. */
const AT_ONCE = 8;
/** A proof of absence waits six seconds after a reading of the queue. */
const PROVED_AFTER_MS = 7_000;

export function addResolveCommand(message: CommandGroup): void {
  message.call('resolve', {
    description: 'State the outcome of messages that are unknown or unresolved, or have the gateway show it.',
    arguments: { '[id]': 'id of the message, or at least its first 4 characters, with or without msg_' },
    options: {
      '--as <word>': choice(
        OUTCOMES,
        'accepted: the phone shows the message; not_accepted: it does not, so the message is posted again',
      ),
      '--by-evidence': "accepted or not_accepted, as the gateway's queue and journal, and notifications, show it",
      '--id-message <id>': "the gateway's id of the message, with accepted: its receipts then count for the message",
      '--reason <code>': 'in place of an id: all messages that are unresolved for this reason, e.g. LEDGER_WENT_BACK',
      '--instance <name>': 'with --reason: only messages of this account (default: all)',
    },
    json: 'print the response as one line of JSON; with --reason, a list of them',
    help: `Check the phone first: not_accepted posts the message again. "everpost message show" lists possible matches with
their ids. --by-evidence posts a message again only if the gateway's queue proves that it was never accepted; without
evidence a message stays unresolved.
Exit code: 0 resolved, 1 the outcome is already known, or the gateway may still accept the message, or messages stay
unresolved.

Examples:
  everpost message resolve msg_7k3m9x2q --as not_accepted
  everpost message resolve msg_7k3m9x2q --as accepted --id-message 3EB06B54AC851CB03051
  everpost message resolve --reason LEDGER_WENT_BACK --by-evidence`,
    check({ id, as, byEvidence, idMessage, reason, instance }, command) {
      if ((id === undefined) === (reason === undefined)) command.error('error: give the id of a message, or --reason');
      if ((as === undefined) === (byEvidence === undefined)) command.error('error: give --as, or --by-evidence');
      if (idMessage !== undefined && as !== 'accepted') command.error('error: --id-message needs --as accepted');
      if (reason !== undefined && idMessage !== undefined)
        command.error('error: --id-message needs the id of a message');
      if (reason === undefined && instance !== undefined) command.error('error: --instance needs --reason');
    },
    async call(api, { id, as, idMessage, reason = '', instance }) {
      const stated: Stated = { outcome: as ?? 'by_evidence', ...present({ idMessage }) };
      if (id !== undefined) return api.resolveMessage({ id, body: stated });
      const which = { reason, ...present({ instance }) };
      const first = await resolveAll(api, which, stated);
      if (as !== undefined || !first.some(isOpen)) return first;
      await new Promise((resolve) => setTimeout(resolve, PROVED_AFTER_MS));
      return [...first.filter((one) => !isOpen(one)), ...(await resolveAll(api, which, stated))];
    },
    exitCode: (result) => ([result].flat().some(isOpen) ? ExitCode.failed : ExitCode.done),
    lines(result) {
      if (!('length' in result)) return `${result.id}  is ${result.state} now`;
      const open = result.filter(isOpen).length;
      const rest = open === 0 ? [] : [`${open} stay unresolved: nothing shows their outcome`];
      return [...result.filter((one) => !isOpen(one)).map(({ id, state }) => `${id}  is ${state} now`), ...rest];
    },
  });
}

function isOpen({ state }: Resolved): boolean {
  return state === 'unresolved';
}

async function resolveAll(
  api: ApiClient,
  which: { readonly reason: string; readonly instance?: string },
  body: Stated,
): Promise<readonly Resolved[]> {
  const resolved: Resolved[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await api.listMessages({
      query: { ...which, state: 'unresolved', limit: 500, ...present({ cursor }) },
    });
    await forEachConcurrently(AT_ONCE, page.items, async ({ id }) => {
      resolved.push(await api.resolveMessage({ id, body }));
    });
    cursor = page.cursor;
    if (cursor === undefined) return resolved;
  }
}
