import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { endWhenOutputCloses } from '../../src/cli/terminal.js';

function anError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

describe('output whose reader has gone', () => {
  test('ends the program, once', () => {
    const output = new PassThrough();
    const end = vi.fn<() => void>();
    endWhenOutputCloses(output, end);

    output.emit('error', anError('EPIPE'));
    output.emit('error', anError('EPIPE'));

    expect(end).toHaveBeenCalledTimes(1);
  });

  test('is distinguished from a full disk', () => {
    const output = new PassThrough();
    const end = vi.fn<() => void>();
    endWhenOutputCloses(output, end);

    expect(() => output.emit('error', anError('ENOSPC'))).toThrow('ENOSPC');
    expect(end).not.toHaveBeenCalled();
  });
});
