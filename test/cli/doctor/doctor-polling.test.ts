import { expect, onTestFinished, test } from 'vitest';
import { checkInstance } from '../../../src/cli/doctor/check-instance.js';
import { fixedInstances, simulatorInstance } from '../../../src/config/index.js';
import { createGateway } from '../../../src/gateway/index.js';
import { startSimulator } from '../../../src/simulator/index.js';

/** The doctor's findings on an account whose notifications are to be fetched. */
async function findingsOf(webhookUrl: string) {
  const settings = { webhookUrl, outgoingWebhook: 'yes', outgoingAPIMessageWebhook: 'yes' } as const;
  const simulator = await startSimulator({
    settings: { ...settings, editedMessageWebhook: 'yes', stateWebhook: 'yes' },
  });
  const instance = { ...simulatorInstance(simulator.url), notifications: 'poll' as const };
  const gateway = createGateway({ instances: fixedInstances([instance]), clock: { nowMs: () => Date.now() } });
  onTestFinished(async () => {
    await gateway.close();
    await simulator.close();
  });
  return checkInstance(gateway, instance, { knowsWebhookTokens: true, publicUrl: undefined });
}

test('the doctor accepts an account whose notifications are fetched, and requires no token', async () => {
  const { findings, changes } = await findingsOf('');
  expect(findings.map(({ verdict }) => verdict)).not.toContain('broken');
  expect(findings.map(({ found }) => found)).toContainEqual(expect.stringContaining('notifications are polled'));
  expect(findings.map(({ found }) => found)).not.toContainEqual(expect.stringContaining('webhookToken'));
  expect(changes).not.toContainEqual(expect.objectContaining({ change: expect.objectContaining({ webhookUrl: '' }) }));
});

test('the doctor offers to remove a webhook address that prevents fetching', async () => {
  const { findings, changes } = await findingsOf('http://127.0.0.1:1/webhooks/main');
  const broken = findings.filter(({ verdict }) => verdict === 'broken');
  expect(broken).toEqual([
    expect.objectContaining({
      found: expect.stringContaining('webhookUrl is set'),
      remedy: expect.stringContaining('everpost doctor --fix'),
    }),
  ]);
  expect(changes).toMatchObject([{ instance: 'main', change: { webhookUrl: '' } }]);
});
