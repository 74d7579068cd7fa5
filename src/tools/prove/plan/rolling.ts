/**
 * Plans a rolling upgrade and its rollback.
 *
 * ROLL-1 Every process begins as the other version, and ends as it. In between, one after the other becomes this
 *    version, and then the other one again. Each of these stages has several rounds; a process that is killed starts
 *    again as the version that it has in this stage.
 * ROLL-2 This version migrates the ledger before the first process becomes it, while all processes work.
 * ROLL-3 Processes are replaced by SIGTERM and by SIGKILL in turn.
 * ROLL-4 A round with a replacement starts no campaign, has no outage, and a random kill: its messages are sent while the
 *    process is replaced, and may not wait for a fault point.
 * ROLL-5 Every third round submits a template: its run waits in Temporal while the versions change.
 */
export type Version = 'this' | 'other';

export interface PlannedTemplate {
  readonly instance: string;
  readonly elementName: string;
}

export interface Replacement {
  /** The number of the process, from 0. */
  readonly place: number;
  readonly to: Version;
  readonly by: 'SIGTERM' | 'SIGKILL';
  readonly migratesBefore: boolean;
}

/**
 * ROLL-1 to ROLL-4.
 * @param isFree  whether a round may have a replacement
 * @returns the replacement at the beginning of some rounds; not all of them if there are too few free rounds
 */
export function planReplacements(
  rounds: number,
  processes: number,
  isFree: (round: number) => boolean,
): ReadonlyMap<number, Replacement> {
  const all = Array.from({ length: 2 * processes }, (_, at): Replacement => ({
    place: at % processes,
    to: at < processes ? 'this' : 'other',
    by: at % 2 === 0 ? 'SIGTERM' : 'SIGKILL',
    migratesBefore: at === 0,
  }));
  const planned = new Map<number, Replacement>();
  let round = 0;
  for (const [at, replacement] of all.entries()) {
    round = Math.max(round, Math.ceil(((at + 1) * rounds) / (all.length + 1)));
    while (round < rounds && !isFree(round)) round += 1;
    if (round < rounds) planned.set(round, replacement);
    round += 1;
  }
  return planned;
}
