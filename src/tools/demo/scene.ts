import type { ApiClient } from '../../client/index.js';
import type { GatewayControl } from '../../testing/index.js';

/** What a scene uses. */
export interface Stage {
  readonly api: ApiClient;
  readonly simulator: GatewayControl;
  /** Prints progress, a few words at a time. */
  readonly tell: (words: string) => void;
  /** Aborted to end the demo. */
  readonly stopping: AbortSignal;
}

/** The result of a scene: what was expected, and what was seen. */
export interface Sight {
  readonly expected: string;
  readonly saw: string;
}

export interface Scene {
  readonly title: string;
  play(stage: Stage): Promise<Sight>;
}

export interface SceneResult extends Sight {
  readonly title: string;
  readonly cameTrue: boolean;
}
