import type { FaultPoint } from '../../contract/index.js';
import type { KillPoint } from './product-process.js';

/** Ends this process as a power failure would, at the point that the process that started it names. */
export function killedAsAsked(): (reached: FaultPoint) => void {
  let asked: KillPoint | undefined;
  let hits = 0;
  process.on('message', (message: KillPoint | 'live') => {
    asked = message === 'live' ? undefined : message;
    hits = 0;
    if (message === 'live') process.send?.('live');
  });
  // A process that cannot start must end.
  process.channel?.unref();
  return (reached) => {
    if (reached !== asked?.at) return;
    hits += 1;
    if (hits === asked.hit) process.kill(process.pid, 'SIGKILL');
  };
}
