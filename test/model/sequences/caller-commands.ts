/** What callers and operators do. */
import fc from 'fast-check';
import { AppError, type EditId } from '../../../src/contract/index.js';
import {
  chat,
  chatOf,
  command,
  instance,
  isIn,
  pick,
  processOf,
  sendMany,
  sent,
  serves,
  which,
  type Sent,
} from './command.js';
import type { Item } from './gateway-items.js';
import type { Asked } from './reference.js';

const EDITED_AGAIN_MS = 60;
const NOT_EDITED = new Set<string>(['EDIT_NOT_POSSIBLE', 'EDIT_NOT_TEXT']);

export const CALLER_COMMANDS = {
  send: command<Sent>({
    weight: 12,
    args: sent,
    isPossible: isIn,
    run: (world, args, reference) => sendMany(world, reference, args, 1),
    learn(reference, _, added: readonly Asked[]) {
      reference.asked = [...reference.asked, ...added];
    },
  }),
  send_many: command<Sent & { readonly count: number }>({
    weight: 2,
    args: fc.record({
      instance,
      chat,
      isSame: fc.constant(false),
      isUrgent: fc.boolean(),
      count: fc.integer({ min: 3, max: 8 }),
    }),
    isPossible: isIn,
    run: (world, args, reference) => sendMany(world, reference, args, args.count),
    learn(reference, _, added: readonly Asked[]) {
      reference.asked = [...reference.asked, ...added];
    },
  }),
  edit: command<{ readonly which: number; readonly times: number }>({
    weight: 4,
    args: fc.record({ which, times: fc.constantFrom(1, 1, 2) }),
    isPossible: (reference, args) => serves(reference) && pick(reference, args.which) !== undefined,
    async run(world, args, reference) {
      const { id, stem, instance: name } = pick(reference, args.which)!;
      const { ledger, clock, wake } = processOf(world);
      for (let one = 0; one < args.times; one += 1) {
        const editId = `edt_${(reference.number += 1)}` as EditId;
        const text = `${stem} edit${reference.number}`;
        try {
          await ledger.edits.open({ messageId: id, editId, text, nowMs: clock.nowMs() });
        } catch (error) {
          if (!(error instanceof AppError) || !NOT_EDITED.has(error.code)) throw error;
          return;
        }
        await wake(name);
        // The first one is on its way when the second one comes.
        await world.pass(EDITED_AGAIN_MS);
      }
    },
  }),
  cancel: command<{ readonly which: number }>({
    weight: 2,
    args: fc.record({ which }),
    isPossible: (reference, args) => serves(reference) && pick(reference, args.which) !== undefined,
    async run(world, args, reference) {
      const { ledger, clock } = processOf(world);
      await ledger.messages.cancel(pick(reference, args.which)!.id, 'caller', clock.nowMs());
    },
    learn(reference, args) {
      pick(reference, args.which)!.isCancelled = true;
    },
  }),
  /** An operator looks at the phone and says what is so. */
  resolve: command<{ readonly which: number }>({
    weight: 2,
    args: fc.record({ which }),
    isPossible: (reference, args) => serves(reference) && pick(reference, args.which) !== undefined,
    async run(world, args, reference) {
      const { id, instance: name, chatId, stem } = pick(reference, args.which)!;
      const { ledger, clock } = processOf(world);
      const snapshot = await ledger.messages.snapshot(id);
      if (snapshot?.state !== 'unresolved' && snapshot?.state !== 'unknown') return false;
      const rows = await world.copies.messages();
      const owned = new Set(rows.map(({ id_message }) => id_message));
      const { items } = world.gateway.account(name);
      const mayBeIt = (item: Item): boolean =>
        item.idMessage === snapshot.idMessage ||
        (item.chatId === chatId && item.text.startsWith(`${stem} `) && !owned.has(item.idMessage));
      const onPhone = items.find((item) => item.clearedAtMs === undefined && mayBeIt(item));
      const outcome = onPhone === undefined ? 'not_accepted' : 'accepted';
      const resolution = { outcome, idMessage: onPhone?.idMessage, witness: 'operator' } as const;
      try {
        await ledger.reconciling.resolve(id, resolution, clock.nowMs());
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'MESSAGE_CLAIMED_ELSEWHERE') throw error;
        return false;
      }
      await processOf(world).wake(name);
      return true;
    },
    learn(reference, args, isResolved: boolean, nowMs) {
      pick(reference, args.which)!.isResolved ||= isResolved;
      reference.disturbed(nowMs);
    },
  }),
  pause: command<{ readonly instance: string }>({
    args: fc.record({ instance }),
    isPossible: (reference, args) => serves(reference) && !reference.paused.has(args.instance),
    async run(world, { instance: name }, reference) {
      const { ledger, clock } = processOf(world);
      await ledger.instances.pauseByOperator(name, `p${(reference.number += 1)}`, 'operator', clock.nowMs());
    },
    learn(reference, args) {
      reference.paused.add(args.instance);
    },
  }),
  resume: command<{ readonly instance: string }>({
    weight: 2,
    args: fc.record({ instance }),
    isPossible: (reference, args) => serves(reference) && reference.paused.has(args.instance),
    async run(world, { instance: name }) {
      const { ledger, clock, wake } = processOf(world);
      try {
        await ledger.instances.resume(name, 'operator', clock.nowMs());
      } catch (error) {
        // It was last seen in a state in which it sends nothing.
        if (!(error instanceof AppError) || error.code !== 'INSTANCE_NOT_AUTHORIZED') throw error;
        return false;
      }
      await wake(name);
      return true;
    },
    learn(reference, args, isResumed: boolean, nowMs) {
      if (isResumed) reference.paused.delete(args.instance);
      reference.disturbed(nowMs);
    },
  }),
  suppress: command<{ readonly chat: number }>({
    args: fc.record({ chat }),
    isPossible: serves,
    async run(world, args) {
      const { ledger, clock } = processOf(world);
      await ledger.suppressions.add({ chatId: chatOf(args.chat), scope: 'all', nowMs: clock.nowMs() } as never);
    },
    learn(reference, args, _, nowMs) {
      reference.suppressed.add(chatOf(args.chat));
      reference.silentSince = new Map([[`* ${chatOf(args.chat)}`, nowMs], ...reference.silentSince]);
    },
  }),
  allow: command<{ readonly chat: number }>({
    args: fc.record({ chat }),
    isPossible: (reference, args) => serves(reference) && reference.suppressed.has(chatOf(args.chat)),
    async run(world, args) {
      const { ledger, clock } = processOf(world);
      await ledger.suppressions.remove({ chatId: chatOf(args.chat), nowMs: clock.nowMs() });
    },
    learn(reference, args) {
      reference.suppressed.delete(chatOf(args.chat));
    },
  }),
};
