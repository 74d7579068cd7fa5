/** Campaigns from start to end, through the API and everything behind it. */
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { SHORT_ID_PATTERN, campaignWorkflowId, type CampaignId } from '../../../src/contract/index.js';
import { test } from '../../support/temporal/temporal.js';

import type { ApiResponse } from '../api-parts.js';
import { aLiveApi, type LiveApi } from '../live-api.js';
import { eventually } from '../../support/eventually.js';

let live: LiveApi;
let campaigns = 0;

/** A campaign with recipients of its own. */
class Campaign {
  readonly number = ++campaigns;
  /** Its run's id is permanent, and a server may outlive a run of the tests. */
  readonly id = `c${this.number}-${randomUUID()}`;

  phone(recipient: number): string {
    return `1555${String(this.number).padStart(4, '0')}${String(recipient).padStart(3, '0')}`;
  }

  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse> {
    return live.call(method, `/v1/campaigns/${this.id}${path}`, body, headers);
  }

  async drafted(recipients: number, definition: Record<string, unknown> = {}): Promise<this> {
    const content = { kind: 'text', text: 'Hello {{name}}' };
    await live.call('POST', '/v1/campaigns', { id: this.id, instance: 'main', content, ...definition });
    const lines = Array.from({ length: recipients }, (_, index) => `+${this.phone(index + 1)},P${index + 1}`);
    const file = await fetch(`${live.url}/v1/campaigns/${this.id}/recipients`, {
      method: 'PUT',
      headers: { 'content-type': 'text/csv' },
      body: ['phone,name', ...lines].join('\n'),
    });
    expect(await file.json()).toMatchObject({ verdicts: { accepted: recipients } });
    return this;
  }

  async started(recipients: number, definition?: Record<string, unknown>): Promise<this> {
    await this.drafted(recipients, definition);
    expect(await this.call('POST', '/start')).toMatchObject({ status: 202, body: { state: 'running' } });
    return this;
  }

  async ends(): Promise<ApiResponse['body']> {
    expect((await this.call('GET', '?wait=ended&timeoutMs=60000')).body).toHaveProperty('endedAt');
    // The end requires only that every recipient was sent to; the delivery receipt may come a moment later.
    await eventually(async () => expect((await this.call('GET', '')).body.counts.sent).toBe(0));
    return (await this.call('GET', '')).body;
  }

  /** The texts on this recipient's phone. */
  texts(recipient: number): unknown[] {
    return live.phoneOf(this.phone(recipient)).map(({ text }) => text);
  }

  /** Resolves once the gateway has accepted this many. */
  async hasPosted(recipients: number): Promise<void> {
    await eventually(async () => {
      const { counts } = (await this.call('GET', '')).body;
      expect(counts.accepted + counts.sent + counts.delivered + counts.no_account).toBeGreaterThanOrEqual(recipients);
    });
  }
}

const ONE_AT_A_TIME = { highWater: 1 };

test.beforeAll(async ({ temporal }) => {
  live = await aLiveApi(temporal, `campaigns-${randomUUID()}`);
});
test.afterAll(() => live.close());
// A test that fails half-way must not keep the gate closed for the next one.
test.afterEach(() => live.turnstile.open());

describe('a campaign', () => {
  test('starts once, and ends after every recipient has', async () => {
    const campaign = await new Campaign().started(3);

    const ended = await campaign.ends();

    expect(ended).toMatchObject({ state: 'completed', audience: 3, counts: { delivered: 3 } });
    expect([1, 2, 3].map((recipient) => campaign.texts(recipient))).toEqual([['Hello P1'], ['Hello P2'], ['Hello P3']]);
    const again = await campaign.call('POST', '/start');
    expect(again).toMatchObject({ status: 200, body: { state: 'completed' } });
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    const run = live.client.workflow.getHandle(campaignWorkflowId(campaign.id as CampaignId));
    await eventually(async () => {
      const { status, typedSearchAttributes } = await run.describe();
      expect(status.name).toBe('COMPLETED');
      expect(JSON.stringify(typedSearchAttributes)).toMatch(/completed/);
    });
  });

  test('reports every recipient in three formats, with filters and pages', async () => {
    const campaign = new Campaign();
    await live.control('POST', 'instances/1101000001/accounts', { noAccount: [`${campaign.phone(2)}@c.us`] });
    await campaign.started(3);
    expect(await campaign.ends()).toMatchObject({
      state: 'completed_with_failures',
      counts: { delivered: 2, no_account: 1 },
    });

    const first = await campaign.call('GET', '/recipients?limit=2');
    expect(first.body.items).toMatchObject([
      { line: 2, state: 'delivered', chatId: `${campaign.phone(1)}@c.us`, attempts: 1, evidence: 'receipt delivered' },
      { line: 3, state: 'no_account', reason: 'no_account' },
    ]);
    const second = await campaign.call('GET', `/recipients?limit=2&cursor=${first.body.cursor}`);
    expect(second.body).toMatchObject({ items: [{ line: 4 }] });
    expect(second.body).not.toHaveProperty('cursor');
    const failed = await campaign.call('GET', '/recipients?state=failed,no_account');
    expect(failed.body.items).toHaveLength(1);
    expect((await campaign.call('GET', '/recipients?reason=nothing')).body.items).toEqual([]);

    const text = async (path: string): Promise<string> => {
      const response = await fetch(`${live.url}/v1/campaigns/${campaign.id}/${path}`);
      return response.text();
    };
    const csv = (await text('report.csv?state=no_account')).split('\r\n');
    expect(csv[0]).toBe(
      'line,messageId,number,chatId,state,reason,reasonText,idMessage,attempts,acceptedAt,sentAt,deliveredAt,readAt,endedAt,evidence,gatewaySentAt,gatewayDeliveredAt,gatewayReadAt,sentVersion,shownVersion,editOutcome,editedAt,variant,repliedAt,optedOutAt,instance',
    );
    expect(csv[1]).toMatch(
      new RegExp(`^3,msg_${SHORT_ID_PATTERN},\\+1 [\\d ]+,${campaign.phone(2)}@c.us,no_account,no_account,`),
    );
    const lines = (await text('report.ndjson')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).state)).toEqual(['delivered', 'no_account', 'delivered']);
    expect(JSON.parse(await text('report.json'))).toMatchObject({
      campaign: { id: campaign.id, state: 'completed_with_failures' },
      items: [{ line: 2 }, { line: 3 }, { line: 4 }],
    });
  });

  test('is paused with the number of messages in the queue, sends nothing more, and resumes', async () => {
    live.turnstile.allow('sendMessage', 1);
    const campaign = await new Campaign().started(4, ONE_AT_A_TIME);
    await campaign.hasPosted(1);

    const paused = await campaign.call('POST', '/pause');

    expect(paused).toMatchObject({ status: 200, body: { progress: { state: 'paused' } } });
    expect(paused.body.inGatewayQueue).toBeLessThanOrEqual(1);
    const requests = (): number =>
      live.simulator.requests().filter(({ body }) => JSON.stringify(body).includes(campaign.phone(0).slice(0, -3)))
        .length;
    const before = requests();
    live.turnstile.open();
    expect((await campaign.call('POST', '/pause')).body.progress.state).toBe('paused');
    await eventually(async () => {
      expect((await campaign.call('GET', '')).body.counts).toMatchObject({ accepted: 0, sent: 0 });
    });
    expect(requests()).toBe(before);

    expect((await campaign.call('POST', '/resume')).body.progress.state).toBe('running');
    expect(await campaign.ends()).toMatchObject({ state: 'completed', counts: { delivered: 4 } });
  });

  test('is cancelled: no other recipient is posted to, and messages under way are reconciled', async () => {
    live.turnstile.allow('sendMessage', 1);
    const campaign = await new Campaign().started(5, ONE_AT_A_TIME);
    await campaign.hasPosted(1);

    const cancelled = await campaign.call('POST', '/cancel');

    expect(cancelled).toMatchObject({ status: 200, body: { progress: { state: /cancel/ } } });
    const { state, counts } = await campaign.ends();
    expect(state).toBe('cancelled');
    expect(counts).toMatchObject({ delivered: 1, cancelled: 4 });
    expect((await campaign.call('POST', '/pause')).body.code).toBe('CAMPAIGN_ENDED');
  });

  test('can be stopped while no worker runs', async () => {
    live.turnstile.allow('sendMessage', 1);
    const campaign = await new Campaign().started(3, ONE_AT_A_TIME);
    await campaign.hasPosted(1);
    // The run's worker is gone: the update is not delivered, so the ledger is asked itself.
    const paused = await live.callWithoutWorker('POST', `/v1/campaigns/${campaign.id}/pause`);
    expect(paused).toMatchObject({ status: 200, body: { progress: { state: 'paused' } } });
    await campaign.call('POST', '/cancel');
    expect(await campaign.ends()).toMatchObject({ state: 'cancelled' });
  });

  test('shows, edits and cancels single recipients by the ids of their messages', async () => {
    live.turnstile.allow('sendMessage', 0);
    const campaign = await new Campaign().started(4, { ...ONE_AT_A_TIME, priority: 'low' });
    await campaign.call('POST', '/pause');
    live.turnstile.open();
    const { items } = (await campaign.call('GET', '/recipients')).body;
    const [third, fourth] = [items[2].messageId, items[3].messageId];

    expect((await live.call('GET', `/v1/messages/${fourth}`)).body).toMatchObject({
      state: 'pending',
      content: { text: 'Hello P4' },
    });
    expect((await live.call('POST', `/v1/messages/${third}/edits`, { text: 'Only for you' })).body).toMatchObject({
      outcome: 'edited',
      via: 'before_send',
    });
    expect((await live.call('POST', `/v1/messages/${fourth}/cancel`)).body).toMatchObject({ cancelled: true });

    await campaign.call('POST', '/resume');
    expect(await campaign.ends()).toMatchObject({
      state: 'completed_with_failures',
      counts: { delivered: 3, cancelled: 1 },
    });
    expect(campaign.texts(3)).toEqual(['Only for you']);
    expect(campaign.texts(4)).toEqual([]);
  });

  test('posts unresolved messages again when an operator decides that', async () => {
    const lost = { method: 'sendMessage', kind: 'reset', accepted: false, times: 1 };
    await live.control('POST', 'faults', lost);
    const campaign = await new Campaign().started(1);
    const recipient = async () => (await campaign.call('GET', '/recipients')).body.items[0];
    await eventually(async () => expect((await recipient()).state).toBe('unknown'));
    // No witness saw it. A question under way is asked again after 30 s, so time passes until the last one.
    await eventually(async () => {
      live.advance(5 * 60_000);
      expect(await recipient()).toMatchObject({ state: 'unresolved', attempts: 1 });
    });

    const { messageId } = await recipient();
    // Otherwise it may be posted, and delivered, before the response is read.
    await campaign.call('POST', '/pause');
    const resolved = await live.call('POST', `/v1/messages/${messageId}/resolve`, { outcome: 'not_accepted' });
    expect(resolved).toMatchObject({ status: 200, body: { state: 'pending' } });

    await campaign.call('POST', '/resume');
    expect(await campaign.ends()).toMatchObject({ state: 'completed', counts: { delivered: 1 } });
    expect(campaign.texts(1)).toEqual(['Hello P1']);
    expect(await recipient()).toMatchObject({ attempts: 2 });
  });

  test.for<[string, string, unknown, number, string]>([
    ['/start', 'missing', undefined, 409, 'CAMPAIGN_EMPTY'],
    ['/pause', 'missing', undefined, 409, 'CAMPAIGN_NOT_STARTED'],
    ['/retry', 'missing', { scopes: ['failed'] }, 409, 'CAMPAIGN_NOT_STARTED'],
    ['/retry', 'missing', { scopes: ['read'] }, 422, 'INPUT_INVALID'],
    ['/retry', 'missing', { scopes: ['failed'], maySendTwice: true }, 422, 'INPUT_INVALID'],
    ['', 'missing', {}, 422, 'INPUT_INVALID'],
    ['', 'missing', { content: { kind: 'text', text: 'Hi {{' } }, 422, 'INPUT_INVALID'],
    ['', 'missing', { highWater: 0 }, 422, 'INPUT_INVALID'],
    ['/start', 'unheard-of', undefined, 404, 'CAMPAIGN_NOT_FOUND'],
    ['/cancel', 'unheard-of', undefined, 404, 'CAMPAIGN_NOT_FOUND'],
  ])('%s of %s with %j is refused: %i %s', async ([path, id, body, status, code]) => {
    const content = { kind: 'text', text: 'Hello' };
    await live.call('POST', '/v1/campaigns', { id: 'missing', instance: 'main', content });
    const response = await live.call(path === '' ? 'PATCH' : 'POST', `/v1/campaigns/${id}${path}`, body);
    expect(response).toMatchObject({ status, body: { code } });
  });
});
