/** A retry of recipients who ended without the message, chosen by state and reason. */
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { MESSAGE_STATES, RETRY_SCOPES, type RetryScope } from '../../contract/index.js';
import { EverpostError, type ApiResponse, type Campaign } from '../../http-client/index.js';
import { Action, Empty, Field, Later, described } from '../elements.js';
import { COMMAND_WAIT_MS, type Form, type Refusal } from '../form.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { fieldTime, instantOf, number } from '../times.js';
import { MESSAGE_WORDS } from '../words.js';
import { CampaignPage } from './campaign-change.js';

/** How long the count of a large campaign is waited for: by a page, and by the part that is loaded into it. */
const PROMPT_MS = 100;
const COUNT_MS = 20_000;

type Outcome = ApiResponse<'getCampaignSummary'>['outcomes'][number];

export function retryPages(pages: Pages): void {
  pages.showForm(
    '/campaigns/:id/retry',
    (c, reader) => page(c, reader, { waitMs: c.req.query('wait') === undefined ? PROMPT_MS : COUNT_MS }),
    {
      everyMs: COUNT_MS,
      render: async (c, reader) =>
        choice(reader, await reader.api.getCampaign({ id: c.req.param('id') ?? '' }), { waitMs: COUNT_MS }),
    },
  );

  const act = pages.forms((c, reader, refusal) => page(c, reader, { waitMs: COUNT_MS, typed: refusal.form, refusal }));
  act('/campaigns/:id/retry', async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    const outcomes = await outcomesOf(reader, id, COUNT_MS);
    if (outcomes === undefined) throw refused('The recipients are still counted. Send the form again in a moment.');
    const body = {
      ...chosenIn(form, outcomes),
      ...(form['maySendTwice'] === undefined ? {} : { maySendTwice: true }),
      ...((form['deadline'] ?? '') === '' ? {} : { deadline: instantOf(form['deadline'] ?? '', reader.locale) }),
    };
    await reader.api.retryCampaign({ id, body, key: form['key'], query: { timeoutMs: COMMAND_WAIT_MS } });
    return c.redirect(`/campaigns/${encodeURIComponent(id)}?done=retried`, 303);
  });
}

/** Those that a retry can be about. @returns undefined while they are counted for the first time */
async function outcomesOf({ api }: Reader, id: string, timeoutMs: number): Promise<readonly Outcome[] | undefined> {
  const { asOf, outcomes } = await api.getCampaignSummary({ id, query: { timeoutMs } });
  if (asOf === undefined) return undefined;
  return outcomes.filter((outcome) => scopeOf(outcome) !== undefined);
}

function scopeOf({ state }: Pick<Outcome, 'state'>): RetryScope | undefined {
  if (state === 'unresolved') return 'unknown';
  return RETRY_SCOPES.find((scope) => scope === state);
}

/** The field of an outcome. */
function fieldOf({ state, reason = '' }: Outcome): string {
  return `retry:${state}:${reason}`;
}

/**
 * A request names states, and reasons for all of them: a choice that this cannot say is refused.
 * @throws EverpostError INPUT_INVALID
 */
function chosenIn(form: Form, outcomes: readonly Outcome[]) {
  const chosen = outcomes.filter((outcome) => form[fieldOf(outcome)] !== undefined);
  const scopes = [...new Set(chosen.flatMap((outcome) => scopeOf(outcome) ?? []))];
  if (scopes.length === 0) throw refused('Nothing is chosen. Choose who is retried.');
  const inScopes = outcomes.filter((outcome) => scopes.some((scope) => scope === scopeOf(outcome)));
  if (inScopes.length === chosen.length) return { scopes };
  const reasons = [...new Set(chosen.map(({ reason }) => reason ?? ''))];
  const meant = inScopes.filter(({ reason = '' }) => reasons.includes(reason));
  if (!reasons.includes('') && meant.length === chosen.length) return { scopes, reasons };
  throw refused(
    'These reasons cannot be retried together. Choose all reasons of a state, or retry one state after the other.',
  );
}

function refused(message: string): EverpostError {
  return new EverpostError(message, { code: 'INPUT_INVALID', status: 422 });
}

interface Shown {
  readonly waitMs: number;
  readonly typed?: Form;
  readonly refusal?: Refusal;
}

async function page(c: Context, reader: Reader, shown: Shown): Promise<Response> {
  const campaign = await reader.api.getCampaign({ id: c.req.param('id') ?? '' });
  return c.html(
    <CampaignPage reader={reader} campaign={campaign} title="Retry recipients" refusal={shown.refusal}>
      <p class="quiet-text">
        Who has the message, or may still get it, is never retried. A campaign that has ended runs again.
      </p>
      {await choice(reader, campaign, shown)}
    </CampaignPage>,
    shown.refusal?.status ?? 200,
  );
}

async function choice(reader: Reader, campaign: Campaign, { waitMs, typed = {}, refusal }: Shown): Promise<Child> {
  const path = `/campaigns/${encodeURIComponent(campaign.id)}/retry`;
  const outcomes = await outcomesOf(reader, campaign.id, waitMs);
  // A kept count may be from before the first of them ended.
  const isBefore =
    outcomes?.length === 0 && MESSAGE_STATES.some((state) => campaign.counts[state] > 0 && scopeOf({ state }));
  if (outcomes === undefined || isBefore) return <Later path={path}>Count who can be retried</Later>;
  if (outcomes.length === 0) return <Empty>No recipient can be retried.</Empty>;
  return (
    <div class="card narrow">
      <Action reader={reader} to={path} label="Retry" refusal={refusal}>
        <Outcomes reader={reader} outcomes={outcomes} typed={typed} />
        {outcomes.some((outcome) => scopeOf(outcome) === 'unknown') && (
          <p>
            <label>
              <input type="checkbox" name="maySendTwice" value="yes" /> Send those whose outcome is not known again,
              although they may have the message
            </label>
          </p>
        )}
        <Deadline reader={reader} campaign={campaign} typed={typed} refusal={refusal} />
      </Action>
    </div>
  );
}

function Outcomes({ reader, outcomes, typed }: { reader: Reader; outcomes: readonly Outcome[]; typed: Form }) {
  return (
    <fieldset>
      <legend>Who is retried</legend>
      <div class="options">
        {outcomes.map((outcome) => (
          <label>
            <input
              type="checkbox"
              name={fieldOf(outcome)}
              value="yes"
              checked={typed[fieldOf(outcome)] !== undefined}
            />{' '}
            {`${MESSAGE_WORDS[outcome.state].label}: ${outcome.title}`}{' '}
            <strong>{number(outcome.recipients, reader)}</strong>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface DeadlineProps {
  readonly reader: Reader;
  readonly campaign: Campaign;
  readonly typed: Form;
  readonly refusal: Refusal | undefined;
}

function Deadline({ reader, campaign: { deadlineAt }, typed, refusal }: DeadlineProps) {
  const hasPassed = deadlineAt !== undefined && Date.parse(deadlineAt) <= reader.nowMs;
  return (
    <Field
      name="deadline"
      label="Not after"
      hint={`Time of ${reader.locale.timezone ?? 'UTC'}.${hasPassed ? ' The deadline of the campaign has passed.' : ' Empty: as it is.'}`}
      refusal={refusal}
    >
      <input
        id="deadline"
        name="deadline"
        type="datetime-local"
        value={typed['deadline'] ?? (hasPassed ? '' : fieldTime(deadlineAt, reader.locale))}
        required={hasPassed}
        {...described('deadline', refusal, true)}
      />
    </Field>
  );
}
