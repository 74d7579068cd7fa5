import { expect, it } from 'vitest';
import { groupChanges, groupDataOf, lidsOfGroup } from '../../src/domain/index.js';

it('the data of a group contain everything comparable, in a canonical order, without the invitation link', () => {
  const data = groupDataOf({
    groupId: '1@g.us',
    subject: 'Team',
    size: 2,
    creation: 7,
    creationSeconds: 7,
    groupInviteLink: 'https://chat.example.com/secret',
    isCommunity: null,
    participants: [{ id: 'b', isAdmin: false, isSuperAdmin: true }, { id: 'a' }, { lid: '7@lid' }, null],
  });
  expect(data).toEqual({
    fields: { creation: 7, size: 2, subject: 'Team' },
    participants: [
      { id: 'a', isAdmin: false },
      { id: 'b', isAdmin: true },
    ],
  });
  expect(groupDataOf({ groupId: '1@g.us', participants: null })).toEqual({ fields: {}, participants: [] });
});

it('the lids of a group are those that are shown with a number', () => {
  const participants = [
    { id: '15550001001:3@c.us', lid: '77000111222@lid' },
    { id: '77000111333@lid', lid: '77000111333@lid' },
    { id: '15550001002@c.us', lid: '' },
    { id: 7, lid: null },
    null,
  ];
  expect(lidsOfGroup({ participants })).toEqual([{ lid: '77000111222@lid', chatId: '15550001001@c.us' }]);
  expect(lidsOfGroup({ participants: null })).toEqual([]);
});

it('a comparison of groups shows who joined, left, and became or is no longer an admin, and which settings changed', () => {
  const before = {
    fields: { subject: 'A', size: 3 },
    participants: [
      { id: 'a', isAdmin: true },
      { id: 'b', isAdmin: false },
      { id: 'c', isAdmin: false },
    ],
  };
  const after = {
    fields: { size: 3, isCommunity: true },
    participants: [
      { id: 'a', isAdmin: false },
      { id: 'b', isAdmin: true },
      { id: 'd', isAdmin: true },
    ],
  };
  expect(groupChanges(before, after)).toEqual({
    joined: ['d'],
    left: ['c'],
    becameAdmin: ['b'],
    noLongerAdmin: ['a'],
    fields: [
      { name: 'subject', before: 'A', after: undefined },
      { name: 'isCommunity', before: undefined, after: true },
    ],
  });
});
