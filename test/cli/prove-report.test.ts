import { describe, expect, it } from 'vitest';
import type { Proof } from '../../src/cli/prove/prove.js';
import { failuresOf, proofJson, proofTable } from '../../src/cli/prove/report.js';
import { StallMeter } from '../../src/cli/prove/stall-meter.js';

const FINDING = { id: 'msg_1', why: 'because' };

function aProof(changes: Partial<Proof> = {}): Proof {
  return {
    seed: 7,
    kills: 6,
    seconds: 50,
    messages: 20,
    acknowledged: 20,
    delivered: 18,
    withoutReceipt: 1,
    lost: [],
    sentTwice: [],
    resentTwice: [],
    unresolvedAccepted: [],
    unresolvedNeverAccepted: [FINDING, FINDING],
    unexplained: [],
    campaigns: { campaigns: 2, recipients: 8, states: { completed: 1, running: 1 }, wrong: [] },
    finished: true,
    longestStallMs: 12_345,
    happened: new Map([['killed at bytes.left', { planned: 1, fired: 1 }]]),
    surprises: [],
    ...changes,
  };
}

describe('the report of a proof', () => {
  it('finds nothing wrong with messages that are unresolved because they never reached the gateway', () => {
    expect(failuresOf(aProof())).toEqual([]);
    expect(proofTable(aProof())).toEqual(
      expect.arrayContaining([
        'unknown, unresolved        2   2 never reached the gateway (10 % of all)',
        'campaigns                  2   8 of the messages, 1 completed, 1 running',
        'longest stall         12.3 s',
        expect.stringMatching(/^killed at bytes\.left +1 of 1$/),
      ]),
    );
  });

  it('finds nothing wrong with doubles of messages that asked to be sent again', () => {
    expect(failuresOf(aProof({ resentTwice: [FINDING] }))).toEqual([]);
  });

  it.each([
    ['something is lost', { lost: [FINDING] }, '1 lost'],
    ['something was sent twice', { sentTwice: [FINDING] }, '1 sent twice'],
    [
      'something accepted is unresolved',
      { unresolvedAccepted: [FINDING] },
      '1 unresolved although the gateway had accepted them',
    ],
    ['something is unexplained', { unexplained: [FINDING] }, '1 unexplained'],
    [
      'a campaign says what is not so',
      { campaigns: { campaigns: 1, recipients: 9, states: {}, wrong: [FINDING] } },
      '1 wrong about campaigns',
    ],
    ['a request had no response', { acknowledged: 19 }, '1 requests were not acknowledged'],
    ['time was over', { finished: false }, 'the time was over before the end: give it more --minutes'],
    ['something surprised', { surprises: ['message 3: INTERNAL'] }, 'message 3: INTERNAL'],
    [
      'something planned did not happen',
      { happened: new Map([['gateway away', { planned: 2, fired: 1 }]]) },
      '"gateway away" was planned 2 times and happened 1',
    ],
  ] as const)('fails when %s', (_, changes, failure) => {
    const proof = aProof(changes);
    expect(failuresOf(proof)).toEqual([failure]);
    expect(JSON.parse(proofJson(proof))).toMatchObject({ ok: false, failures: [failure], seed: 7 });
  });
});

describe('the longest stall', () => {
  function aMeter() {
    let nowMs = 0;
    const meter = new StallMeter(() => nowMs);
    return { meter, passMs: (ms: number) => (nowMs += ms) };
  }

  it('lasts from a restart to the next progress', () => {
    const { meter, passMs } = aMeter();
    meter.restarted();
    passMs(3_000);
    meter.poll(true);
    passMs(1_000);
    meter.progressed();
    passMs(2_000);
    meter.progressed();
    expect(meter.longestMs).toBe(4_000);
  });

  it('does not grow while nothing waits', () => {
    const { meter, passMs } = aMeter();
    meter.restarted();
    passMs(9_000);
    meter.poll(false);
    passMs(1_000);
    meter.progressed();
    expect(meter.longestMs).toBe(1_000);
  });

  it('does not grow while the product is down', () => {
    const { meter, passMs } = aMeter();
    meter.restarted();
    meter.stopped();
    passMs(60_000);
    meter.poll(true);
    meter.progressed();
    expect(meter.longestMs).toBe(0);
  });
});
