/**
 * The parts of pages that change by themselves.
 *
 * LIVE-1 A part is read again at most as often as its page says, while its page is open and visible: the script closes
 *    the stream of a hidden page. Nothing is sent unless it has changed.
 * LIVE-2 Each read is a request of the reader: the stream ends with the session.
 */
import { setTimeout as wait } from 'node:timers/promises';

/** Shorter than the time after which proxies end a connection without traffic. */
const HEARTBEAT_MS = 20_000;
/** The browser opens a new stream then. */
const LONGEST_MS = 10 * 60_000;

interface Following {
  readonly everyMs: number;
  readonly read: () => Promise<string>;
  readonly signal: AbortSignal;
}

/** Server-sent events with the part's HTML. */
export function streamOf({ everyMs, read, signal }: Following): Response {
  const encoder = new TextEncoder();
  const events = partsOf(everyMs, read, signal);
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

async function* partsOf(everyMs: number, read: () => Promise<string>, signal: AbortSignal) {
  const endsMs = performance.now() + LONGEST_MS;
  let [shown, sentMs] = ['', 0];
  while (!signal.aborted && performance.now() < endsMs) {
    const part = await read();
    if (part !== shown) yield event(part);
    else if (performance.now() - sentMs > HEARTBEAT_MS) yield ':\n\n';
    if (part !== shown || performance.now() - sentMs > HEARTBEAT_MS) [shown, sentMs] = [part, performance.now()];
    // Ends early when the reader leaves or the API closes.
    await wait(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

function event(html: string): string {
  return `data: ${html.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;
}
