import { describe, expect, it } from 'vitest';
import { ERROR_NEXT, OPERATIONS, OPERATION_NAMES } from '../../src/contract/index.js';
import { classify, FAILURE_RULES } from '../../src/gateway/classify.js';

const statuses = Array.from({ length: 900 }, (_, index) => index + 100).filter(
  (status) => status < 200 || status > 299,
);

describe('the table of failures', () => {
  it('has a line for every status of every operation', () => {
    const codes = OPERATION_NAMES.flatMap((operation) =>
      statuses.map((httpStatus) => classify({ failure: 'status', operation, httpStatus }).code),
    );
    expect(codes.every((code) => code.startsWith('GATEWAY_'))).toBe(true);
  });

  it('classifies nothing as surely not accepted because of a 5xx alone', () => {
    const unsure = statuses.filter((status) => status >= 499);
    for (const operation of OPERATION_NAMES.filter((name) => OPERATIONS[name].durability === 'send')) {
      const nexts = unsure.map((httpStatus) => ERROR_NEXT[classify({ failure: 'status', operation, httpStatus }).code]);
      expect(new Set(nexts)).toEqual(new Set(['ask']));
    }
  });

  it('lets an instance redefine only ambiguous lines', () => {
    const statusMeanings = Object.fromEntries(statuses.map((status) => [String(status), 'not_accepted' as const]));
    const redefined = statuses.filter(
      (httpStatus) =>
        classify({ failure: 'status', operation: 'sendMessage', httpStatus, statusMeanings }).code ===
        'GATEWAY_NOT_ACCEPTED',
    );
    expect(redefined).toEqual([408, ...statuses.filter((status) => status >= 499 && status <= 599)]);
  });

  it('gives each line a reason and a remedy', () => {
    expect(FAILURE_RULES.filter(({ because, remedy }) => because === '' || !remedy.endsWith('.'))).toEqual([]);
  });
});
