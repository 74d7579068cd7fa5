/**
 * The ledger of templates: the only place that moves one from state to state.
 *
 * TEMPLATE-1 One name, one template. A repeated definition is the same template; a different definition under the name
 *    is refused, unless the gateway rejected the first one.
 * TEMPLATE-2 Intent before bytes. A claim returns only after it is durable, and only one takes `pending`.
 * TEMPLATE-3 After a lost response the template is looked up by name. An attempt becomes pending again only if its time
 *    has passed and the gateway does not list the template; the gateway's own rule of unique names then keeps a second
 *    one from being made.
 * TEMPLATE-4 A reading counts only if it differs from the previous one, so an operator's decision stands until the
 *    gateway shows something new.
 * TEMPLATE-5 Each change is kept with its time and its witness.
 */
import { type RawBuilder, sql } from 'kysely';
import {
  AppError,
  canonicalJson,
  present,
  type Problem,
  type TemplateDefinition,
  type TemplateInput,
  type TemplateKey,
  type TemplateReview,
  type TemplateSnapshot,
} from '../../contract/index.js';
import { jsonText } from '../storage/statements.js';
import { LedgerPart } from '../storage/store.js';
import { MOST_REJECTED, rejectByTemplate, rejectionOf } from './template-messages.js';
import {
  inputOfTemplate,
  listTemplates,
  lockTemplate,
  readingStep,
  readTemplate,
  snapshotOfTemplate,
  type Step,
  type TemplateReading,
  type TemplateRow,
  type TemplateView,
  viewOfTemplate,
  writeStep,
} from './template-row.js';

/** The outcome of one createTemplate. `text` is the gateway's text, without secrets. */
export type TemplateOutcome =
  | { readonly kind: 'accepted'; readonly reading: TemplateReading; readonly witness: string; readonly detail?: object }
  | { readonly kind: 'refused'; readonly code: string; readonly text?: string; readonly detail?: object }
  | { readonly kind: 'not_accepted'; readonly code: string; readonly text?: string }
  | { readonly kind: 'unknown'; readonly code: string; readonly text?: string };

interface Poll {
  readonly nextCheckAtMs?: number | undefined;
  readonly nowMs: number;
}

const NO_ATTEMPT = { attempt_token: null, reconcile_after: null };

/**
 * Templates. The name is unique in the account, so instance and name are the key. Every method may be called again with
 * the same arguments. Time arguments are milliseconds since the epoch by the caller's clock.
 */
export class Templates extends LedgerPart {
  /**
   * Writes the template to submit. The same definition gives the same template. A refused template may be corrected
   * under its name, and a template whose polling has stopped is polled again.
   * @throws AppError TEMPLATE_DIFFERS with each difference, if the name has another definition
   */
  submit(input: TemplateInput, nowMs: number): Promise<TemplateSnapshot> {
    const definition = { definition: jsonText(input.definition), definition_hash: input.definitionHash };
    return this.#create(input, nowMs, (row) => {
      const isSame = row.definition_hash === input.definitionHash;
      if (row.state === 'refused') {
        // No template with this name exists: the requested one is the first.
        return {
          changes: [{ state: 'pending', ...definition, reason: null, ...NO_ATTEMPT }],
          history: [{ witness: 'request', what: isSame ? 'asked_again' : 'corrected' }],
        };
      }
      if (!isSame) throw templateDiffers(input, row);
      if (row.unwatched_since === null) return {};
      return { changes: [{ unwatched_since: null }], history: [{ witness: 'request', what: 'watched_again' }] };
    });
  }

  /** Writes the row unless it exists, and records the run's namespace. @throws AppError TEMPLATE_DIFFERS */
  open(input: TemplateInput, namespace: string, nowMs: number): Promise<TemplateSnapshot> {
    return this.#create(input, nowMs, (row) => {
      if (row.definition_hash !== input.definitionHash && row.state !== 'refused') throw templateDiffers(input, row);
      return row.namespace === namespace ? {} : { notes: { namespace } };
    });
  }

  async snapshot(key: TemplateKey): Promise<TemplateSnapshot | undefined> {
    const row = await this.database.run((db) => readTemplate(db, key));
    return row && snapshotOfTemplate(row);
  }

  view(key: TemplateKey): Promise<TemplateView | undefined> {
    return this.find(key.instance, key);
  }

  /** By instance and name. @throws AppError INPUT_INVALID (the cursor) */
  readonly list = this.statement(listTemplates);

  /** By name or, with `templateId`, by the gateway's id. */
  find(
    instance: string,
    { elementName, templateId }: { readonly elementName?: string; readonly templateId?: string },
  ): Promise<TemplateView | undefined> {
    const isNamed =
      elementName === undefined ? sql`template_id = ${templateId ?? ''}` : sql`element_name = ${elementName}`;
    return this.database.run(async (db) => {
      const { rows } = await sql<TemplateRow>`
        select * from templates where instance = ${instance} and ${isNamed} limit 1`.execute(db);
      return rows[0] && viewOfTemplate(db, rows[0]);
    });
  }

  /** The input of its run. */
  async inputOf(key: TemplateKey): Promise<TemplateInput | undefined> {
    const row = await this.database.run((db) => readTemplate(db, key));
    return row && inputOfTemplate(row);
  }

  /**
   * Takes the right to post once: compare-and-set from `pending` to `sending`. Durable when this returns.
   * @param claim.token             new for each try; identifies the attempt
   * @param claim.reconcileAfterMs  from this time on this attempt can no longer be accepted
   */
  claim(claim: { readonly key: TemplateKey; readonly token: string; readonly reconcileAfterMs: number }) {
    const { key, token, reconcileAfterMs } = claim;
    return this.database.transaction(async (tx) => {
      const row = await lockTemplate(tx, key);
      const { state, attempt_token, reconcile_after, may_exist, definition } = row;
      /** `mayExist`: an earlier request may have created it, so the name may be taken by our own template. */
      const claimed = { kind: 'claimed' as const, definition, mayExist: may_exist };
      // The response to the commit was lost: the claim is still this caller's.
      if (state === 'sending' && attempt_token === token) return claimed;
      if (state === 'sending' || state === 'unknown') {
        // A request has left, or its response was lost; the outcome can be determined from then on.
        const after = reconcile_after?.getTime() ?? 0;
        return { kind: 'open' as const, state, token: attempt_token ?? '', reconcileAfterMs: after };
      }
      if (state !== 'pending') return { kind: 'not_pending' as const, snapshot: snapshotOfTemplate(row) };
      await sql`
        update templates set state = 'sending', attempt_token = ${token}, version = version + 1,
          reconcile_after = ${new Date(reconcileAfterMs)}
        where instance = ${key.instance} and element_name = ${key.elementName}`.execute(tx);
      return claimed;
    });
  }

  /**
   * Records the outcome of an attempt, however late. For an attempt that is not the current one only an acceptance
   * counts.
   */
  recordOutcome(key: TemplateKey, token: string, outcome: TemplateOutcome, nowMs: number): Promise<TemplateSnapshot> {
    return this.#move(key, nowMs, (row) => {
      if (outcome.kind === 'accepted') {
        const { reading, witness } = outcome;
        if (row.state === 'submitted') return readingStep(row, reading, witness, nowMs);
        const submitted = { state: 'submitted' as const, submitted_at: new Date(nowMs), reason: null, ...NO_ATTEMPT };
        const step = readingStep({ ...row, reason: null }, reading, witness, nowMs);
        const detail = { ...present({ templateId: reading.templateId }), ...outcome.detail };
        return {
          ...step,
          changes: [submitted, ...(step.changes ?? [])],
          history: [{ witness, what: 'submitted', detail }, ...(step.history ?? [])],
        };
      }
      if (!isOpenAttempt(row, token)) return {};
      const { code, text } = outcome;
      const said = { code, ...present({ text }) };
      switch (outcome.kind) {
        case 'unknown':
          if (row.state === 'unknown') return {};
          return {
            changes: [{ state: 'unknown', may_exist: true }],
            history: [{ witness: 'response', what: 'lost_response', detail: said }],
          };
        case 'not_accepted':
          // Retried without limit: only the last reason is kept.
          return { changes: [{ state: 'pending', ...NO_ATTEMPT, check_code: code, check_text: text ?? null }] };
        case 'refused': {
          const reason = text ?? code;
          return {
            changes: [{ state: 'refused', reason, may_exist: false }],
            history: [{ witness: 'response', what: 'refused', reason, detail: { ...said, ...outcome.detail } }],
          };
        }
      }
    });
  }

  /** TEMPLATE-3: the gateway does not list the name, or cannot be asked. No effect before the attempt's time has passed. */
  makePending(key: TemplateKey, token: string, why: string, nowMs: number): Promise<TemplateSnapshot> {
    return this.#move(key, nowMs, (row) => {
      const mayStillBeAccepted = (row.reconcile_after?.getTime() ?? 0) > nowMs;
      if (!isOpenAttempt(row, token) || mayStillBeAccepted) return {};
      return {
        changes: [{ state: 'pending', ...NO_ATTEMPT, may_exist: true }],
        history: [{ witness: 'getTemplates', what: why, detail: { attempt: token } }],
      };
    });
  }

  /** TEMPLATE-4: the reading of a poll. A return to an earlier status counts like any other change. */
  recordReading(
    key: TemplateKey,
    poll: Poll & { readonly reading: TemplateReading; readonly witness: string },
  ): Promise<TemplateSnapshot> {
    return this.#move(key, poll.nowMs, (row) => {
      const step = readingStep(row, poll.reading, poll.witness, poll.nowMs);
      return { ...step, notes: { ...pollNotes(poll), ...step.notes } };
    });
  }

  /** A poll failed. */
  async recordFailedReading(
    key: TemplateKey,
    poll: Poll & { readonly code: string; readonly text?: string | undefined },
  ): Promise<void> {
    await this.#move(key, poll.nowMs, () => ({ notes: pollNotes(poll) }));
  }

  /** An operator's decision. @throws AppError TEMPLATE_NOT_FOUND | TEMPLATE_NOT_SUBMITTED */
  setReview(
    key: TemplateKey,
    { status, reason, templateId }: TemplateReview,
    nowMs: number,
  ): Promise<TemplateSnapshot> {
    return this.#move(key, nowMs, (row) => {
      if (row.state !== 'submitted' && row.state !== 'unknown') {
        throw new AppError(
          'TEMPLATE_NOT_SUBMITTED',
          `Template ${key.elementName} of instance ${key.instance} is ${row.state}: the gateway does not have it, so it has no review yet. Submit it: everpost template submit FILE`,
        );
      }
      const isKnown = row.status === status && (reason ?? null) === row.reason && row.state === 'submitted';
      if (isKnown && (templateId === undefined || templateId === row.template_id)) return {};
      const review = {
        state: 'submitted' as const,
        submitted_at: row.submitted_at ?? new Date(nowMs),
        status,
        reason: reason ?? null,
        unwatched_since: null,
        ...(row.status === status ? {} : { status_since: new Date(nowMs) }),
        ...present({ template_id: templateId }),
      };
      return {
        changes: [review],
        history: [{ witness: 'operator', what: 'status', status, ...present({ reason }) }],
      };
    });
  }

  /** Polling has stopped without a decision. */
  endWatch(key: TemplateKey, nowMs: number): Promise<TemplateSnapshot> {
    return this.#move(key, nowMs, (row) => {
      if (row.unwatched_since !== null) return {};
      const changes = [{ unwatched_since: new Date(nowMs), next_check_at: null }];
      return { changes, history: [{ witness: 'workflow', what: 'unwatched' }] };
    });
  }

  /** Whether an unfinished message or campaign depends on the template. */
  async hasDependents({ instance, elementName }: TemplateKey): Promise<boolean> {
    const rows = await this.database.rows(sql`
        select from streams s where s.instance = ${instance} and s.element_name = ${elementName}
          and exists (select from due_messages d where d.stream_id = s.id)
        union all
        select from campaigns c join campaign_accounts a on a.campaign_id = c.id and a.instance = ${instance}
        where a.out_why is distinct from 'removed' and c.state in ('scheduled', 'running', 'paused', 'cancelling')
          and c.content ->> 'elementName' = ${elementName}
        limit 1`);
    return rows.length > 0;
  }

  /** Templates with remaining work, in the order of their keys. */
  async unfinished(page: {
    readonly namespace: string;
    readonly after?: TemplateKey;
    readonly limit: number;
  }): Promise<TemplateInput[]> {
    const { namespace, after = { instance: '', elementName: '' }, limit } = page;
    const rows = await this.database.rows(sql<TemplateRow>`
        select * from templates
        where (namespace is null or namespace = ${namespace}) and state <> 'refused' and unwatched_since is null
          and (state <> 'submitted' or coalesce(status, '') not in ('APPROVED', 'REJECTED', 'FAILED'))
          and (instance, element_name) > (${after.instance}, ${after.elementName})
        order by instance, element_name limit ${limit}`);
    return rows.map(inputOfTemplate);
  }

  /** Creates the row unless it exists; then like {@link #move}. */
  #create(input: TemplateInput, nowMs: number, step: (row: TemplateRow) => Step): Promise<TemplateSnapshot> {
    const { instance, elementName, definition, definitionHash } = input;
    return this.#move(
      input,
      nowMs,
      step,
      sql`
      with created as (
        insert into templates (instance, element_name, definition, definition_hash, state, created_at)
        values (${instance}, ${elementName}, ${jsonText(definition)}, ${definitionHash}, 'pending', ${new Date(nowMs)})
        on conflict (instance, element_name) do nothing returning instance, element_name, created_at
      )
      insert into template_changes (instance, element_name, at, witness, what)
      select instance, element_name, created_at, 'request', 'pending' from created`,
    );
  }

  /** Locks the row, writes what `step` decides, and returns the new state. */
  #move(
    key: TemplateKey,
    nowMs: number,
    step: (row: TemplateRow) => Step,
    before?: RawBuilder<unknown>,
  ): Promise<TemplateSnapshot> {
    return this.database.transaction(async (tx) => {
      await before?.execute(tx);
      const known = await lockTemplate(tx, key);
      const row = await writeStep(tx, known, step(known), nowMs);
      // A sweep ends the rest.
      if (rejectionOf(row) !== undefined) await rejectByTemplate(tx, MOST_REJECTED, nowMs, key);
      return snapshotOfTemplate(row);
    });
  }
}

/** The attempt with this token may have been accepted. */
function isOpenAttempt({ state, attempt_token }: TemplateRow, token: string): boolean {
  return attempt_token === token && (state === 'sending' || state === 'unknown');
}

function pollNotes({ nextCheckAtMs, nowMs, code, text }: Poll & { code?: string; text?: string | undefined }) {
  return {
    checked_at: new Date(nowMs),
    next_check_at: nextCheckAtMs === undefined ? null : new Date(nextCheckAtMs),
    check_code: code ?? null,
    check_text: text ?? null,
  };
}

/** The fields in which two definitions differ, without their texts, which may be private. */
export function templateDifferences(known: TemplateDefinition, given: TemplateDefinition): Problem[] {
  const names = [...new Set([...Object.keys(known), ...Object.keys(given)])] as (keyof TemplateDefinition)[];
  return names
    .filter((name) => canonicalJson(known[name] ?? null) !== canonicalJson(given[name] ?? null))
    .map((name) => {
      if (known[name] === undefined)
        return { path: name, message: 'is new: the template of this name does not have it' };
      if (given[name] === undefined) return { path: name, message: 'is absent: the template of this name has it' };
      return { path: name, message: 'differs from the template of this name' };
    });
}

function templateDiffers({ instance, elementName, definition }: TemplateInput, known: TemplateRow): AppError {
  const problems = templateDifferences(known.definition, definition);
  const fields = problems.map(({ path }) => path).join(', ');
  // `order_ready` → `order_ready_2` → `order_ready_3`
  const [, stem = elementName, number = '1'] = /^(.*)_(\d{1,6})$/.exec(elementName) ?? [];
  const nextName = `${stem}_${Number(number) + 1}`;
  return new AppError(
    'TEMPLATE_DIFFERS',
    `Template ${elementName} of instance ${instance} exists with another definition: ${fields} differ. Submit the changed template under a new elementName, e.g. ${nextName}.`,
    { problems },
  );
}
