import type { Instance } from './instance.js';
import type { Json } from './json.js';

/** One request to an operation, after routing and authentication. */
export interface OperationRequest {
  readonly body: Record<string, unknown>;
  /** A part of the path behind the token is among them, under the operation's name for it. */
  readonly query: Readonly<Record<string, string>>;
}

/** What an operation may touch: its instance, the time, and fresh ids that a replay makes again. */
export interface OperationContext {
  readonly instance: Instance;
  readonly nowMs: number;
  newId(): string;
}

type Verb = 'GET' | 'POST' | 'DELETE';

export interface Operation {
  readonly verb: Verb;
  /** Requests a second that one instance may make; none: not limited. */
  readonly perSecond?: number;
  /** Changes the instance, so it is stored before it is answered. */
  readonly changes: boolean;
  /** Needs the phone at once, so it cannot wait in the queue. */
  readonly needsPhone?: boolean;
  /** What the path carries behind the token. */
  readonly pathField?: string;
  /** Milliseconds for which an empty response is held back, should something come meanwhile. @throws WireError */
  holdsMs?(request: OperationRequest): number;
  /** Refuses what breaks a rule, before anything is touched. @throws WireError */
  check(request: OperationRequest): void;
  /** @returns the response; undefined for a 200 with an empty body. @throws WireError */
  run(request: OperationRequest, context: OperationContext): Json | undefined;
}

/** Builds an operation whose `read` turns the request into what `run` works on. */
export function operation<T>(parts: {
  readonly verb: Verb;
  readonly perSecond?: number;
  readonly changes: boolean;
  readonly needsPhone?: boolean;
  readonly pathField?: string;
  read(request: OperationRequest): T;
  holdsMs?(asked: T): number;
  run(asked: T, context: OperationContext): Json | undefined;
}): Operation {
  const { read, run, holdsMs, ...rest } = parts;
  return {
    ...rest,
    ...(holdsMs === undefined ? {} : { holdsMs: (request) => holdsMs(read(request)) }),
    check: (request) => {
      read(request);
    },
    run: (request, context) => run(read(request), context),
  };
}
