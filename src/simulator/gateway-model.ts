import { createHash } from 'node:crypto';
import { CONTROLS, type ControlName } from './controls.js';
import type { InstanceStart, World } from './account/account.js';
import { Instance } from './account/instance.js';
import { type Json, type JsonObject, WireError } from './wire/wire.js';
import type { Notification } from './account/notification-outbox.js';
import type { OperationRequest } from './operations/operation.js';
import { OPERATIONS } from './operations/operations.js';
import { Phones } from './account/phones.js';
import type { Settings } from './account/settings.js';

/** The options that a simulator was started with. */
export interface StartState extends InstanceStart {
  /** The instance that exists from the start. The first request to another one creates it. */
  readonly idInstance: string;
  /** Settings of this instance only. */
  readonly settings: Partial<Settings>;
}

/** An input that changes the model. It is stored, and replayed after a restart. */
export type Command =
  | ({ readonly do: 'start' } & StartState)
  | { readonly do: 'call'; readonly idInstance: string; readonly operation: string; readonly request: OperationRequest }
  | {
      readonly do: 'call-later';
      readonly afterMs: number;
      readonly idInstance: string;
      readonly operation: string;
      readonly request: OperationRequest;
    }
  | { readonly do: 'control'; readonly control: ControlName; readonly idInstance: string; readonly given: JsonObject }
  | {
      readonly do: 'notified';
      readonly idInstance: string;
      readonly number: number;
      readonly taken: boolean;
      readonly startedAtMs: number;
    }
  /** Only advances the time. */
  | { readonly do: 'wait' };

/**
 * The gateway as a discrete-event model, without input, output and clock.
 *
 * MODEL-1 Each command has a time. All events due until that time happen first, in order.
 * MODEL-2 The same commands at the same times make the same model, ids included. So only the log of commands is stored.
 */
export class GatewayModel {
  readonly #seed: string;
  readonly #instances = new Map<string, Instance>();
  readonly #world: World;
  #start: InstanceStart = { apiTokenInstance: '', rateLimits: true, webhookRetryMs: 60_000 };
  #nowMs = 0;

  /** @param seed  makes ids unique to a simulator, and equal in a replay */
  constructor(seed: string) {
    this.#seed = seed;
    this.#world = { phones: new Phones(), files: new Map() };
  }

  get phones(): Phones {
    return this.#world.phones;
  }

  get instances(): readonly Instance[] {
    return [...this.#instances.values()];
  }

  instance(idInstance: string): Instance {
    const known = this.#instances.get(idInstance);
    if (known !== undefined) return known;
    const created = new Instance(idInstance, this.#world, this.#start);
    this.#instances.set(idInstance, created);
    return created;
  }

  /** The time of the earliest event, except notifications, which the pusher sends. */
  nextDueAtMs(): number | undefined {
    return this.#next()?.atMs;
  }

  /** Runs all events due until `timeMs`, each at its own time. */
  runUntil(timeMs: number): void {
    for (let next = this.#next(); next !== undefined && next.atMs <= timeMs; next = this.#next()) {
      this.#nowMs = next.atMs;
      next.instance.step(next.atMs);
    }
    this.#nowMs = Math.max(this.#nowMs, timeMs);
  }

  /** When the next notification that a fault delays can be fetched. */
  nextFreeAtMs(): number | undefined {
    const fetched = [...this.#instances.values()].filter(({ settings }) => settings.webhookUrl === '');
    const times = fetched.map(({ outbox }) => outbox.nextFreeAtMs(this.#nowMs)).filter((at) => at !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** The notification that an instance pushes next, and when; undefined without a webhookUrl. */
  nextNotification(instance: Instance): { readonly notification: Notification; readonly atMs: number } | undefined {
    return instance.settings.webhookUrl === '' ? undefined : instance.outbox.next(this.#nowMs);
  }

  /**
   * @param number  the number of the command in its log, from which its new ids are derived
   * @returns the response; undefined for an empty body
   * @throws WireError an error response of the gateway
   */
  apply(command: Command, atMs: number, number: number): Json | undefined {
    this.runUntil(atMs);
    const newId = this.#idMaker(number);
    switch (command.do) {
      case 'start': {
        const { idInstance, settings, apiTokenInstance, rateLimits, webhookRetryMs } = command;
        this.#start = { apiTokenInstance, rateLimits, webhookRetryMs };
        const instance = this.instance(idInstance);
        Object.assign(instance, this.#start);
        Object.assign(instance.settings, settings);
        return undefined;
      }
      case 'call':
        return this.call(command.idInstance, command.operation, command.request, newId);
      case 'call-later': {
        const { idInstance, operation, request, afterMs } = command;
        const run = (): void => this.#callUnheard(idInstance, operation, request, newId);
        this.instance(idInstance).schedule(atMs + afterMs, run);
        return undefined;
      }
      case 'control': {
        const context = { nowMs: this.#nowMs, newId, instance: (id: string) => this.instance(id), model: this };
        return CONTROLS[command.control](command.idInstance, command.given, { ...context, world: this.#world });
      }
      case 'notified': {
        const { idInstance, number: notification, taken, startedAtMs } = command;
        const { outbox, webhookRetryMs } = this.instance(idInstance);
        if (taken) outbox.taken(notification, startedAtMs);
        else outbox.retryAt(this.#nowMs + webhookRetryMs);
        return undefined;
      }
      case 'wait':
        return undefined;
    }
  }

  /** Runs one operation. An operation that changes nothing needs no command. */
  call(idInstance: string, name: string, request: OperationRequest, newId?: () => string): Json | undefined {
    const operation = OPERATIONS[name];
    if (operation === undefined) throw new WireError(404, 'Not Found');
    const instance = this.instance(idInstance);
    if (operation.needsPhone === true && !instance.isLinked) {
      throw new WireError(400, 'instance is starting or account not authorized');
    }
    const noIds = (): never => {
      throw new Error(`operation ${name} changes nothing and makes no ids`);
    };
    return operation.run(request, { instance, nowMs: this.#nowMs, newId: newId ?? noIds });
  }

  /** Runs a request whose caller has disconnected, so that a refusal is lost. */
  #callUnheard(idInstance: string, name: string, request: OperationRequest, newId: () => string): void {
    try {
      this.call(idInstance, name, request, newId);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
    }
  }

  #next(): { readonly atMs: number; readonly instance: Instance } | undefined {
    let first: { readonly atMs: number; readonly instance: Instance } | undefined;
    for (const instance of this.#instances.values()) {
      const atMs = instance.nextDueAtMs(this.#nowMs);
      if (atMs !== undefined && (first === undefined || atMs < first.atMs)) first = { atMs, instance };
    }
    return first;
  }

  #idMaker(command: number): () => string {
    let made = 0;
    return () => {
      made += 1;
      const hash = createHash('sha256').update(`${this.#seed}:${command}:${made}`).digest('hex');
      return `3EB0${hash.slice(0, 16).toUpperCase()}`;
    };
  }
}
