import { Account } from './account.js';
import { notify } from './notifications.js';
import type { OutgoingItem } from './outgoing-item.js';
import { sendToPhone, sendingTakesMs } from './send-to-phone.js';

const REBOOT_MS = 5000;

/**
 * One account behind the gateway, as a model without input and output. Every call has a time. `nextDueAtMs` and `step`
 * run the due events in order. The same calls at the same times make the same instance.
 */
export class Instance extends Account {
  readonly #sending: { readonly item: OutgoingItem; readonly sentAtMs: number }[] = [];
  readonly #later: { readonly atMs: number; readonly run: (nowMs: number) => void }[] = [];

  /** Whether items leave the queue. */
  get isOpen(): boolean {
    return this.state === 'authorized';
  }

  /** Whether the phone is linked. If so, operations that do not use the queue work. */
  get isLinked(): boolean {
    return this.state === 'authorized' || this.state === 'yellowCard';
  }

  changeState(state: string, nowMs: number): void {
    if (state === this.state) return;
    this.state = state;
    const [idInstance, wid] = [Number(this.idInstance), state === 'notAuthorized' ? '' : this.wid];
    // An unlinked account has no chat id.
    const instanceData = { idInstance, wid, typeInstance: 'whatsapp' };
    notify(this, 'stateInstanceChanged', 'stateWebhook', { instanceData, stateInstance: state }, nowMs);
    this.changeOnlineStatus(this.isLinked ? 'online' : 'offline', nowMs);
  }

  changeOnlineStatus(status: string, nowMs: number): void {
    if (status === this.statusInstance) return;
    this.statusInstance = status;
    // Either setting switches these notifications on.
    const setting = this.settings.stateWebhook === 'no' ? 'statusInstanceWebhook' : 'stateWebhook';
    notify(this, 'statusInstanceChanged', setting, { statusInstance: status }, nowMs);
  }

  /** Restarts the instance, which is authorized after five seconds. The queue is kept. */
  reboot(nowMs: number): void {
    this.changeState('starting', nowMs);
    this.schedule(nowMs + REBOOT_MS, (atMs) => {
      if (this.state === 'starting') this.changeState('authorized', atMs);
    });
  }

  schedule(atMs: number, run: (nowMs: number) => void): void {
    this.#later.push({ atMs, run });
  }

  /** The time of the earliest event, except notifications; never before `nowMs`. */
  nextDueAtMs(nowMs: number): number | undefined {
    const due = this.#nextEvent();
    return due === undefined ? undefined : Math.max(due.atMs, nowMs);
  }

  /** Runs the earliest event. */
  step(nowMs: number): void {
    this.#nextEvent()?.run(nowMs);
  }

  #nextEvent(): { readonly atMs: number; run(nowMs: number): void } | undefined {
    const events: { readonly atMs: number; run(nowMs: number): void }[] = [];
    const sending = this.#sending[0];
    if (sending !== undefined) events.push({ atMs: sending.sentAtMs, run: (nowMs) => this.#finishSending(nowMs) });
    const later = this.#later.toSorted((a, b) => a.atMs - b.atMs)[0];
    if (later !== undefined) events.push({ atMs: later.atMs, run: (nowMs) => this.#runLater(later, nowMs) });
    const expiryAtMs = this.queue.nextExpiryAtMs();
    if (expiryAtMs !== undefined) {
      events.push({ atMs: expiryAtMs, run: (nowMs) => this.queue.dropExpired(nowMs) });
    }
    const releaseAtMs = this.isOpen
      ? this.queue.nextReleaseAtMs(this.settings.delaySendMessagesMilliseconds)
      : undefined;
    if (releaseAtMs !== undefined) events.push({ atMs: releaseAtMs, run: (nowMs) => this.#release(nowMs) });
    // For events at the same time, the order of this list decides: a file arrives before the next item leaves.
    return events.toSorted((a, b) => a.atMs - b.atMs)[0];
  }

  #release(nowMs: number): void {
    const item = this.queue.release(nowMs, sendingTakesMs);
    this.#sending.push({ item, sentAtMs: nowMs + sendingTakesMs(item) });
    const { content, chatId } = item;
    if (content.kind === 'typing') {
      const { typingType, typingMs } = content;
      this.typingShown.push({ chatId, typingType, fromMs: nowMs, untilMs: nowMs + typingMs });
    }
  }

  #finishSending(nowMs: number): void {
    const sending = this.#sending.shift();
    if (sending !== undefined) sendToPhone(this, sending.item, nowMs);
  }

  #runLater(later: { readonly run: (nowMs: number) => void }, nowMs: number): void {
    this.#later.splice(
      this.#later.findIndex((one) => one === later),
      1,
    );
    later.run(nowMs);
  }
}
