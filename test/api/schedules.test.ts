import { describe, expect, it } from 'vitest';
import type { ScheduleId } from '../../src/contract/index.js';
import { useApi, refusal } from './api-parts.js';

/** Schedules while Temporal is unavailable: only requests that need Temporal are refused. */
const parts = useApi();

let schedules = 0;

function aSchedule(change: object = {}) {
  return {
    id: `s-${++schedules}`,
    campaign: { instance: 'main', content: { kind: 'text', text: 'Hello {{name}}' } },
    recipients: { file: 'list.csv' },
    cron: ['0 9 * * MON'],
    timezone: 'Europe/Lisbon',
    ...change,
  };
}

const post = (path: string, body?: object, key?: string) =>
  parts.call('POST', `/v1/schedules${path}`, body, key === undefined ? {} : { 'idempotency-key': key });

async function problemsOf(change: object): Promise<{ path: string; message: string }[]> {
  const { status, body } = await post('', aSchedule(change));
  expect(status).toBe(422);
  return body.errors;
}

describe('a schedule', () => {
  it('is created while Temporal is unavailable, shown as requested, and not yet in Temporal', async () => {
    const asked = aSchedule({ jitter: '5m', note: 'weekly mail' });
    const created = await post('', asked);
    expect(created).toMatchObject({ status: 201, body: { ...asked, state: 'active', isSynced: false } });
    expect(created.body).not.toHaveProperty('nextRuns');
    expect(created.headers.get('location')).toBe(`/v1/schedules/${asked.id}`);
    expect(await post('', asked)).toMatchObject({ status: 200 });
    expect(await post('', { ...asked, cron: ['0 8 * * MON'] })).toMatchObject(refusal(422, 'IDEMPOTENCY_MISMATCH'));
    expect((await parts.call('GET', `/v1/schedules/${asked.id}`)).body).toMatchObject({ id: asked.id, runs: [] });
  });

  it('sends a message instead of a campaign, which is validated like any other', async () => {
    const { campaign: _, recipients: __, ...times } = aSchedule();
    const message = { instance: 'main', content: { kind: 'status', text: 'Open until nine' }, expiresIn: '2h' };
    const created = await post('', { ...times, message });
    expect(created).toMatchObject({ status: 201, body: { id: times.id, message, state: 'active' } });
    expect(created.body).not.toHaveProperty('campaign');
    const wrong = { ...message, to: '15551234567', content: { kind: 'status', text: 'x'.repeat(501) } };
    const { body } = await post('', { ...times, id: 'wrong', message: wrong });
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['message.to', 'message.content.text']);
    const paths = async (change: object) => (await problemsOf(change)).map(({ path }) => path);
    expect(await paths({ message })).toEqual(['campaign']);
    expect(await paths({ campaign: undefined, message })).toEqual(['recipients']);
  });

  it('is not created again after its deletion by the same request', async () => {
    const asked = aSchedule();
    await post('', asked, 'created-once');
    await parts.call('DELETE', `/v1/schedules/${asked.id}`);
    expect(await post('', asked, 'created-once')).toMatchObject(refusal(409, 'SCHEDULE_DELETED'));
    expect(await post('', asked, 'created-again')).toMatchObject({ status: 201 });
  });

  it('exists once for its key, without an id', async () => {
    const { id: _, ...asked } = aSchedule();
    const [one, two] = [await post('', asked, 'k'), await post('', asked, 'k')];
    expect(one.body.id).toMatch(/^sch_/);
    expect(two.body.id).toBe(one.body.id);
    expect((await post('', asked, 'other')).body.id).not.toBe(one.body.id);
  });

  it('is refused with every problem at once', async () => {
    const change = {
      id: 'Über',
      campaign: { instance: 'main', content: { kind: 'text', text: 'Hello {{name' }, startAt: '2030-01-01T00:00:00Z' },
      overlap: 'maybe',
    };
    const paths = (await problemsOf(change)).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['id', 'campaign.startAt', 'campaign.content.text', 'overlap']));
  });

  it.each([
    [{ cron: ['61 9 * * *'] }, 'cron[0]', /minute/],
    [{ cron: undefined }, 'cron', /is missing/],
    [{ cron: ['0 9 * * *', '0 9 30 2 *', '0 9 L * *'] }, 'cron[2]', /"L"/],
    [{ cron: ['0 9 30 2 *'] }, 'cron', /no time that ever comes/],
    [{ endAt: '2020-01-01T00:00:00Z' }, 'endAt', /has passed/],
    [{ timezone: 'Mars/Phobos' }, 'timezone', /IANA/],
    [{ startAt: '2030-01-02T00:00:00Z', endAt: '2030-01-01T00:00:00Z' }, 'endAt', /not after startAt/],
    [{ startAt: '2030-01-01T11:30:00Z', endAt: '2030-01-01T13:00:00+02:00' }, 'endAt', /not after startAt/],
    [{ catchupWindow: 'soon' }, 'catchupWindow', /duration/],
    [{ catchupWindow: '9s' }, 'catchupWindow', /duration from 10s/],
    [{ note: 'asked by 15550000001' }, 'note', /Temporal stores notes unencrypted/],
    [{ missedStart: 'hold' }, 'missedStart', /not a known field/],
    [{ recipients: { file: '/etc/passwd' } }, 'recipients.file', /does not end in .csv/],
    [{ recipients: { list: [] } }, 'recipients', /contains no file, url, group/],
    [{ recipients: { url: 'http://127.0.0.1/list.csv' } }, 'recipients.url', /private network/],
    [
      { recipients: { connection: { env: 'DATABASE_URL' }, query: 'select 1' } },
      'recipients.connection.env',
      /EVERPOST_SOURCE_/,
    ],
  ])('is refused with %j', async (change, path, message) => {
    expect(await problemsOf(change)).toContainEqual({ path, message: expect.stringMatching(message) });
  });

  it('shows its timezone in its own spelling, in whichever case it was given', async () => {
    const created = await post('', aSchedule({ timezone: 'europe/lisbon' }));
    expect(created).toMatchObject({ status: 201, body: { timezone: 'Europe/Lisbon' } });
  });

  it('is created with a group while the gateway cannot be asked', async () => {
    const recipients = { group: '120363000000000000@g.us' };
    expect(await post('', aSchedule({ recipients }))).toMatchObject({ status: 201, body: { recipients } });
  });

  it('is refused for an unknown instance', async () => {
    const campaign = { instance: 'unknown', content: { kind: 'text', text: 'Hello' } };
    expect(await post('', aSchedule({ campaign }))).toMatchObject(refusal(422, 'INSTANCE_NOT_FOUND'));
  });

  it('is paused and resumed by Temporal only, and deleted without it', async () => {
    const { id } = aSchedule();
    await post('', { ...aSchedule(), id });
    for (const command of ['pause', 'resume']) {
      expect(await post(`/${id}/${command}`, { note: 'closed' })).toMatchObject(refusal(503, 'TEMPORAL_UNAVAILABLE'));
    }
    const listed = await parts.call('GET', '/v1/schedules?state=active&limit=500');
    expect(listed.body.items).toContainEqual(expect.objectContaining({ id, state: 'active' }));
    expect(await parts.call('DELETE', `/v1/schedules/${id}`)).toMatchObject({ status: 200, body: { deleted: true } });
    expect(await parts.call('GET', `/v1/schedules/${id}`)).toMatchObject(refusal(404, 'SCHEDULE_NOT_FOUND'));
    expect(await post(`/${id}/pause`, {})).toMatchObject(refusal(404, 'SCHEDULE_NOT_FOUND'));
    const { body } = await parts.call('GET', '/v1/schedules?limit=500');
    expect(body.items.map((schedule: { id: string }) => schedule.id)).not.toContain(id);
  });

  it('is changed in place, field by field, and refused like a new one', async () => {
    const { id } = aSchedule();
    await post('', { ...aSchedule({ jitter: '5m' }), id }, 'created');
    const change = (body: object) => parts.call('PATCH', `/v1/schedules/${id}`, body);
    const campaign = { instance: 'main', content: { kind: 'text', text: 'New {{name}}' } };
    const changed = { id, campaign, cron: ['@daily'], timezone: 'Europe/Berlin', recipients: { file: 'list.csv' } };
    const fields = { campaign, cron: ['@daily'], timezone: 'europe/berlin', jitter: null };
    expect(await change(fields)).toMatchObject({ status: 200, body: { id, isSynced: false } });
    const { body } = await parts.call('GET', `/v1/schedules/${id}`);
    expect(body).toMatchObject(changed);
    expect(body).not.toHaveProperty('jitter');
    expect(await change({ cron: ['0 9 30 2 *'] })).toMatchObject(refusal(422, 'INPUT_INVALID'));
    expect(await change({ campaign: { ...campaign, instance: 'unknown' } })).toMatchObject(
      refusal(422, 'INSTANCE_NOT_FOUND'),
    );
    // The request that created it still gets its response.
    expect(await post('', { ...aSchedule({ jitter: '5m' }), id }, 'created')).toMatchObject({
      status: 200,
      body: { cron: ['@daily'], counts: { missed: 0 } },
    });
    await parts.call('DELETE', `/v1/schedules/${id}`);
    expect(await change({ cron: ['@daily'] })).toMatchObject(refusal(404, 'SCHEDULE_NOT_FOUND'));
  });

  it('is not created again while a run of it is open', async () => {
    const asked = aSchedule();
    await post('', asked);
    await post(`/${asked.id}/trigger`);
    await parts.call('DELETE', `/v1/schedules/${asked.id}`);
    expect(await post('', asked, 'again')).toMatchObject(refusal(409, 'SCHEDULE_RUNS_OPEN'));
  });

  it('shows what failed, and what was missed', async () => {
    const { id } = aSchedule();
    await post('', { ...aSchedule({ cron: ['0 10 * * *'], timezone: 'UTC' }), id });
    const at = (day: number) => `2026-03-0${day}T10:00:00.000Z`;
    await parts.ledger.schedules.beginRun(id as ScheduleId, at(1), Date.parse(at(2)));
    await parts.ledger.schedules.beginRun(id as ScheduleId, at(2), Date.parse(at(2)));
    const why = { reason: 'SCHEDULE_RUN_FAILED', text: 'no file' };
    await parts.ledger.schedules.endRun(id as ScheduleId, at(2), { state: 'failed', ...why }, Date.parse(at(2)));
    expect((await parts.call('GET', `/v1/schedules/${id}`)).body).toMatchObject({
      counts: { missed: 1, overlapped: 0, failed: 1 },
      failure: { at: at(2), state: 'failed', ...why },
      runs: [{ state: 'failed' }, { state: 'missed', reason: 'late' }],
    });
    const { body } = await parts.call('GET', '/v1/schedules?failing=true');
    expect(body.items).toMatchObject([{ id, failure: why }]);
  });

  it('accepts a trigger, once for its key; a backfill waits for Temporal', async () => {
    const { id } = aSchedule();
    await post('', { ...aSchedule(), id });
    const first = await post(`/${id}/trigger`, undefined, 'now');
    expect(first).toMatchObject({ status: 202, body: { kind: 'trigger', state: 'pending' } });
    expect((await post(`/${id}/trigger`, undefined, 'now')).body).toEqual(first.body);
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
    expect(await post(`/${id}/backfill`, range)).toMatchObject(refusal(503, 'TEMPORAL_UNAVAILABLE'));
    const future = { from: '2026-01-01T00:00:00Z', to: '2099-02-01T00:00:00Z' };
    expect(await post(`/${id}/backfill`, future)).toMatchObject(refusal(422, 'INPUT_INVALID'));
  });

  it('answers 404 when it does not exist', async () => {
    for (const path of ['/nothing/trigger', '/Not-An-Id/trigger']) {
      expect(await post(path)).toMatchObject(refusal(404, 'SCHEDULE_NOT_FOUND'));
    }
  });
});
