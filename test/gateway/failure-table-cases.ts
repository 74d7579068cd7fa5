import { Secret, type ErrorCode, type InstanceConfig, type MessageContent } from '../../src/contract/index.js';
import { FAILURE_RULES, type FailureRule } from '../../src/gateway/classify.js';
import type { GatewayOptions } from '../../src/gateway/index.js';

/** The servers for failures that the simulator cannot produce. */
export interface Places {
  readonly simulator: URL;
  /** Accepts connections and never answers. */
  readonly silent: URL;
  /** Resets each connection as soon as it is made. */
  readonly resetting: URL;
  /** Answers each request with a status that HTTP does not have. */
  readonly absurd: URL;
  /** Has no listener. */
  readonly closed: URL;
}

/** One way in which a send can fail. */
export interface Way {
  /** Completes "a request fails because …"; stands in docs/failures.md. */
  readonly what: string;
  /** The simulator's fault for the request, as its `/_sim/faults` accepts it. */
  readonly fault?: Readonly<Record<string, unknown>>;
  /** Whether the gateway accepted it. @default false */
  readonly accepted?: true;
  readonly content?: MessageContent;
  readonly instance?: (places: Places) => Partial<InstanceConfig>;
  readonly gateway?: Partial<GatewayOptions>;
  /** @default 5000 */
  readonly postingDeadlineMs?: number;
  /** An event at the client just before. */
  readonly before?: 'a request on the same connection' | 'the client is closed';
  /** When the instance's `responses` redefine the line. */
  readonly code?: ErrorCode;
  /** No send gets this response, so the test reads a group. */
  readonly asksForGroup?: true;
}

/** The key of a line of the table: status and reason. */
export function lineOf({ failure, from, to, because }: FailureRule): string {
  if (failure !== 'status') return failure;
  return `${from === to ? `${from}` : `${from} to ${to}`}: ${because}`;
}

export const LINES: readonly string[] = FAILURE_RULES.map(lineOf);

/** For times that a test waits out. */
export const SHORT_MS = 150;
const NEVER_MS = 600_000;

const secure = ({ host }: URL): string => `https://${host}`;
const at = (place: keyof Places) => (places: Places) => ({ baseUrl: places[place].origin });
const status = (code: number, body: unknown, more: Partial<Way> = {}): Way => ({
  what: typeof body === 'string' ? `${code} ${body}` : `${code}`,
  fault: { kind: 'status', status: code, body: typeof body === 'string' ? { message: body } : body },
  ...more,
});
/** The same response for an accepted request and for one that was not: nothing in it distinguishes them. */
const whicheverWay = (way: Way): Way[] => [
  { ...way, fault: { ...way.fault, accepted: false } },
  { ...way, what: `${way.what}, though it was accepted`, fault: { ...way.fault, accepted: true }, accepted: true },
];
const ambiguous = (code: number, body: string): Way[] => [
  ...whicheverWay(status(code, body)),
  status(code, body, {
    what: `${code} that \`statusMeanings\` of the instance call not accepted`,
    instance: () => ({ statusMeanings: { [code]: 'not_accepted' } }),
    code: 'GATEWAY_NOT_ACCEPTED',
  }),
];
const success = (what: string, code: number, body: unknown): Way[] =>
  whicheverWay({ what, fault: { kind: 'status', status: code, body } });

/** Every line of the table, with the ways to produce it. */
export const WAYS: Readonly<Record<string, readonly Way[]>> = {
  deadline: [
    { what: 'its turn comes after the posting deadline', postingDeadlineMs: 0 },
    {
      what: 'the posting deadline comes too soon for a connection',
      instance: ({ silent }) => ({ baseUrl: secure(silent) }),
      postingDeadlineMs: SHORT_MS,
    },
  ],
  unreachable: [
    { what: 'the connection is refused', instance: at('closed') },
    { what: 'the name is not known', instance: () => ({ baseUrl: 'http://does-not-exist.invalid' }) },
    { what: 'TLS meets a plain port', instance: ({ simulator }) => ({ baseUrl: secure(simulator) }) },
    {
      what: 'the connection is reset before any byte of the request left',
      instance: ({ resetting }) => ({ baseUrl: secure(resetting) }),
    },
    {
      what: 'no connection is made in time',
      instance: ({ silent }) => ({ baseUrl: secure(silent) }),
      gateway: { connectTimeoutMs: SHORT_MS },
    },
    {
      what: 'no connection is made until the posting deadline',
      instance: ({ silent }) => ({ baseUrl: secure(silent) }),
      // The deadline ends the wait, long after a fifth of the connect timeout.
      gateway: { connectTimeoutMs: 10 * SHORT_MS },
      postingDeadlineMs: 6 * SHORT_MS,
    },
  ],
  closed: [{ what: 'the worker ends before the request has a connection', before: 'the client is closed' }],
  lost: [
    ...whicheverWay({ what: 'the connection is reset', fault: { kind: 'reset' } }),
    ...whicheverWay({ what: 'the connection is closed without a response', fault: { kind: 'lose-answer' } }),
    ...whicheverWay({
      what: 'no response comes in time',
      fault: { kind: 'lose-answer', ms: NEVER_MS },
      gateway: { gatewayTimeoutMs: SHORT_MS },
    }),
    ...whicheverWay({ what: 'the response breaks off in its middle', fault: { kind: 'half-answer' } }),
    ...whicheverWay({
      what: 'the response trickles and is not whole in time',
      fault: { kind: 'trickle', ms: 50 },
      gateway: { gatewayTimeoutMs: SHORT_MS },
    }),
    {
      what: 'a kept connection is closed at the moment of its reuse',
      fault: { kind: 'close-on-reuse' },
      before: 'a request on the same connection',
    },
  ],
  'too large': whicheverWay({
    what: 'a response that is larger than the limit',
    fault: { kind: 'status', status: 200, body: { idMessage: 'BAE5000000000001', more: 'x'.repeat(1_000) } },
    gateway: { maxResponseBytes: 900 },
  }),
  'rejected in a 2xx': [
    { what: '200 that holds a rejection (getGroupData)', fault: groupRefusal('Error: forbidden'), asksForGroup: true },
  ],
  invalid: [
    ...success('200 with an empty body', 200, ''),
    ...success('200 without an idMessage', 200, {}),
    ...success('200 with an idMessage that is no text', 200, { idMessage: 17 }),
    ...success('200 with null', 200, 'null'),
    ...success('200 with a web page', 200, '<html><title>Welcome to our network</title></html>'),
    ...success('204', 204, ''),
  ],
  '100 to 399: the response is neither success nor rejection': [
    ...whicheverWay({
      what: '301 to another address',
      fault: { kind: 'status', status: 301, headers: { location: '/elsewhere' } },
    }),
    status(307, {}, { what: '307 to another address' }),
    status(304, '', { what: '304', fault: { kind: 'status', status: 304, body: '' } }),
  ],
  '400: the instance is starting': [status(400, 'instance in starting process try later')],
  '400: the account is not authorized': [
    status(400, 'instance account not authorized'),
    status(400, 'instance is starting or not authorized'),
    status(400, 'Not authorized'),
  ],
  '400: the instance is expired or deleted': [status(400, 'Instance is deleted'), status(400, 'account has expired')],
  '400: the gateway found it invalid': [
    status(400, 'Validation failed'),
    status(400, '', { what: '400 with an empty body' }),
  ],
  '401: the token is not accepted': [
    { what: '401 to a wrong token', instance: () => ({ apiTokenInstance: new Secret('a-wrong-token') }) },
    status(401, 'Unauthorized'),
  ],
  '403: the account has no access to statuses': [
    status(403, 'Forbidden', {
      what: '403 to sendTextStatus',
      content: { kind: 'status', text: 'open until six' },
      fault: { method: 'sendTextStatus', kind: 'status', status: 403, body: 'Forbidden' },
    }),
  ],
  '403: access is denied': [status(403, 'Forbidden')],
  '404: the gateway does not know the path': [
    { what: '404 at a wrong baseUrl', instance: ({ simulator }) => ({ baseUrl: `${simulator.origin}/old` }) },
  ],
  '408: the work may have been done': ambiguous(408, 'Request Timeout'),
  '413: the request is too large': [status(413, 'Payload Too Large')],
  '429: too many requests': [
    status(429, 'Too Many Requests'),
    status(429, 'Too Many Requests', {
      what: '429 with Retry-After',
      fault: { kind: 'status', status: 429, headers: { 'retry-after': '7' } },
    }),
  ],
  "466: the plan's limit is reached": [
    status(466, { invokeStatus: { status: 'QUOTE_EXCEEDED', description: 'Monthly quota has been exceeded' } }),
  ],
  '499: the work may have been done': ambiguous(499, 'client closed the request'),
  '400 to 498: the gateway rejected it': [402, 405, 406, 409, 410, 415, 418, 422, 451, 498].map((code) =>
    status(code, {}),
  ),
  '500: the request is too large': [status(500, 'request entity too large')],
  '500: the file is too large': [status(500, 'file over 100 mb')],
  '500 to 599: the work may have been done': [
    ...ambiguous(500, 'Internal Server Error'),
    ...whicheverWay(status(500, 'interface conversion')),
    ...ambiguous(501, 'Not Implemented'),
    ...ambiguous(502, 'Bad Gateway'),
    ...ambiguous(503, 'Service Unavailable'),
    ...ambiguous(504, 'Gateway Timeout'),
    ...whicheverWay(status(520, {})),
    ...whicheverWay(status(599, {})),
  ],
  '600 to 999: the status is not valid': [{ what: '777', instance: at('absurd') }],
};

function groupRefusal(words: string): Readonly<Record<string, unknown>> {
  return { method: 'getGroupData', kind: 'status', status: 200, body: JSON.stringify(words) };
}
