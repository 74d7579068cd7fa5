import type {
  Clock,
  EditId,
  MessageId,
  MessageRequest,
  MessageStart,
  ReachedFaultPoint,
  TemplateInput,
  TemplateKey,
} from '../contract/index.js';
import type { Gateway } from '../gateway/index.js';
import type { Ledger } from '../ledger/index.js';
import type { Patience } from '../domain/index.js';

/** Waiting times, in milliseconds. */
export interface Times {
  /** Bytes of a send must leave within this time of its claim. @default 5000 */
  readonly postingDeadlineMs: number;
  /** The longest an HTTP request may take. @default 15000 */
  readonly gatewayTimeoutMs: number;
  /** After this long a request whose connection is gone is accepted or never will be. @default 15000 */
  readonly settleTimeMs: number;
  /** How long to wait for the sign that an edit took effect. @default 20000 */
  readonly editConfirmTimeoutMs: number;
  /** Waits between two polls of a template's review; the last one repeats. @default 15 s, 1 min, 5 min, 1 h */
  readonly templatePollIntervalsMs?: readonly number[];
  /** How long the witnesses of a lost response are asked. @default 90 s, and 10 min where a presumption may decide */
  readonly patience?: Patience;
}

/** Reads what callers of the workflows give, as the HTTP API reads its bodies. All throw AppError INPUT_INVALID. */
export interface WorkflowInputs {
  message(
    start: MessageStart,
    workflowId: string,
  ):
    | { readonly kind: 'existing'; readonly id: MessageId }
    | {
        readonly kind: 'new';
        readonly id: MessageId;
        readonly request: MessageRequest;
        readonly requestHash: string;
        /**
         * Refuses what does not apply to a message that is stored already: a passed expiry, limits, an unknown
         * instance.
         */
        check(): Promise<void>;
      };
  template(
    input: unknown,
    requestedAt: string,
  ): { readonly kind: 'existing'; readonly key: TemplateKey } | { readonly kind: 'new'; readonly input: TemplateInput };
  editId(message: MessageId, edit: { readonly key?: string; readonly updateId: string }): EditId;
}

export interface ActivityDependencies {
  readonly inputs: WorkflowInputs;
  readonly ledger: Ledger;
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly times: Times;
  /** The worker's identity, for the evidence of a claim. */
  readonly worker: string;
  /** Signals that a message of the instance may be due. Never throws; callers do not wait for it. */
  wake(instance: string): void;
  /** Aborted once the worker takes no more tasks: long work then ends soon. */
  readonly stopping?: AbortSignal;
  readonly reached?: ReachedFaultPoint | undefined;
  log(entry: {
    readonly level: 'info' | 'warn' | 'error';
    readonly message: string;
    readonly [fact: string]: unknown;
  }): void;
}
