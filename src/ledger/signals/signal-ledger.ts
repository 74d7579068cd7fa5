import type { MessageSnapshot } from '../../contract/index.js';

/** A run that has not been signalled yet. */
export interface PendingSignal {
  /** The message as it is now. */
  readonly snapshot: MessageSnapshot;
  /** Whether the run waits in its send, unless that has not begun: then it reads the row itself. */
  readonly completesSend: boolean;
  /** How often the signal was put off. */
  readonly tries: number;
}
