import type { JsonObject } from '../wire/wire.js';

const RETENTION_MS = 24 * 3_600_000;
const BETWEEN_MS = 20;

export interface Notification {
  /** Its number within the instance, from 1. */
  readonly number: number;
  readonly body: JsonObject;
  readonly createdAtMs: number;
  /** The time until which a fault delays it; 0 without a fault. */
  heldUntilMs: number;
  /** Whether it waits until the next notification has overtaken it. */
  reordered: boolean;
}

/**
 * A fault of the next notifications. `ms` is the delay, or the longest time that a reordered notification waits for the
 * next one. @default 1000
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
 * OUTBOX-1 The first notification is pushed until a push succeeds; no other overtakes it.
 * OUTBOX-2 A failed push is retried after `webhookRetryMs`, one minute by default.
 * OUTBOX-3 Pushes start at least 20 milliseconds apart.
 * OUTBOX-4 A notification expires after 24 hours.
 * OUTBOX-5 Only a notification that a fault delays can be overtaken.
 * OUTBOX-6 Without a webhookUrl notifications wait to be fetched: a fetch returns the first until it is deleted.
 */
export class NotificationOutbox {
  readonly faults: NotificationFault[] = [];
  #waiting: Notification[] = [];
  /** Avoids a scan of all waiting notifications, possibly hundreds of thousands. */
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
    // A reordered notification waits for the next one, which is this one.
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

  /** The next notification and the time to push it; undefined if none waits. */
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

  /** When the next notification that a fault delays can be fetched. */
  nextFreeAtMs(nowMs: number): number | undefined {
    const held = this.#waiting.map(({ heldUntilMs }) => heldUntilMs).filter((untilMs) => untilMs > nowMs);
    return held.length === 0 ? undefined : Math.min(...held);
  }

  /** @returns false if no such notification waits */
  delete(number: number): boolean {
    // It is nearly always the first one. An expired one is not found.
    const at = this.#waiting.findIndex((one) => one.number === number);
    if (at === -1) return false;
    this.#waiting.splice(at, 1);
    return true;
  }

  /** Removes a notification whose push, begun at `startedAtMs`, got a 200. */
  taken(number: number, startedAtMs: number): void {
    this.delete(number);
    this.#nextTryAtMs = startedAtMs + BETWEEN_MS;
  }

  /** Schedules the retry of a push that got another response or none. */
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
