import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spanContextOf, traceContextOf } from '../../src/tracing/trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

it.each([
  ['a sampled one', `00-${TRACE}-${SPAN}-01`, { traceId: TRACE, spanId: SPAN, traceFlags: 1 }],
  ['one that is not sampled', `00-${TRACE}-${SPAN}-00`, { traceId: TRACE, spanId: SPAN, traceFlags: 0 }],
  ['a later version, with more parts', `cc-${TRACE}-${SPAN}-03-what`, { traceId: TRACE, spanId: SPAN, traceFlags: 1 }],
])('reads %s', (_, traceparent, expected) => {
  expect(spanContextOf({ traceparent })).toMatchObject({ ...expected, isRemote: true });
});

it.each([
  ['nothing', undefined],
  ['another text', '+1 555 010 4477'],
  ['an id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['the forbidden version', `ff-${TRACE}-${SPAN}-01`],
  ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['a longer span id', `00-${TRACE}-${SPAN}0-01`],
])('reads no context in %s, so a new trace begins', (_, traceparent) => {
  expect(spanContextOf(traceparent === undefined ? {} : { traceparent })).toBeUndefined();
});

it('keeps only the member of OpenTelemetry of tracestate, since others may contain anything', () => {
  const own = (tracestate: string) => spanContextOf({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate });
  expect(own('dd=s:1,ot=th:8;rv:6e6d1a75832a2f,user=15550104477')?.traceState?.serialize()).toBe(
    'ot=th:8;rv:6e6d1a75832a2f',
  );
  expect(own('user=15550104477')?.traceState).toBeUndefined();
  expect(own('robot=15550104477')?.traceState).toBeUndefined();
});

it('has no context of a span that is not sampled, and else the same again', () => {
  const hex = (length: number) =>
    fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((text) => !/^0*$/.test(text));
  fc.assert(
    fc.property(hex(32), hex(16), fc.boolean(), fc.boolean(), (trace, span, isSampled, hasState) => {
      const state = hasState ? { tracestate: 'ot=th:c' } : {};
      const given = { traceparent: `00-${trace}-${span}-0${isSampled ? 1 : 0}`, ...state };
      expect(traceContextOf(spanContextOf(given)!)).toEqual(isSampled ? given : undefined);
    }),
  );
});
