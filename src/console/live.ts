/**
 * The parts of pages that change by themselves.
 *
 * LIVE-1 A part is read again at most as often as its page says, while its page is open and visible: the script closes
 *    the stream of a hidden page. Nothing is sent unless it has changed.
 * LIVE-2 Each read is a request of the reader: the stream ends with the session.
 */
import { setTimeout as wait } from 'node:timers/promises';

/** A comment, which browsers ignore. */
const HEARTBEAT = ':\n\n';
/** Shorter than the time after which proxies end a connection without traffic. */
const HEARTBEAT_MS = 20_000;
/** The browser opens a new stream then. */
const LONGEST_MS = 10 * 60_000;

interface Following {
  readonly everyMs: number;
  readonly read: () => Promise<string>;
  /** Called if a read fails. The stream ends then, and the browser opens another one. */
  readonly failed: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Server-sent events with the part's HTML. */
export function streamOf(following: Following): Response {
  const encoder = new TextEncoder();
  const events = partsOf(following);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await events.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => void events.return(undefined),
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' } });
}

async function* partsOf({ everyMs, read, failed, signal }: Following) {
  const endsMs = performance.now() + LONGEST_MS;
  let [shown, sentMs] = ['', 0];
  while (!signal.aborted && performance.now() < endsMs) {
    let part: string;
    try {
      part = await read();
    } catch (error) {
      failed(error);
      return;
    }
    // Every form has a new key each time that it is made.
    const next = part.replaceAll(/name="key" value="[^"]*"/g, '');
    const isDue = performance.now() - sentMs > HEARTBEAT_MS;
    if (next !== shown || isDue) {
      yield next === shown ? HEARTBEAT : `data: ${part.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;
      [shown, sentMs] = [next, performance.now()];
    }
    // Ends early when the reader leaves or the API closes.
    await wait(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
