import { type TemplateKey, type TemplateReview, isReviewEnded, templateUnknown } from '../contract/index.js';
import type { TemplateView } from '../ledger/index.js';
import type { RouteDependencies } from './route-dependencies.js';
import { readTemplate, requestHash } from '../starter/index.js';

/**
 * Submits a template once: instance and name are its key. Nothing is begun while Temporal is unavailable.
 * @param body `{ instance, template }`
 * @returns `isReplay`: true if it was submitted before
 * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND | TEMPLATE_DIFFERS | TEMPORAL_UNAVAILABLE
 */
export async function submitTemplate(dependencies: RouteDependencies, body: unknown) {
  const { ledger, instances, clock, runs, templateRuns } = dependencies;
  const { instance, definition, warnings } = readTemplate(body, instances);
  const key = { instance, elementName: definition.elementName };
  const requestedAt = new Date(clock.nowMs()).toISOString();
  const input = { ...key, definition, definitionHash: requestHash(definition), requestedAt };
  const before = await ledger.templates.snapshot(key);
  await runs.reachable();
  const snapshot = await ledger.templates.submit(input, clock.nowMs());
  // A template whose review has ended is not polled. An approved one is polled only while a message or campaign depends
  // on it.
  const { state, status, unwatchedSince } = snapshot;
  const isPolled = state !== 'submitted' || (!isReviewEnded(status) && unwatchedSince === undefined);
  if (state !== 'refused' && isPolled) await templateRuns.continueRun(input);
  const template = await findTemplate(dependencies, key);
  return { template, warnings, isReplay: before?.version === snapshot.version };
}

/** @throws AppError TEMPLATE_NOT_FOUND */
export async function findTemplate({ ledger }: RouteDependencies, key: TemplateKey): Promise<TemplateView> {
  const found = await ledger.templates.view(key);
  if (found === undefined) throw templateUnknown(key);
  return found;
}

/** @throws AppError TEMPLATE_NOT_FOUND | TEMPLATE_NOT_SUBMITTED | TEMPORAL_UNAVAILABLE */
export async function setTemplateReview(
  dependencies: RouteDependencies,
  key: TemplateKey,
  review: TemplateReview,
): Promise<TemplateView> {
  const { ledger, templateRuns, bell, wake } = dependencies;
  if ((await ledger.templates.snapshot(key)) === undefined) return findTemplate(dependencies, key);
  // A run that is just ending does not accept an update. The next call starts a new run.
  if ((await templateRuns.setReview(key, review)) === 'gone') await templateRuns.setReview(key, review);
  bell.ring(bellOf(key));
  // Messages that name the template may be due now.
  void wake(key.instance);
  return findTemplate(dependencies, key);
}

/** The id by which the bell signals changes of a template. */
export function bellOf({ instance, elementName }: TemplateKey): string {
  return `template ${instance} ${elementName}`;
}
