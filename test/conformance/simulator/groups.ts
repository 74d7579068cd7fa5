import { expect } from 'vitest';
import { CHAT, GROUP, INSTANCE, OTHER_CHAT, START_MS, type Json } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { expectOk, expectValidationFailed, onSimulator } from './assertions.js';

type Role = 'member' | 'admin' | 'owner' | 'outsider';

/** A group in which the instance has this role; returns its id. */
export async function aGroup(sim: SimulatorDriver, role: Role = 'admin', more: Json = {}): Promise<string> {
  const wid = await sim.wid();
  const self = { id: wid, lid: '1@lid', isAdmin: role === 'admin' || role === 'owner', isSuperAdmin: role === 'owner' };
  const participants = [
    { id: CHAT, lid: '2@lid', isAdmin: true, isSuperAdmin: role !== 'owner' },
    { id: OTHER_CHAT, lid: '3@lid', isAdmin: false, isSuperAdmin: false },
    ...(role === 'outsider' ? [] : [self]),
  ];
  const owner = role === 'owner' ? wid : CHAT;
  const group = {
    groupId: GROUP,
    subject: 'Friends',
    owner,
    participants,
    isCommunity: false,
    isCommunityAnnounce: false,
  };
  await sim.control('POST', `/instances/${INSTANCE}/groups`, { ...group, ...more });
  return GROUP;
}

export async function groupData(sim: SimulatorDriver, groupId = GROUP): Promise<Json> {
  const response = await sim.post('getGroupData', { groupId });
  expectOk(response);
  return response.json as Json;
}

onSimulator('group.creation-in-seconds', async (sim) => {
  await aGroup(sim);
  const { creation, subjectTime } = await groupData(sim);
  // The group was created at the start of the test; in milliseconds this would be a thousand times more.
  expect(creation).toBe(START_MS / 1000);
  expect(subjectTime).toBe(START_MS / 1000);
});

onSimulator('group.community-fields-for-admins-only', async (sim) => {
  await aGroup(sim, 'admin');
  expect(await groupData(sim)).toMatchObject({ isCommunity: false, isCommunityAnnounce: false });
  await aGroup(sim, 'member');
  const seen = await groupData(sim);
  expect(seen).not.toHaveProperty('isCommunity');
  expect(seen).not.toHaveProperty('isCommunityAnnounce');
});

onSimulator('group.size-counts-participants', async (sim) => {
  await aGroup(sim);
  const { size, participants } = await groupData(sim);
  expect(participants).toHaveLength(3);
  expect(size).toBe(3);
});

onSimulator('group-data.groupId', async (sim) => {
  await aGroup(sim);
  expect(await groupData(sim)).toMatchObject({ groupId: GROUP });
  expectValidationFailed(await sim.post('getGroupData', {}), 'groupId');
});

onSimulator('group-data.invite-link-for-admins', async (sim) => {
  await aGroup(sim, 'member');
  expect((await groupData(sim))['groupInviteLink']).toBe('');
  for (const role of ['admin', 'owner'] as const) {
    await aGroup(sim, role);
    expect((await groupData(sim))['groupInviteLink']).toMatch(/^https:/);
  }
});

onSimulator('errors.group.forbidden', async (sim) => {
  await aGroup(sim, 'outsider');
  const response = await sim.post('getGroupData', { groupId: GROUP });
  expectOk(response);
  expect(response.json).toBe('Error: forbidden');
});

onSimulator('errors.group.item-not-found', async (sim) => {
  const response = await sim.post('getGroupData', { groupId: '120363000000009999@g.us' });
  expectOk(response);
  expect(response.json).toBe('Error: item-not-found');
});
