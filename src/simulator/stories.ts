import type { JsonObject } from './json.js';
import type { RuleBook } from './rules.js';

const DEFAULT_MINUTES = 1440;

/** An incoming story under getIncomingStories' own field names. */
export interface Story {
  readonly atMs: number;
  readonly fields: JsonObject;
}

/** @param minutes  the window asked for; none: a day. Newest first, as journals answer. */
export function storiesWithin(
  stories: readonly Story[],
  minutes: number | undefined,
  nowMs: number,
  rules: RuleBook,
): readonly JsonObject[] {
  const otherwise = rules.on('limits.stories-default-1440') ? DEFAULT_MINUTES : Infinity;
  const asked = rules.on('stories.minutes') ? minutes : undefined;
  const sinceMs = nowMs - (asked ?? otherwise) * 60_000;
  return stories
    .filter(({ atMs }) => atMs >= sinceMs)
    .toReversed()
    .map(({ fields }) => fields);
}
