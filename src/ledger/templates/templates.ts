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
import { sql } from 'kysely';
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
import type { ListFilter } from '../storage/pages.js';
import { jsonText } from '../storage/statements.js';
import { LedgerPart, type Tx } from '../storage/store.js';
import { MOST_REJECTED, rejectByTemplate, rejectionOf } from './template-messages.js';
import {
  acceptTemplate,
  takeReading,
  addChange,
  changesOf,
  changeTemplate,
  type ClaimTemplate,
  type ClaimTemplateResult,
  inputOfTemplate,
  listTemplates,
  lockTemplate,
  noteOfTemplate,
  readTemplate,
  snapshotOfTemplate,
  type TemplateListItem,
  type TemplateOutcome,
  type TemplateReading,
  type TemplateRow,
  type TemplateView,
  type UnfinishedTemplates,
  unknownTemplate,
  viewOfTemplate,
} from './template-row.js';

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
    return this.database.transaction(async (tx) => {
      const row = await insert(tx, input, nowMs);
      const isSame = row.definition_hash === input.definitionHash;
      if (row.state === 'refused') {
        // No template with this name exists: the requested one is the first.
        await changeTemplate(tx, input, {
          state: 'pending',
          definition: jsonText(input.definition),
          definition_hash: input.definitionHash,
          reason: null,
          attempt_token: null,
          reconcile_after: null,
        });
        await addChange(tx, input, { witness: 'request', what: isSame ? 'asked_again' : 'corrected', nowMs });
      } else if (!isSame) {
        throw templateDiffers(input, templateDifferences(row.definition, input.definition));
      } else if (row.unwatched_since !== null) {
        await changeTemplate(tx, input, { unwatched_since: null });
        await addChange(tx, input, { witness: 'request', what: 'watched_again', nowMs });
      }
      return snapshotOfTemplate((await readTemplate(tx, input)) ?? unknownTemplate(input));
    });
  }

  /** Writes the row unless it exists, and records the run's namespace. @throws AppError TEMPLATE_DIFFERS */
  open(input: TemplateInput, namespace: string, nowMs: number): Promise<TemplateSnapshot> {
    return this.database.transaction(async (tx) => {
      const row = await insert(tx, input, nowMs);
      if (row.definition_hash !== input.definitionHash && row.state !== 'refused') {
        throw templateDiffers(input, templateDifferences(row.definition, input.definition));
      }
      if (row.namespace !== namespace) await noteOfTemplate(tx, input, { namespace });
      return snapshotOfTemplate(row);
    });
  }

  async snapshot(key: TemplateKey): Promise<TemplateSnapshot | undefined> {
    const row = await this.database.run((db) => readTemplate(db, key));
    return row && snapshotOfTemplate(row);
  }

  view(key: TemplateKey): Promise<TemplateView | undefined> {
    return this.database.run(async (db) => {
      const row = await readTemplate(db, key);
      return row && viewOfTemplate(row, await changesOf(db, key));
    });
  }

  /** By instance and name. @throws AppError INPUT_INVALID (the cursor) */
  list(filter: ListFilter): Promise<{ items: TemplateListItem[]; cursor?: string }> {
    return this.database.run((db) => listTemplates(db, filter));
  }

  /** By name or, with `templateId`, by the gateway's id. */
  async find(
    instance: string,
    { elementName, templateId }: { readonly elementName?: string; readonly templateId?: string },
  ): Promise<TemplateView | undefined> {
    if (elementName !== undefined) return this.view({ instance, elementName });
    const row = await this.database.run((db) =>
      db
        .selectFrom('templates')
        .select('element_name')
        .where('instance', '=', instance)
        .where('template_id', '=', templateId ?? '')
        .executeTakeFirst(),
    );
    return row && this.view({ instance, elementName: row.element_name });
  }

  /** The input of its run. */
  async inputOf(key: TemplateKey): Promise<TemplateInput | undefined> {
    const row = await this.database.run((db) => readTemplate(db, key));
    return row && inputOfTemplate(row);
  }

  /** Takes the right to post once: compare-and-set from `pending` to `sending`. Durable when this returns. */
  claim({ key, token, reconcileAfterMs }: ClaimTemplate): Promise<ClaimTemplateResult> {
    return this.database.transaction(async (tx): Promise<ClaimTemplateResult> => {
      const row = await lockTemplate(tx, key);
      const { state, attempt_token, reconcile_after, may_exist: mayExist, definition } = row;
      // The response to the commit was lost: the claim is still this caller's.
      if (state === 'sending' && attempt_token === token) return { kind: 'claimed', definition, mayExist };
      if (state === 'sending' || state === 'unknown') {
        return { kind: 'open', state, token: attempt_token ?? '', reconcileAfterMs: reconcile_after?.getTime() ?? 0 };
      }
      if (state !== 'pending') return { kind: 'not_pending', snapshot: snapshotOfTemplate(row) };
      await changeTemplate(tx, key, {
        state: 'sending',
        attempt_token: token,
        reconcile_after: new Date(reconcileAfterMs),
      });
      return { kind: 'claimed', definition, mayExist };
    });
  }

  /**
   * Records the outcome of an attempt, however late. For an attempt that is not the current one only an acceptance
   * counts.
   */
  recordOutcome(key: TemplateKey, token: string, outcome: TemplateOutcome, nowMs: number): Promise<TemplateSnapshot> {
    return this.#move(key, nowMs, async (tx, row) => {
      if (outcome.kind === 'accepted') return acceptTemplate(tx, key, row, outcome, nowMs);
      if (row.attempt_token !== token || (row.state !== 'sending' && row.state !== 'unknown')) return;
      const { code, text } = outcome;
      const said = { code, ...present({ text }) };
      switch (outcome.kind) {
        case 'unknown':
          if (row.state === 'unknown') return;
          await changeTemplate(tx, key, { state: 'unknown', may_exist: true });
          return addChange(tx, key, { witness: 'response', what: 'lost_response', detail: said, nowMs });
        case 'not_accepted':
          // Retried without limit: only the last reason is kept.
          return changeTemplate(tx, key, {
            state: 'pending',
            attempt_token: null,
            reconcile_after: null,
            check_code: code,
            check_text: text ?? null,
          });
        case 'refused': {
          const reason = text ?? code;
          await changeTemplate(tx, key, { state: 'refused', reason, may_exist: false });
          const detail = { ...said, ...outcome.detail };
          return addChange(tx, key, { witness: 'response', what: 'refused', reason, detail, nowMs });
        }
      }
    });
  }

  /** TEMPLATE-3: the gateway does not list the name, or cannot be asked. No effect before the attempt's time has passed. */
  makePending(key: TemplateKey, token: string, why: string, nowMs: number): Promise<TemplateSnapshot> {
    return this.#move(key, nowMs, async (tx, row) => {
      if (row.attempt_token !== token || (row.state !== 'sending' && row.state !== 'unknown')) return;
      if (row.reconcile_after !== null && row.reconcile_after.getTime() > nowMs) return;
      await changeTemplate(tx, key, { state: 'pending', attempt_token: null, reconcile_after: null, may_exist: true });
      await addChange(tx, key, { witness: 'getTemplates', what: why, detail: { attempt: token }, nowMs });
    });
  }

  /** TEMPLATE-4: the reading of a poll. A return to an earlier status counts like any other change. */
  recordReading(
    key: TemplateKey,
    poll: {
      readonly reading: TemplateReading;
      readonly witness: string;
      readonly nextCheckAtMs?: number | undefined;
      readonly nowMs: number;
    },
  ): Promise<TemplateSnapshot> {
    const { reading, witness, nextCheckAtMs, nowMs } = poll;
    return this.#move(key, nowMs, async (tx, row) => {
      await noteOfTemplate(tx, key, {
        checked_at: new Date(nowMs),
        next_check_at: nextCheckAtMs === undefined ? null : new Date(nextCheckAtMs),
        check_code: null,
        check_text: null,
      });
      await takeReading(tx, key, row, reading, witness, nowMs);
    });
  }

  /** A poll failed. */
  async recordFailedReading(
    key: TemplateKey,
    poll: {
      readonly code: string;
      readonly text?: string | undefined;
      readonly nextCheckAtMs: number;
      readonly nowMs: number;
    },
  ): Promise<void> {
    const { code, text, nextCheckAtMs, nowMs } = poll;
    await this.database.run((db) =>
      noteOfTemplate(db, key, {
        checked_at: new Date(nowMs),
        next_check_at: new Date(nextCheckAtMs),
        check_code: code,
        check_text: text ?? null,
      }),
    );
  }

  /** An operator's decision. @throws AppError TEMPLATE_NOT_FOUND | TEMPLATE_NOT_SUBMITTED */
  setReview(
    key: TemplateKey,
    { status, reason, templateId }: TemplateReview,
    nowMs: number,
  ): Promise<TemplateSnapshot> {
    return this.#move(key, nowMs, async (tx, row) => {
      if (row.state !== 'submitted' && row.state !== 'unknown') {
        throw new AppError(
          'TEMPLATE_NOT_SUBMITTED',
          `Template ${key.elementName} of instance ${key.instance} is ${row.state}: the gateway does not have it, so it has no review yet. Submit it: everpost template submit FILE`,
        );
      }
      const isKnown = row.status === status && (reason ?? null) === row.reason && row.state === 'submitted';
      if (isKnown && (templateId === undefined || templateId === row.template_id)) return;
      await changeTemplate(tx, key, {
        state: 'submitted',
        submitted_at: row.submitted_at ?? new Date(nowMs),
        status,
        reason: reason ?? null,
        unwatched_since: null,
        ...(row.status === status ? {} : { status_since: new Date(nowMs) }),
        ...present({ template_id: templateId }),
      });
      const said = { status, ...present({ reason }) };
      await addChange(tx, key, { witness: 'operator', what: 'status', ...said, nowMs });
    });
  }

  /** Polling has stopped without a decision. */
  endWatch(key: TemplateKey, nowMs: number): Promise<TemplateSnapshot> {
    return this.#move(key, nowMs, async (tx, row) => {
      if (row.unwatched_since !== null) return;
      await changeTemplate(tx, key, { unwatched_since: new Date(nowMs), next_check_at: null });
      await addChange(tx, key, { witness: 'workflow', what: 'unwatched', nowMs });
    });
  }

  /** Whether an unfinished message or campaign depends on the template. */
  async hasDependents({ instance, elementName }: TemplateKey): Promise<boolean> {
    const named = (content: string) => sql<boolean>`${sql.ref(content)} ->> 'elementName' = ${elementName}`;
    const rows = await this.database.rows(sql`
        select from streams s where s.instance = ${instance} and s.element_name = ${elementName}
          and exists (select from due_messages d where d.stream_id = s.id)
        union all
        select from campaigns c where c.instance = ${instance} and c.state in ('scheduled', 'running', 'paused', 'cancelling')
          and ${named('c.content')}
        limit 1`);
    return rows.length > 0;
  }

  /** Templates with remaining work, in the order of their keys. */
  async unfinished({ namespace, after, limit }: UnfinishedTemplates): Promise<TemplateInput[]> {
    const rows = await this.database.run((db) =>
      db
        .selectFrom('templates')
        .selectAll()
        .where(({ or, eb }) => or([eb('namespace', 'is', null), eb('namespace', '=', namespace)]))
        .where('state', '!=', 'refused')
        .where('unwatched_since', 'is', null)
        .where(sql<boolean>`(state <> 'submitted' or coalesce(status, '') not in ('APPROVED', 'REJECTED', 'FAILED'))`)
        .where(sql<boolean>`(instance, element_name) > (${after?.instance ?? ''}, ${after?.elementName ?? ''})`)
        .orderBy('instance')
        .orderBy('element_name')
        .limit(limit)
        .execute(),
    );
    return rows.map(inputOfTemplate);
  }

  /** Locks the row, lets `step` change it or not, and returns its new state. */
  #move(key: TemplateKey, nowMs: number, step: (tx: Tx, row: TemplateRow) => Promise<void>): Promise<TemplateSnapshot> {
    return this.database.transaction(async (tx) => {
      await step(tx, await lockTemplate(tx, key));
      const row = (await readTemplate(tx, key)) ?? unknownTemplate(key);
      // A sweep ends the rest.
      if (rejectionOf(row) !== undefined) await rejectByTemplate(tx, MOST_REJECTED, nowMs, key);
      return snapshotOfTemplate(row);
    });
  }
}

/** Creates the row unless it exists, and locks it. */
async function insert(tx: Tx, input: TemplateInput, nowMs: number): Promise<TemplateRow> {
  const inserted = await tx
    .insertInto('templates')
    .values({
      instance: input.instance,
      element_name: input.elementName,
      definition: jsonText(input.definition),
      definition_hash: input.definitionHash,
      state: 'pending',
      created_at: new Date(nowMs),
    })
    .onConflict((conflict) => conflict.columns(['instance', 'element_name']).doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 1n) {
    await addChange(tx, input, { witness: 'request', what: 'pending', nowMs });
  }
  return lockTemplate(tx, input);
}

/** The fields in which two definitions differ, without their texts, which may be private. */
export function templateDifferences(known: TemplateDefinition, given: TemplateDefinition): Problem[] {
  const names = [...new Set([...Object.keys(known), ...Object.keys(given)])] as (keyof TemplateDefinition)[];
  return names
    .filter((name) => canonicalJson(known[name] ?? null) !== canonicalJson(given[name] ?? null))
    .map((name) => ({ path: name, message: differs(known[name], given[name]) }));
}

function differs(known: unknown, given: unknown): string {
  if (known === undefined) return 'is new: the template of this name does not have it';
  if (given === undefined) return 'is absent: the template of this name has it';
  return 'differs from the template of this name';
}

function templateDiffers({ instance, elementName }: TemplateKey, problems: readonly Problem[]): AppError {
  const fields = problems.map(({ path }) => path).join(', ');
  return new AppError(
    'TEMPLATE_DIFFERS',
    `Template ${elementName} of instance ${instance} exists with another definition: ${fields} differ. Submit the changed template under a new elementName, e.g. ${nextName(elementName)}.`,
    { problems },
  );
}

/** `order_ready` → `order_ready_2` → `order_ready_3`. */
function nextName(elementName: string): string {
  const [, stem = elementName, number] = /^(.*)_(\d{1,6})$/.exec(elementName) ?? [];
  return `${stem}_${Number(number ?? 1) + 1}`;
}
