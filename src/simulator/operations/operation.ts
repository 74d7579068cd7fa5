import type { Instance } from '../account/instance.js';
import type { Json } from '../wire/wire.js';

/** One request to an operation, after routing and authentication. */
export interface OperationRequest {
  readonly body: Record<string, unknown>;
  /** Includes the part of the path after the token, under the operation's name for it. */
  readonly query: Readonly<Record<string, string>>;
}

/** The dependencies of an operation: its instance, the time, and new ids that are equal in a replay. */
export interface OperationContext {
  readonly instance: Instance;
  readonly nowMs: number;
  newId(): string;
}

type Verb = 'GET' | 'POST' | 'DELETE';

export interface Operation {
  readonly verb: Verb;
  /** The rate limit of one instance, in requests per second. @default none */
  readonly perSecond?: number;
  /** Whether it changes the instance. Its command is then stored before the response is sent. */
  readonly changes: boolean;
  /** Whether it needs a linked phone, because it does not wait in the queue. */
  readonly needsPhone?: boolean;
  /** The name of the part of the path after the token. */
  readonly pathField?: string;
  /** Whether it takes a body of any type. The request then holds the facts of the file. */
  readonly takesFile?: true;
  /** Milliseconds for which an empty response is delayed, until a notification comes. @throws WireError */
  holdsMs?(request: OperationRequest): number;
  /** Refuses an invalid request before anything changes. @throws WireError */
  check(request: OperationRequest): void;
  /** @returns the response; undefined for a 200 with an empty body. @throws WireError */
  run(request: OperationRequest, context: OperationContext): Json | undefined;
}

/** Builds an operation: `read` parses the request for `run`. */
export function operation<T>(parts: {
  readonly verb: Verb;
  readonly perSecond?: number;
  readonly changes: boolean;
  readonly needsPhone?: boolean;
  readonly pathField?: string;
  readonly takesFile?: true;
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
