import type { Instance } from './instance.js';
import type { Json } from './json.js';
import type { RuleBook } from './rules.js';

/** One request to an operation, after routing and authentication. */
export interface OperationRequest {
  readonly body: Record<string, unknown>;
  readonly query: Readonly<Record<string, string>>;
}

/** What an operation may touch: its instance, the time, and fresh ids that a replay makes again. */
export interface OperationContext {
  readonly instance: Instance;
  readonly nowMs: number;
  newId(): string;
}

export interface Operation {
  readonly verb: 'GET' | 'POST';
  /** Requests a second that one instance may make; none: not limited. */
  readonly perSecond?: number;
  /** Changes the instance, so it is stored before it is answered. */
  readonly changes: boolean;
  /** Needs the phone at once, so it cannot wait in the queue. */
  readonly needsPhone?: boolean;
  /** Refuses what breaks a rule, before anything is touched. @throws WireError */
  check(request: OperationRequest, rules: RuleBook): void;
  /** @returns the answer; undefined for a 200 with an empty body. @throws WireError */
  run(request: OperationRequest, context: OperationContext): Json | undefined;
}

/** Builds an operation whose `read` turns the request into what `run` works on. */
export function operation<T>(parts: {
  readonly verb: 'GET' | 'POST';
  readonly perSecond?: number;
  readonly changes: boolean;
  readonly needsPhone?: boolean;
  read(request: OperationRequest, rules: RuleBook): T;
  run(asked: T, context: OperationContext): Json | undefined;
}): Operation {
  const { read, run, ...rest } = parts;
  return {
    ...rest,
    check: (request, rules) => {
      read(request, rules);
    },
    run: (request, context) => run(read(request, context.instance.rules), context),
  };
}
