import type { JsonObject } from './json.js';

const RETENTION_MS = 24 * 3_600_000;
const BETWEEN_MS = 20;

export interface Notification {
  /** Number within the instance, from 1. */
  readonly number: number;
  readonly body: JsonObject;
  readonly createdAtMs: number;
  /** Held back until then by a fault; 0 normally. */
  heldUntilMs: number;
  /** Waits for the next notification to pass it. */
  reordered: boolean;
}

/**
 * What goes wrong with the next notifications.
 * `ms`: how long a delayed one is held, or a reordered one waits at most to be passed. @default 1000
 */
export interface NotificationFault {
  readonly typeWebhook?: string;
  readonly kind: 'drop' | 'double' | 'delay' | 'reorder';
  readonly ms?: number;
  times: number;
}

/**
 * Notifications on their way to the client, in order.
 *
 * OUTBOX-1 The first one is tried until it is taken; nothing overtakes it.
 * OUTBOX-2 After a failed try the next comes one minute later.
 * OUTBOX-3 Twenty milliseconds lie between two tries.
 * OUTBOX-4 After 24 hours a notification is given up.
 * OUTBOX-5 Only what a fault holds back lets others pass.
 * OUTBOX-6 Without an address they wait to be fetched: the first one, again and again, until it is deleted.
 */
export class NotificationOutbox {
  readonly faults: NotificationFault[] = [];
  #waiting: Notification[] = [];
  /** Spares reading all that wait, which may be hundreds of thousands. */
  #mayHoldReordered = false;
  #lastNumber = 0;
  #nextTryAtMs = 0;

  get waiting(): readonly Notification[] {
    return this.#waiting;
  }

  add(body: JsonObject, nowMs: number): void {
    this.#dropExpired(nowMs);
    const fault = this.faults.find(
      ({ typeWebhook, times }) => times > 0 && (typeWebhook === undefined || typeWebhook === body['typeWebhook']),
    );
    if (fault !== undefined) fault.times -= 1;
    // A reordered one waits for whatever comes next; this is that next one.
    const passed = this.#mayHoldReordered ? this.#waiting.filter(({ reordered }) => reordered) : [];
    if (fault?.kind === 'drop') return;
    const notification = this.#append(body, nowMs);
    if (fault?.kind === 'double') this.#append(body, nowMs);
    if (fault?.kind === 'delay' || fault?.kind === 'reorder') notification.heldUntilMs = nowMs + (fault.ms ?? 1000);
    notification.reordered = fault?.kind === 'reorder';
    this.#mayHoldReordered = notification.reordered;
    if (passed.length === 0) return;
    this.#waiting = [...this.#waiting.filter((one) => !passed.includes(one)), ...passed];
    for (const one of passed) Object.assign(one, { heldUntilMs: 0, reordered: false });
  }

  /** The notification whose turn it is and when it is to be tried; `undefined` when nothing waits. */
  next(nowMs: number): { readonly notification: Notification; readonly atMs: number } | undefined {
    this.#dropExpired(nowMs);
    const free = this.#waiting.find(({ heldUntilMs }) => heldUntilMs <= nowMs);
    const notification = free ?? this.#soonestHeld();
    if (notification === undefined) return undefined;
    const atMs = Math.max(notification.createdAtMs, notification.heldUntilMs, this.#nextTryAtMs);
    return { notification, atMs };
  }

  /** The notification that a fetch returns. */
  first(nowMs: number): Notification | undefined {
    this.#dropExpired(nowMs);
    return this.#waiting.find(({ heldUntilMs }) => heldUntilMs <= nowMs);
  }

  /** When the next that a fault holds back can be fetched. */
  nextFreeAtMs(nowMs: number): number | undefined {
    const held = this.#waiting.map(({ heldUntilMs }) => heldUntilMs).filter((untilMs) => untilMs > nowMs);
    return held.length === 0 ? undefined : Math.min(...held);
  }

  /** @returns false when it is not there any more, or never was */
  delete(number: number): boolean {
    // Nearly always the first; one that was given up meanwhile is not there.
    const at = this.#waiting.findIndex((one) => one.number === number);
    if (at === -1) return false;
    this.#waiting.splice(at, 1);
    return true;
  }

  /** The client's server answered exactly 200 to a try that began then. */
  taken(number: number, startedAtMs: number): void {
    this.delete(number);
    this.#nextTryAtMs = startedAtMs + BETWEEN_MS;
  }

  /** Any other response, or none. */
  retryAt(timeMs: number): void {
    this.#nextTryAtMs = timeMs;
  }

  #dropExpired(nowMs: number): void {
    const [oldest] = this.#waiting;
    if (oldest === undefined || oldest.createdAtMs + RETENTION_MS > nowMs) return;
    this.#waiting = this.#waiting.filter(({ createdAtMs }) => createdAtMs + RETENTION_MS > nowMs);
  }

  #append(body: JsonObject, nowMs: number): Notification {
    this.#lastNumber += 1;
    const notification = { number: this.#lastNumber, body, createdAtMs: nowMs, heldUntilMs: 0, reordered: false };
    this.#waiting.push(notification);
    return notification;
  }

  #soonestHeld(): Notification | undefined {
    return this.#waiting.toSorted((a, b) => a.heldUntilMs - b.heldUntilMs)[0];
  }
}
