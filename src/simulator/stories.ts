import type { JsonObject } from './json.js';

/** An incoming story under getIncomingStories' own field names. */
export interface Story {
  readonly atMs: number;
  readonly fields: JsonObject;
}

/** Newest first, as journals answer. */
export function storiesSince(stories: readonly Story[], sinceMs: number): readonly JsonObject[] {
  return stories
    .filter(({ atMs }) => atMs >= sinceMs)
    .toReversed()
    .map(({ fields }) => fields);
}
