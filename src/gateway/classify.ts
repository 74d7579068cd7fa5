import type { StatusMeaning, ErrorCode, OperationName } from '../contract/index.js';

/**
 * One rule for each way in which a request can fail: its code, reason and remedy. The first matching rule applies, so
 * rules with a text come before rules for their status. A new failure needs a new rule.
 */
export interface FailureRule {
  readonly failure:
    'deadline' | 'unreachable' | 'closed' | 'lost' | 'too large' | 'invalid' | 'rejected in a 2xx' | 'status';
  /** For `status`: the first code of the range. */
  readonly from?: number;
  readonly to?: number;
  /** The rule applies only to these operations. */
  readonly operations?: readonly OperationName[];
  /** The rule applies only if the gateway's text matches. */
  readonly says?: RegExp;
  readonly code: ErrorCode;
  /** The status shows only by the instance's `statusMeanings` whether the request was accepted. */
  readonly ambiguous?: true;
  readonly because: string;
  readonly remedy: string;
}

const LATER = 'Try again later.';
const CORRECT = 'Correct the request.';
const ASK = 'Check the outcome before you send again.';

export const FAILURE_RULES: readonly FailureRule[] = [
  // No byte has left.
  { failure: 'deadline', code: 'GATEWAY_DEADLINE_PASSED', because: 'its deadline passed first', remedy: LATER },
  { failure: 'unreachable', code: 'GATEWAY_UNREACHABLE', because: 'no connection', remedy: LATER },
  { failure: 'closed', code: 'GATEWAY_UNREACHABLE', because: 'the gateway client is closed', remedy: LATER },

  // Bytes have left without a complete response, so the gateway may have accepted the request.
  { failure: 'lost', code: 'GATEWAY_OUTCOME_UNKNOWN', because: 'the response never came', remedy: ASK },
  { failure: 'too large', code: 'GATEWAY_RESPONSE_TOO_LARGE', because: 'the response was not read', remedy: ASK },

  // The response has a success status.
  { failure: 'rejected in a 2xx', code: 'GATEWAY_REJECTED', because: 'the gateway rejected it', remedy: CORRECT },
  {
    failure: 'invalid',
    code: 'GATEWAY_RESPONSE_INVALID',
    because: 'the response says success, but its form is unexpected',
    remedy: ASK,
  },

  // Redirections are never followed: that would be a second POST, and would show the path with its token to another
  // server.
  status(100, 399, 'GATEWAY_RESPONSE_INVALID', 'the response is neither success nor rejection', 'Check the baseUrl.'),

  // The text shows the state of the instance.
  status(400, 400, 'GATEWAY_NOT_ACCEPTED', 'the instance is starting', LATER, { says: /in starting process/i }),
  status(400, 400, 'GATEWAY_INSTANCE_DOWN', 'the account is not authorized', 'Link the phone to the instance.', {
    says: /\b(?:instance|account)\b.{0,60}\bnot authorized\b|^\W*not authorized\b/i,
  }),
  status(
    400,
    400,
    'GATEWAY_INSTANCE_DOWN',
    'the instance is expired or deleted',
    'Renew it, or remove it from the instances file.',
    {
      says: /\b(?:instance|account)\b.{0,40}\b(?:expired|deleted)\b/i,
    },
  ),
  status(400, 400, 'GATEWAY_REJECTED', 'the gateway found it invalid', CORRECT),
  status(401, 401, 'GATEWAY_UNAUTHORIZED', 'the token is not accepted', 'Correct the token of the instance.'),
  // Status methods are a beta that the gateway grants on request, so a new token does not help.
  status(403, 403, 'GATEWAY_REJECTED', 'the account has no access to statuses', 'Ask for access to the beta.', {
    operations: ['sendTextStatus'],
  }),
  status(403, 403, 'GATEWAY_UNAUTHORIZED', 'access is denied', 'Check idInstance, token and baseUrl of the instance.'),
  status(
    404,
    404,
    'GATEWAY_REJECTED',
    'the gateway does not know the path',
    'Check baseUrl and paths of the instance.',
  ),
  // The status is meant for an incomplete request, but servers also send it when their own work took too long.
  status(408, 408, 'GATEWAY_OUTCOME_UNKNOWN', 'the work may have been done', ASK, { ambiguous: true }),
  status(413, 413, 'GATEWAY_REJECTED', 'the request is too large', CORRECT),
  status(429, 429, 'GATEWAY_BUSY', 'too many requests', LATER),
  status(466, 466, 'GATEWAY_PLAN_LIMIT', "the plan's limit is reached", 'Raise the plan or wait for the new month.'),
  // nginx: the client closed the connection after the gateway had begun to work on the request.
  status(499, 499, 'GATEWAY_OUTCOME_UNKNOWN', 'the work may have been done', ASK, { ambiguous: true }),
  status(400, 498, 'GATEWAY_REJECTED', 'the gateway rejected it', CORRECT),

  // Refusals that the gateway sends with a 500.
  status(500, 500, 'GATEWAY_REJECTED', 'the request is too large', CORRECT, { says: /request entity too large/i }),
  status(500, 500, 'GATEWAY_REJECTED', 'the file is too large', CORRECT, { says: /file over 100 ?mb/i }),
  // The service, or a proxy in front of it, may send any other 5xx after the work was done.
  status(500, 599, 'GATEWAY_OUTCOME_UNKNOWN', 'the work may have been done', ASK, { ambiguous: true }),
  status(600, 999, 'GATEWAY_RESPONSE_INVALID', 'the status is not valid', ASK),
];

function status(
  from: number,
  to: number,
  code: ErrorCode,
  because: string,
  remedy: string,
  more: Pick<FailureRule, 'operations' | 'says' | 'ambiguous'> = {},
): FailureRule {
  return { failure: 'status', from, to, code, because, remedy, ...more };
}

export interface Failure {
  readonly failure: FailureRule['failure'];
  readonly operation: OperationName;
  readonly httpStatus?: number;
  /** The gateway's text for the failure. */
  readonly words?: string | undefined;
  /** The meaning of ambiguous statuses for this instance. */
  readonly statusMeanings?: Readonly<Record<string, StatusMeaning>> | undefined;
}

export function classify(failure: Failure): Pick<FailureRule, 'code' | 'because' | 'remedy'> {
  const { operation, httpStatus = 0, words = '' } = failure;
  const rule = FAILURE_RULES.find(
    ({ failure: kind, from = 0, to = Infinity, operations, says }) =>
      kind === failure.failure &&
      from <= httpStatus &&
      httpStatus <= to &&
      (operations?.includes(operation) ?? true) &&
      (says?.test(words) ?? true),
  );
  if (rule === undefined) throw new Error(`no rule for failure ${failure.failure} ${failure.httpStatus ?? ''}`);
  if (rule.ambiguous && failure.statusMeanings?.[String(failure.httpStatus)] === 'not_accepted') {
    return {
      code: 'GATEWAY_NOT_ACCEPTED',
      because: "the instance's settings say that this response means not accepted",
      remedy: LATER,
    };
  }
  return rule;
}
