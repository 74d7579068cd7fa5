/** A retry of recipients who ended without the message, chosen by state and reason. */
import type { Context } from 'hono';
import { RETRY_SCOPES, type RetryScope } from '../../contract/index.js';
import { EverpostError, type ApiResponse, type Campaign } from '../../http-client/index.js';
import { Action, Empty, Field, described } from '../elements.js';
import { COMMAND_WAIT_MS, refusalOf, type Form, type Refusal } from '../form.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { fieldTime, instantOf, number } from '../times.js';
import { MESSAGE_WORDS } from '../words.js';
import { CampaignPage } from './campaign-change.js';

/** How long the count of a large campaign is waited for. */
const COUNT_MS = 20_000;

type Outcome = ApiResponse<'getCampaignSummary'>['outcomes'][number];

export function retryPages(pages: Pages): void {
  pages.show('/campaigns/:id/retry', (c, reader) => page(c, reader, {}));

  pages.act('/campaigns/:id/retry', async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    try {
      const body = {
        ...chosenIn(form, await outcomesOf(reader, id)),
        ...(form['maySendTwice'] === undefined ? {} : { maySendTwice: true }),
        ...((form['deadline'] ?? '') === '' ? {} : { deadline: instantOf(form['deadline'] ?? '', reader.locale) }),
      };
      await reader.api.retryCampaign({ id, body, key: form['key'], query: { timeoutMs: COMMAND_WAIT_MS } });
      return c.redirect(`/campaigns/${encodeURIComponent(id)}?done=retried`, 303);
    } catch (error) {
      return page(c, reader, form, refusalOf(error, form));
    }
  });
}

/** Those that a retry can be about. */
async function outcomesOf({ api }: Reader, id: string): Promise<readonly Outcome[]> {
  const { outcomes } = await api.getCampaignSummary({ id, query: { timeoutMs: COUNT_MS } });
  return outcomes.filter((outcome) => scopeOf(outcome) !== undefined);
}

function scopeOf({ state }: Outcome): RetryScope | undefined {
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

async function page(c: Context, reader: Reader, typed: Form, refusal?: Refusal): Promise<Response> {
  const id = c.req.param('id') ?? '';
  const [campaign, outcomes] = await Promise.all([reader.api.getCampaign({ id }), outcomesOf(reader, id)]);
  return c.html(
    <CampaignPage reader={reader} campaign={campaign} title="Retry recipients" refusal={refusal}>
      <p class="quiet-text">
        Who has the message, or may still get it, is never retried. A campaign that has ended runs again.
      </p>
      {outcomes.length === 0 ? (
        <Empty>No recipient can be retried.</Empty>
      ) : (
        <div class="card narrow">
          <Action reader={reader} to={`/campaigns/${encodeURIComponent(id)}/retry`} label="Retry" refusal={refusal}>
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
      )}
    </CampaignPage>,
    refusal?.status ?? 200,
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
            <strong>{number(outcome.recipients, reader.locale)}</strong>
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

function Deadline({ reader: { locale, nowMs }, campaign: { deadlineAt }, typed, refusal }: DeadlineProps) {
  const hasPassed = deadlineAt !== undefined && Date.parse(deadlineAt) <= nowMs;
  return (
    <Field
      name="deadline"
      label="Not after"
      hint={`Time of ${locale.timezone ?? 'UTC'}.${hasPassed ? ' The deadline of the campaign has passed.' : ' Empty: as it is.'}`}
      refusal={refusal}
    >
      <input
        id="deadline"
        name="deadline"
        type="datetime-local"
        value={typed['deadline'] ?? (hasPassed ? '' : fieldTime(deadlineAt, locale))}
        required={hasPassed}
        {...described('deadline', refusal, true)}
      />
    </Field>
  );
}
