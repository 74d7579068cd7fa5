import type { ApiClient } from '../../starter/index.js';
import type { SimulatorControls } from './simulator-controls.js';

/** What a scene plays with. */
export interface Stage {
  readonly api: ApiClient;
  readonly simulator: SimulatorControls;
  /** Tells what is happening, a few words at a time. */
  readonly tell: (words: string) => void;
  /** Aborted to end the demo. */
  readonly stopping: AbortSignal;
}

/** What one scene shows: what should come true, and what did. */
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
