/** Templates, their verdicts, and messages that name them. */
import fc from 'fast-check';
import { AppError, type TemplateInput } from '../../../src/contract/index.js';
import { TEMPLATE } from '../../support/template.js';
import { BACKOFF_MS, command, isIn, plain, processOf, sendOne } from './command.js';
import { configOf, TEMPLATES } from './instances.js';
import type { Asked } from './reference.js';
import type { World } from './world.js';

const INSTANCE = 'main';
const template = fc.constantFrom(...TEMPLATES);
const inMain = { instance: INSTANCE };

/** The gateway has them, and reviews them. */
export async function submitTemplates({ ledger, gateway, nowMs }: World): Promise<void> {
  for (const elementName of TEMPLATES) {
    const definition = { ...TEMPLATE, elementName };
    const key: TemplateInput = {
      instance: INSTANCE,
      elementName,
      definition,
      definitionHash: elementName,
      requestedAt: new Date(nowMs).toISOString(),
    };
    await ledger.templates.submit(key, nowMs);
    await ledger.templates.claim({ key, token: elementName, reconcileAfterMs: nowMs });
    const reading = { templateId: elementName, status: 'PENDING' };
    const accepted = { kind: 'accepted', reading, witness: 'createTemplate' } as const;
    await ledger.templates.recordOutcome(key, elementName, accepted, nowMs);
    gateway.templates.set(elementName, 'PENDING');
  }
}

export const TEMPLATE_COMMANDS = {
  send_template: command<{ readonly template: string; readonly chat: number }>({
    weight: 4,
    args: fc.record({ template, chat: fc.nat(2) }),
    isPossible: (reference, _, world) => isIn(reference, inMain, world),
    async run(world, { template: elementName, chat }, reference) {
      const stem = `m${reference.number + 1}`;
      const content = { kind: 'template', elementName, params: [stem] } as const;
      try {
        return await sendOne(world, reference, { ...plain(INSTANCE), chat }, stem, content);
      } catch (error) {
        // It can never be sent.
        if (!(error instanceof AppError) || error.code !== 'TEMPLATE_NOT_APPROVED') throw error;
        return [];
      }
    },
    learn(reference, _, added: readonly Asked[]) {
      reference.asked = [...reference.asked, ...added];
    },
  }),
  /** A review ends, or an approved template is paused or removed. everpost may not be told before it posts. */
  verdict: command<{ readonly template: string; readonly status: string; readonly isKnown: boolean }>({
    weight: 4,
    args: fc.record({
      template,
      status: fc.constantFrom('APPROVED', 'APPROVED', 'REJECTED', 'PAUSED', 'REMOVED'),
      isKnown: fc.constantFrom(true, true, false),
    }),
    isPossible: (reference, _, world) => isIn(reference, inMain, world),
    async run(world, { template: elementName, status, isKnown }, reference) {
      world.gateway.templates.set(elementName, status);
      if (!isKnown || status === 'REMOVED') return;
      reference.verdicts.push({ template: elementName, status, atMs: world.clock.nowMs() });
      const { ledger, clock, wake } = processOf(world);
      const reading = { reading: { status }, witness: 'getTemplateById', nowMs: clock.nowMs() };
      await ledger.templates.recordReading({ instance: configOf(INSTANCE).name, elementName }, reading);
      await wake(INSTANCE);
    },
    learn(reference, _, __, nowMs) {
      reference.disturbed(nowMs, BACKOFF_MS);
    },
  }),
};
