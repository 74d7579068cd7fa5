import {
  MessageWorkflows,
  accountsOf,
  firstAccountOf,
  postingTimes,
  present,
  type CampaignDefinition,
  type Clock,
  type MessageRequest,
  type InstanceDirectory,
  type MessageContent,
  type MessageId,
  type Problem,
  type TraceContext,
} from '../../contract/index.js';
import { messageId, requestHash } from '../ids.js';
import { contentsOf, inputInvalid, sentContents, templateParameters } from '../../domain/index.js';
import type { Ledger, TestOf } from '../../ledger/index.js';
import type { LoadMeter } from '../background.js';

interface BeginDependencies {
  readonly ledger: Pick<Ledger, 'intake' | 'messages' | 'templates' | 'files'>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly wake: (instance: string) => Promise<void>;
  /** Counts the messages that are begun. */
  readonly load?: Pick<LoadMeter, 'count'>;
}

export interface AskedFor {
  /** The Idempotency-Key. */
  readonly key: string;
  /** The caller. */
  readonly witness: string;
  /** The accounts of which that of the request was chosen. A repeated request has the same, and perhaps another choice. */
  readonly pool?: { readonly instance: string; readonly instances: readonly string[] };
  /** Of the request. @default its trace is not sampled */
  readonly trace?: TraceContext | undefined;
}

/**
 * Begins a message once for its key. Needs only the ledger: while Temporal is unavailable, messages are accepted and
 * sent later.
 *
 * BEGIN-1 The message has begun when its row is committed, and not before. The row also stores the request: the same
 *    key with another body is refused.
 * BEGIN-2 The row answers a repeated request, also after the message's expiry or a change of its template.
 * BEGIN-3 The instance is woken after the commit, and the response does not wait for it. The workflow of the message is
 *    started from the row if the instance's messages have workflows.
 * @param derived  of a message whose content follows from another request, which its id and hash are derived from
 * @returns `isReplay`: true if an earlier request with the same key began the message
 * @throws AppError INPUT_INVALID | IDEMPOTENCY_MISMATCH | LEDGER_UNAVAILABLE (retry with the same key)
 */
export async function beginMessage(
  { ledger, instances, clock, wake, load }: BeginDependencies,
  request: MessageRequest,
  { key, witness, pool, trace }: AskedFor,
  derived: { readonly id: MessageId; readonly requestHash: string; readonly test?: TestOf } = {
    id: messageId(firstAccountOf(pool ?? request), key),
    requestHash: requestHash(pool === undefined ? request : { ...request, ...pool }),
  },
) {
  const { intake, messages } = ledger;
  const { id } = derived;
  const nowMs = clock.nowMs();
  const times = postingTimes(request, nowMs);
  const isLate = times.expiresAtMs <= nowMs;
  // A new message that may be refused needs a lookup first, since a repeated one is not refused. All others are
  // written at once.
  const { content } = request;
  const namesStored = content.kind === 'template' || (content.kind === 'file' && content.fileId !== undefined);
  const mayBeRefused = isLate || namesStored;
  if (mayBeRefused && (await messages.snapshot(id)) === undefined) {
    if (isLate) throw inputInvalid('The message', [{ path: 'expiresAt', message: 'has passed' }]);
    await refuseUnusableTemplate(ledger, request);
    const problems = await fileProblems({ ledger, instances }, request, times.expiresAtMs);
    if (problems.length > 0) throw inputInvalid('The message', problems);
  }
  const run = instances.get(request.instance).messageWorkflows === MessageWorkflows.on_demand ? 'none' : 'wanted';
  const row = { ...derived, request, ...times, run, requestedBy: witness, ...present({ trace }), nowMs } as const;
  const { snapshot, isNew } = await intake.begin(row);
  load?.count();
  const { state } = snapshot;
  if (state === 'pending') void wake(request.instance);
  return { id, state, isReplay: !isNew };
}

export type BegunMessage = Awaited<ReturnType<typeof beginMessage>>;

/**
 * Retains the stored file that a content names. @returns the problem of a file that could never be sent
 * @param untilMs  the latest time at which it is sent
 */
export async function fileProblems(
  { ledger, instances }: { readonly ledger: Pick<Ledger, 'files'>; readonly instances: InstanceDirectory },
  { content, ...senders }: Parameters<typeof accountsOf>[0] & { readonly content: Partial<MessageContent> },
  untilMs: number,
): Promise<Problem[]> {
  if (content.kind !== 'file' || content.fileId === undefined) return [];
  const lacks = accountsOf(senders)
    .map((instance) => {
      const { name, mediaUrl, capabilities } = instances.get(instance);
      const cannot = `instance ${name} cannot send stored files:`;
      if (mediaUrl === undefined) return `${cannot} it has no mediaUrl in the instances file`;
      if (capabilities?.includes('uploadFile') === false) return `${cannot} its capabilities do not list uploadFile`;
      return undefined;
    })
    .find((why) => why !== undefined);
  if (lacks === undefined && (await ledger.files.keep(content.fileId, untilMs))) return [];
  const message =
    lacks === undefined
      ? 'is not the id of a stored file: upload the file with POST /v1/files'
      : `${lacks}. Use a link: content.url`;
  return [{ path: 'content.fileId', message }];
}

/** {@link fileProblems} of every content that a campaign may send. */
export async function contentsFileProblems(
  dependencies: Parameters<typeof fileProblems>[0],
  definition: CampaignDefinition,
  untilMs: number,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { path, content } of contentsOf(sentContents(definition))) {
    const found = await fileProblems(dependencies, { ...definition, content }, untilMs);
    problems.push(...found.map((problem) => ({ ...problem, path: problem.path.replace('content', path) })));
  }
  return problems;
}

/**
 * Refuses a message that could never be sent with its template. A template that is not approved yet is no reason: the
 * message waits for the approval.
 * @throws AppError INPUT_INVALID
 */
export async function refuseUnusableTemplate(
  { templates }: Pick<Ledger, 'templates'>,
  { instance, content }: Pick<MessageRequest, 'instance' | 'content'>,
): Promise<void> {
  if (content.kind !== 'template') return;
  const { elementName, templateId, params = [] } = content;
  const named = elementName === undefined ? { templateId: templateId ?? '' } : { elementName };
  const template = await templates.find(instance, named);
  if (template === undefined) {
    // An id may belong to a template that was created elsewhere, which only the gateway knows.
    if (elementName === undefined) return;
    const message = `no template ${elementName} was submitted to ${instance} through everpost. Submit it: everpost template submit FILE`;
    throw inputInvalid('The message', [{ path: 'content.elementName', message }]);
  }
  const count = templateParameters(template.definition).length;
  if (params.length === count) return;
  const message = `must have ${count} values, one for each variable of the template. It has ${params.length}`;
  throw inputInvalid('The message', [{ path: 'content.params', message }]);
}
