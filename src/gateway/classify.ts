import type { StatusMeaning, ErrorCode, OperationName } from '../contract/index.js';

/**
 * One rule for each way in which a request can fail: code, reason and remedy. The first matching rule wins, so rules
 * with a text come before rules for their status. To handle a new failure, add a rule.
 */
export interface FailureRule {
  readonly failure: 'deadline' | 'unreachable' | 'closed' | 'lost' | 'invalid' | 'refused in a 2xx' | 'status';
  /** For `status`: the codes from … to. */
  readonly from?: number;
  readonly to?: number;
  /** Only these operations. */
  readonly operations?: readonly OperationName[];
  /** Only if the gateway's text matches. */
  readonly says?: RegExp;
  readonly code: ErrorCode;
  /** The status does not show whether the request was accepted, unless the instance's `statusMeanings` say so. */
  readonly ambiguous?: true;
  readonly because: string;
  readonly remedy: string;
}

const LATER = 'Try again later.';
const CORRECT = 'Correct the request.';
const ASK = 'Find out before sending again.';

export const FAILURE_RULES: readonly FailureRule[] = [
  // Before any byte left.
  { failure: 'deadline', code: 'GATEWAY_DEADLINE_PASSED', because: 'its deadline passed first', remedy: LATER },
  { failure: 'unreachable', code: 'GATEWAY_UNREACHABLE', because: 'no connection', remedy: LATER },
  { failure: 'closed', code: 'GATEWAY_UNREACHABLE', because: 'the gateway client is closed', remedy: LATER },

  // Bytes left, but no complete response: the gateway may have accepted the request.
  { failure: 'lost', code: 'GATEWAY_OUTCOME_UNKNOWN', because: 'the response never came', remedy: ASK },

  // A response with a success status.
  { failure: 'refused in a 2xx', code: 'GATEWAY_REJECTED', because: 'the gateway refused it', remedy: CORRECT },
  {
    failure: 'invalid',
    code: 'GATEWAY_RESPONSE_INVALID',
    because: 'the response says success, but is not what was agreed',
    remedy: ASK,
  },

  // Redirections are never followed: a followed POST is a second POST, and the path with its token would go elsewhere.
  status(100, 399, 'GATEWAY_RESPONSE_INVALID', 'the response is neither success nor refusal', 'Check the baseUrl.'),

  // The instance's own state, recognised by the text.
  status(400, 400, 'GATEWAY_NOT_ACCEPTED', 'the instance is starting', LATER, { says: /in starting process/i }),
  status(400, 400, 'GATEWAY_INSTANCE_DOWN', 'the account is not authorized', 'Link the phone to the instance.', {
    says: /\b(?:instance|account)\b.{0,60}\bnot authorized\b|^\W*not authorized\b/i,
  }),
  status(400, 400, 'GATEWAY_INSTANCE_DOWN', 'the instance is expired or deleted', 'Renew it or take it out.', {
    says: /\b(?:instance|account)\b.{0,40}\b(?:expired|deleted)\b/i,
  }),
  status(400, 400, 'GATEWAY_REJECTED', 'the gateway found it invalid', CORRECT),
  status(401, 401, 'GATEWAY_UNAUTHORIZED', 'the token is not accepted', 'Correct the token of the instance.'),
  // Status methods are a beta that has to be granted; a new token does not help.
  status(403, 403, 'GATEWAY_REJECTED', 'the account has no access to statuses', 'Ask for access to the beta.', {
    operations: ['sendTextStatus'],
  }),
  status(403, 403, 'GATEWAY_UNAUTHORIZED', 'access is denied', 'Check idInstance, token and baseUrl of the instance.'),
  status(404, 404, 'GATEWAY_REJECTED', 'the gateway knows no such address', 'Check baseUrl and paths of the instance.'),
  // Meant for an incomplete request, but servers also use it when their own work took too long.
  status(408, 408, 'GATEWAY_OUTCOME_UNKNOWN', 'the work may have been done', ASK, { ambiguous: true }),
  status(413, 413, 'GATEWAY_REJECTED', 'the request is too large', CORRECT),
  status(429, 429, 'GATEWAY_BUSY', 'too many requests', LATER),
  status(466, 466, 'GATEWAY_PLAN_LIMIT', "the plan's limit is reached", 'Raise the plan or wait for the new month.'),
  // nginx: the client closed the connection after the gateway had begun to work on the request.
  status(499, 499, 'GATEWAY_OUTCOME_UNKNOWN', 'the work may have been done', ASK, { ambiguous: true }),
  status(400, 498, 'GATEWAY_REJECTED', 'the gateway refused it', CORRECT),

  // Known refusals under a 500.
  status(500, 500, 'GATEWAY_REJECTED', 'the request is too large', CORRECT, { says: /request entity too large/i }),
  status(500, 500, 'GATEWAY_REJECTED', 'the file is too large', CORRECT, { says: /file over 100 ?mb/i }),
  // Any other 5xx may come after the work was done, by the service or by a proxy in front of it.
  status(500, 599, 'GATEWAY_OUTCOME_UNKNOWN', 'the work may have been done', ASK, { ambiguous: true }),
  status(600, 999, 'GATEWAY_RESPONSE_INVALID', 'there is no such status', ASK),
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
  /** The gateway's text. */
  readonly words?: string | undefined;
  /** The meaning of ambiguous codes for this instance. */
  readonly statusMeanings?: Readonly<Record<string, StatusMeaning>> | undefined;
}

export type Classified = Pick<FailureRule, 'code' | 'because' | 'remedy'>;

export function classify(failure: Failure): Classified {
  const rule = FAILURE_RULES.find((candidate) => fits(candidate, failure));
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

function fits(rule: FailureRule, { failure, operation, httpStatus = 0, words = '' }: Failure): boolean {
  return (
    rule.failure === failure &&
    (rule.from === undefined || httpStatus >= rule.from) &&
    (rule.to === undefined || httpStatus <= rule.to) &&
    (rule.operations?.includes(operation) ?? true) &&
    (rule.says?.test(words) ?? true)
  );
}
