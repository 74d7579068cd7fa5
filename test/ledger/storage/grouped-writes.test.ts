import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/contract/index.js';
import { groupedWrites } from '../../../src/ledger/storage/grouped-writes.js';

/** Records its groups, and refuses each group that contains one of these items. */
function aWriter(refused: readonly number[], error: () => Error = () => new Error('refused')) {
  const groups: (readonly number[])[] = [];
  const write = groupedWrites(async (items: readonly number[]) => {
    groups.push(items);
    if (items.some((item) => refused.includes(item))) throw error();
    return items.map((item) => item * 10);
  });
  return { groups, write };
}

describe('grouped writes', () => {
  it('share one commit, and each gets its own result', async () => {
    const { groups, write } = aWriter([]);

    expect(await Promise.all([1, 2, 3].map(write))).toEqual([10, 20, 30]);
    expect(groups).toEqual([[1, 2, 3]]);
  });

  it('are halved until only the faulty one fails', async () => {
    const { groups, write } = aWriter([3]);

    const results = await Promise.allSettled([1, 2, 3, 4].map(write));

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(groups).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3], [4]]);
  });

  it('all fail at once while the ledger is unavailable', async () => {
    const { groups, write } = aWriter([2], () => new AppError('LEDGER_UNAVAILABLE', 'away'));

    const results = await Promise.allSettled([1, 2].map(write));

    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(groups).toEqual([[1, 2]]);
  });
});
