import { describe, expect, test } from 'vitest';
import { countTests } from '../../scripts/count-tests.js';

const passedFile = { status: 'passed', assertionResults: [{}, {}] };

describe("the last line of the run counts, by the runner's report,", () => {
  test('passed and failed tests', () => {
    const report = { numPassedTests: 2, numFailedTests: 1, testResults: [passedFile] };
    expect(countTests(report)).toEqual({ passed: 2, failed: 1 });
  });

  test('a file that broke before its first test as one failure', () => {
    const brokenFile = { status: 'failed', assertionResults: [] };
    const report = { numPassedTests: 2, numFailedTests: 0, testResults: [passedFile, brokenFile] };
    expect(countTests(report)).toEqual({ passed: 2, failed: 1 });
  });
});
