/** The accounts of a sequence. */
import { Secret, type InstanceConfig } from '../../../src/contract/index.js';

/** Of the instance main. */
export const TEMPLATES = ['spring', 'summer'] as const;
export const INSTANCES = ['main', 'other'] as const;

export function configOf(name: string): InstanceConfig {
  const idInstance = String(INSTANCES.findIndex((one) => one === name) + 1);
  const token = new Secret('gateway-token');
  return {
    name,
    baseUrl: 'http://gateway.test',
    idInstance,
    apiTokenInstance: token,
    webhookTokens: [new Secret('hook')],
  };
}
