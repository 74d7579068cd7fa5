// A schedule that runs, one that an operator has paused, and one that fails, in Temporal's Web UI and in the console.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from '../../bench/dev.js';

/** @param {Record<string, any>} stage  the places and the functions of pictures.js */
export async function schedulePictures({ apiUrl, temporalUiUrl, temporal, dataDir, ...stage }) {
  const { post, eventually, runsLike, show, take, text } = stage;
  const sends = { instance: 'main', to: '15551234567', content: text('We open at nine') };
  const schedule = { id: 'opening', message: sends, cron: ['0 8 * * MON-FRI'], timezone: 'UTC' };
  await post('/v1/schedules', 'schedule', schedule);
  await post('/v1/schedules/opening/trigger', 'now', {});
  const [run] = await eventually(() => runsLike('schedule-run:opening'), 'the run of the schedule');
  await delay(5_000);
  await show('schedule-run', run);
  const url = `${temporalUiUrl}/namespaces/default/schedules`;
  await take('schedules', { url, shows: 'opening', height: 500 });
  for await (const { scheduleId } of temporal.schedule.list()) {
    const page = `${url}/${encodeURIComponent(scheduleId)}`;
    await take('schedule', { url: page, shows: 'Recent Runs', height: 900 });
    await post('/v1/schedules/opening/pause', 'pause', { note: 'The shop is closed until Monday' });
    await take('schedule-paused', { url: page, shows: 'closed until Monday', height: 900 });
  }
  await take('schedules-paused', { url, shows: 'Paused', height: 500 });
  await take('console-schedule-paused', { url: `${apiUrl}/schedules/opening`, shows: 'Paused', height: 900 });

  await mkdir(path.join(dataDir, 'main'));
  // More than 5 % of its lines have no phone number.
  const lines = Array.from({ length: 10 }, (_, line) => JSON.stringify({ phone: line === 0 ? '15551000001' : 'none' }));
  await writeFile(path.join(dataDir, 'main', 'members.ndjson'), lines.join('\n'));
  const campaign = { name: 'Members', instance: 'main', content: text('The garden opens on Sunday.') };
  const failing = { id: 'members', campaign, recipients: { file: 'members.ndjson' }, cron: ['0 9 * * MON'] };
  await post('/v1/schedules', 'failing', { ...failing, timezone: 'UTC' });
  await post('/v1/schedules/members/trigger', 'failing', {});
  await eventually(async () => (await request(`${apiUrl}/v1/schedules/members`)).failure !== undefined, 'the failure');
  const [failed] = await eventually(() => runsLike('schedule-run:members'), 'the run that failed');
  await show('schedule-run-failed', failed);
  await take('console-schedule-failed', { url: `${apiUrl}/schedules/members`, shows: 'members', height: 900 });
}
