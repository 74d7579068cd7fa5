import type { Want } from './dispatch-ledger.js';

/** Every slot that is not kept for urgent messages is used: no due time changes what may be claimed next, only an outcome does. */
export function fillsWindow({ free, slots }: Pick<Want, 'free' | 'slots'>, claimed: number): boolean {
  return claimed >= free || (slots !== undefined && claimed === free - 1 && claimed === slots.normal && claimed > 1);
}
