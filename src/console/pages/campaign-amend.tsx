/** Amendments of a campaign's text: what each promises before it is confirmed, and what came of those before. */
import type { Context } from 'hono';
import type { ApiResponse, Campaign } from '../../http-client/index.js';
import { Action, Empty, Facts, Field, Table, described } from '../elements.js';
import { COMMAND_WAIT_MS, type Form, type Refusal } from '../form.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { time, counted, lasting, number } from '../times.js';
import { CampaignPage, Hidden, SideBySide, textOf } from './campaign-change.js';

export function amendPages(pages: Pages): void {
  const act = pages.forms(async (c, reader, refusal) =>
    page(c, reader, await reader.api.getCampaign({ id: c.req.param('id') ?? '' }), refusal.form, refusal),
  );
  pages.showForm('/campaigns/:id/amend', async (c, reader) => {
    const campaign = await reader.api.getCampaign({ id: c.req.param('id') ?? '' });
    return page(c, reader, campaign, { text: textOf(campaign.content) });
  });

  act('/campaigns/:id/amend', async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    const campaign = await reader.api.getCampaign({ id });
    const plan = await reader.api.planAmendment({ id, body: bodyOf(form) });
    return await review(c, reader, campaign, { form, plan });
  });

  act('/campaigns/:id/amend/confirmed', async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    await reader.api.amendCampaign({
      id,
      body: bodyOf(form),
      key: form['key'],
      query: { timeoutMs: COMMAND_WAIT_MS },
    });
    return c.redirect(`/campaigns/${encodeURIComponent(id)}?done=amended`, 303);
  });
}

function bodyOf(form: Form) {
  return { text: form['text'] ?? '', ...(form['stop'] === undefined ? {} : { stop: true }) };
}

async function page(c: Context, reader: Reader, campaign: Campaign, typed: Form, refusal?: Refusal) {
  const { id } = campaign;
  const { items } = await reader.api.listAmendments({ id });
  return c.html(
    <CampaignPage reader={reader} campaign={campaign} title="Amend the text" refusal={refusal}>
      <p class="quiet-text">
        The new text is for everyone: recipients who were not posted to get it, and messages that were sent less than 15
        minutes ago are edited, as many as possible in time.
      </p>
      {reader.may('send') && (
        <div class="card narrow">
          <Action reader={reader} to={`/campaigns/${encodeURIComponent(id)}/amend`} label="See what it can do">
            <Field name="text" label="New text" refusal={refusal}>
              <textarea id="text" name="text" rows={6} required {...described('text', refusal)}>
                {typed['text']}
              </textarea>
            </Field>
            <p>
              <label>
                <input type="checkbox" name="stop" value="yes" checked={typed['stop'] !== undefined} /> Send it to no
                one else: cancel the recipients who were not posted to
              </label>
            </p>
          </Action>
        </div>
      )}
      <h2>Amendments</h2>
      {items.length === 0 ? <Empty>The text was not amended yet.</Empty> : null}
      {items.map((amendment) => (
        <Amended reader={reader} amendment={amendment} />
      ))}
    </CampaignPage>,
    refusal?.status ?? 200,
  );
}

type Plan = ApiResponse<'planAmendment'>;
type Amendment = ApiResponse<'listAmendments'>['items'][number];

const PLANNED: readonly (readonly [keyof Plan, string])[] = [
  ['reachable', 'see the new text by an edit'],
  ['underWay', 'are being sent to; they are edited as soon as it is sent'],
  ['unsent', 'were not posted to'],
  ['tooLate', 'keep the old text: it was sent more than 15 minutes ago'],
  ['newText', 'have this text already'],
  ['ownText', 'have a text of their own'],
  ['notSent', 'ended without a message'],
  ['unresolved', 'have a message whose outcome is not known'],
];

function review(c: Context, reader: Reader, campaign: Campaign, { form, plan }: { form: Form; plan: Plan }) {
  const path = `/campaigns/${encodeURIComponent(campaign.id)}/amend`;
  const missed = plan.editable - plan.reachable;
  return c.html(
    <CampaignPage reader={reader} campaign={campaign} title="Confirm the amendment">
      <SideBySide before={textOf(campaign.content)} after={form['text'] ?? ''} />
      <p>
        Of {counted(plan.audience, 'recipient', reader)}
        {plan.seconds === 0 ? '' : `, edited within ${lasting(plan.seconds * 1_000)}`}:
      </p>
      <ul>
        {PLANNED.map(([name, words]) =>
          plan[name] === 0 ? null : (
            <li>{`${number(plan[name], reader)} ${name === 'unsent' && form['stop'] !== undefined ? 'were not posted to, and are cancelled' : words}.`}</li>
          ),
        )}
        {missed > 0 && <li>{`${number(missed, reader)} cannot be edited in time.`}</li>}
      </ul>
      <div class="actions">
        <Action reader={reader} to={`${path}/confirmed`} label="Amend the text">
          <Hidden form={form} />
        </Action>
        <a class="button quiet" href={path}>
          Back
        </a>
      </div>
    </CampaignPage>,
  );
}

const SEEN: readonly (readonly [keyof Amendment['counts'], string])[] = [
  ['edited', 'edited'],
  ['newText', 'sent with the new text'],
  ['pending', 'edit under way'],
  ['unconfirmed', 'edit not confirmed'],
  ['unsent', 'not posted to yet'],
  ['refused', 'edit refused'],
  ['tooLate', 'too late'],
  ['notPossible', 'could not be edited'],
  ['superseded', 'replaced by a newer edit'],
  ['ownText', 'text of their own'],
  ['notSent', 'without a message'],
  ['unresolved', 'outcome not known'],
];

const STATES: Readonly<Record<Amendment['state'], string>> = {
  running: 'Under way',
  ended: 'Ended',
  replaced: 'Replaced by a newer one',
};

function Amended({ reader, amendment }: { reader: Reader; amendment: Amendment }) {
  const { contentVersion, text, textBefore, state, begunAt, endedAt, counts, expected } = amendment;
  return (
    <article class="card">
      <h3>{`Version ${contentVersion}`}</h3>
      <SideBySide before={textBefore} after={text} />
      <Facts
        of={{
          State: STATES[state],
          Began: time(begunAt, reader),
          Ended: time(endedAt, reader),
          Expected:
            expected && `${number(expected.edited, reader)} edited, ${number(expected.missed, reader)} too late`,
        }}
      />
      <Table name={`What recipients saw of version ${contentVersion}`} heads={['Recipients', '#Number']}>
        {SEEN.map(([name, words]) =>
          counts[name] === 0 ? null : (
            <tr>
              <td>{words}</td>
              <td class="number">{number(counts[name], reader)}</td>
            </tr>
          ),
        )}
      </Table>
    </article>
  );
}
