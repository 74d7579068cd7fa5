import type { EditId, MessageId } from './ids.js';
import type { MessageRequest } from './message.js';
import type { MessageStart } from './temporal.js';
import type { TemplateInput, TemplateKey } from './template.js';

/** A message as its workflow was asked for it: one that has a row, or what its row is to be made of. */
export type AskedMessage =
  | { readonly kind: 'existing'; readonly id: MessageId }
  | {
      readonly kind: 'new';
      readonly id: MessageId;
      readonly request: MessageRequest;
      readonly requestHash: string;
      /**
       * The checks that may come out otherwise another day: limits, instance, callback, expiry, template.
       * @throws AppError INPUT_INVALID
       */
      check(): Promise<void>;
    };

export type AskedTemplate =
  { readonly kind: 'existing'; readonly key: TemplateKey } | { readonly kind: 'new'; readonly input: TemplateInput };

/** Reads what callers of the workflows give, as the HTTP API reads its bodies. */
export interface WorkflowInputs {
  /** @throws AppError INPUT_INVALID with every problem there is, when the input has not the shape of a message */
  message(start: MessageStart, workflowId: string): AskedMessage;
  /** @throws AppError INPUT_INVALID with every problem */
  template(input: unknown, requestedAt: string): AskedTemplate;
  /** The id of an edit: from its key, or else from the id of the update that asked for it. */
  editId(message: MessageId, edit: { readonly key?: string; readonly updateId: string }): EditId;
}
