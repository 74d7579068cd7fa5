/** What a sequence sees of one process. */
import type { Clock, FaultPoint } from '../../../src/contract/index.js';
import type { Ledger } from '../../../src/ledger/index.js';
import type { CampaignDoor } from './campaigns/door.js';
import type { Life } from './mortal.js';
import type { ScheduleDoor } from './schedules/door.js';

export interface Process {
  readonly worker: string;
  readonly life: Life;
  /** How far its clock is ahead. */
  aheadMs: number;
  /** Where it dies, once it comes there. */
  diesAt: FaultPoint | undefined;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** The API's functions for campaigns. */
  readonly campaigns: CampaignDoor;
  readonly schedules: ScheduleDoor;
  receive(instance: string, body: object): Promise<void>;
  wake(instance: string): Promise<void>;
  /** As the process does every second (PRESENCE-6). */
  sayAlive(): Promise<void>;
}
