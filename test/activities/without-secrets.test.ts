import { expect, test } from 'vitest';
import { withoutSecrets } from '../../src/activities/operation-activities.js';

test('removes secret fields at any depth and keeps everything else', () => {
  const response = {
    webhookUrl: 'https://hooks.example/',
    webhookUrlToken: 'Bearer s3cret',
    groups: [{ subject: 'Team', groupInviteLink: 'https://chat.example/AbC' }],
  };
  expect(withoutSecrets(response)).toEqual({
    webhookUrl: 'https://hooks.example/',
    webhookUrlToken: '[removed]',
    groups: [{ subject: 'Team', groupInviteLink: '[removed]' }],
  });
});

test('an empty secret field is told as empty, since its emptiness is a fact', () => {
  expect(withoutSecrets({ groupInviteLink: '' })).toEqual({ groupInviteLink: '' });
});

test.each([null, 'Error: forbidden', 7, true])('a bare %s passes unchanged', (value) => {
  expect(withoutSecrets(value)).toBe(value);
});
