import { describe, expect, it } from 'vitest';
import type { Proof } from '../../../src/tools/prove/prove.js';
import { failuresOf, proofJson, proofTable } from '../../../src/tools/prove/report.js';
import { StallMeter } from '../../../src/tools/prove/stall-meter.js';

const FINDING = { id: 'msg_1', why: 'because' };

function aProof(changes: Partial<Proof> = {}): Proof {
  return {
    seed: 7,
    kills: { kills: 6, hitWork: 5, inDoubt: 4, mostInDoubt: 2, mostAllowed: 6, longestTakeoverMs: 4_321, wrong: [] },
    workers: 1,
    notificationFaults: true,
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
    stalls: [
      {
        instance: 'main',
        ms: 12_345,
        since: 'everpost was started',
        waitedFor: [
          { what: 'the start of everpost', ms: 4_000 },
          { what: 'a shift', ms: 8_345 },
        ],
      },
      { instance: 'main', ms: 6_000, since: 'its last step', waitedFor: [{ what: 'its shift', ms: 6_000 }] },
    ],
    happened: new Map([['killed at bytes.left', { planned: 1, fired: 1 }]]),
    surprises: [],
    ...changes,
  };
}

describe('the report of a proof', () => {
  it('accepts unresolved messages that never reached the gateway', () => {
    expect(failuresOf(aProof())).toEqual([]);
    expect(proofTable(aProof())).toEqual(
      expect.arrayContaining([
        'unknown, unresolved        2   2 never reached the gateway (10 % of all)',
        'campaigns                  2   8 of the messages, 1 completed, 1 running',
        'kills                      6   5 while messages waited or were being sent',
        '  left in doubt            4   at most 2 by one kill; the limit (window + 4) is 6',
        '  longest takeover     4.3 s',
        'longest stall         12.3 s   of main, since everpost was started; 1 stalls longer than 10 s',
        '  waited for           4.0 s   the start of everpost',
        '  waited for           8.3 s   a shift',
        expect.stringMatching(/^killed at bytes\.left +1 of 1$/),
      ]),
    );
  });

  it('accepts a fault of one recipient that did not happen', () => {
    const missed = new Map([['reset, accepted, in a campaign', { planned: 2, fired: 1, mayNotHappen: true as const }]]);
    expect(failuresOf(aProof({ happened: missed }))).toEqual([]);
  });

  it('shows each reason with its number of messages', () => {
    const unresolvedNeverAccepted = Array.from({ length: 7 }, (_, at) => ({ id: `msg_${at}`, why: 'because' }));
    expect(proofTable(aProof({ unresolvedNeverAccepted }))).toContain(
      '     7 because: msg_0, msg_1, msg_2, msg_3, msg_4, …',
    );
  });

  it('permits 2 % unresolved when all messages permit presumptions', () => {
    const asked = { onUnknown: 'auto', notificationFaults: false, messages: 1_000, acknowledged: 1_000 } as const;
    const unresolved = (count: number) => Array.from({ length: count }, () => FINDING);
    expect(failuresOf(aProof({ ...asked, unresolvedNeverAccepted: unresolved(20) }))).toEqual([]);
    expect(failuresOf(aProof({ ...asked, unresolvedNeverAccepted: unresolved(21) }))).toEqual([
      '2.1 % unresolved; the limit is 2 %',
    ]);
  });

  it.each([
    ['a lost message', { lost: [FINDING] }, '1 lost'],
    ['a wrong presumption', { resentTwice: [FINDING] }, '1 wrongly presumed not accepted, and sent twice'],
    [
      'a kill that left too many unknown outcomes',
      {
        kills: {
          ...aProof().kills,
          wrong: [{ id: 'main', why: 'a kill left 9 attempts in doubt; its window allows 6' }],
        },
      },
      'instance main: a kill left 9 attempts in doubt; its window allows 6',
    ],
    ['a message that was sent twice', { sentTwice: [FINDING] }, '1 sent twice'],
    [
      'an accepted message that is unresolved',
      { unresolvedAccepted: [FINDING] },
      '1 unresolved although the gateway had accepted them',
    ],
    ['an unexplained message', { unexplained: [FINDING] }, '1 unexplained'],
    [
      'a campaign with a wrong report',
      { campaigns: { campaigns: 1, recipients: 9, states: {}, wrong: [FINDING] } },
      '1 wrong statements of campaigns',
    ],
    ['a request without a response', { acknowledged: 19 }, '1 requests were not acknowledged'],
    ['a time limit', { finished: false }, 'the time limit came before the end: raise --minutes'],
    ['something surprised', { surprises: ['message 3: INTERNAL'] }, 'message 3: INTERNAL'],
    [
      'a planned fault that did not happen',
      { happened: new Map([['gateway away', { planned: 2, fired: 1 }]]) },
      '"gateway away" was planned 2 times and happened 1',
    ],
  ] as const)('fails for %s', (_, changes, failure) => {
    const proof = aProof(changes);
    expect(failuresOf(proof)).toEqual([failure]);
    expect(JSON.parse(proofJson(proof))).toMatchObject({ ok: false, failures: [failure], seed: 7 });
  });
});

describe('a stall', () => {
  function aMeter() {
    let nowMs = 0;
    const meter = new StallMeter(() => nowMs);
    meter.restarted('everpost was started');
    return { meter, passMs: (ms: number) => (nowMs += ms) };
  }

  it('STALL-1 lasts from a restart to the next step, and shows what was waited for', () => {
    const { meter, passMs } = aMeter();
    passMs(3_000);
    meter.poll('main', 'the start of everpost');
    passMs(1_000);
    meter.poll('main', 'a shift');
    passMs(2_000);
    meter.progressed('main');
    expect(meter.stalls).toEqual([
      {
        instance: 'main',
        ms: 6_000,
        since: 'everpost was started',
        waitedFor: [
          { what: 'the start of everpost', ms: 3_000 },
          { what: 'a shift', ms: 3_000 },
        ],
      },
    ]);
  });

  it('STALL-1 of one instance is not ended by another', () => {
    const { meter, passMs } = aMeter();
    meter.progressed('main');
    for (let second = 0; second < 9; second += 1) {
      meter.poll('main', 'its shift');
      meter.progressed('second');
      passMs(1_000);
    }
    meter.progressed('main');
    expect(meter.stalls).toMatchObject([{ instance: 'main', ms: 9_000, since: 'its last step' }]);
  });

  it('does not grow while nothing is due', () => {
    const { meter, passMs } = aMeter();
    passMs(9_000);
    meter.poll('main', undefined);
    passMs(1_000);
    meter.poll('main', 'its shift');
    meter.progressed('main');
    expect(meter.stalls).toMatchObject([{ ms: 1_000, since: 'the message became due' }]);
  });

  it('STALL-2 does not grow while the product is down', () => {
    const { meter, passMs } = aMeter();
    meter.stopped();
    passMs(60_000);
    meter.poll('main', 'a shift');
    meter.progressed('main');
    expect(meter.stalls).toEqual([]);
  });

  it('is kept when it is long, or the longest', () => {
    const { meter, passMs } = aMeter();
    for (const ms of [1_000, 3_000, 2_000, 7_000, 6_000, 4_000]) {
      meter.progressed('main');
      meter.poll('main', 'its shift');
      passMs(ms);
    }
    meter.stopped();
    expect(meter.stalls.map(({ ms }) => ms)).toEqual([7_000, 6_000]);
  });
});
