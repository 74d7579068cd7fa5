import type { Campaign, Message } from '../http-client/index.js';
import type { Reader } from './reader.js';
import { time } from './times.js';
import { waitTone, waitWords } from './words.js';

/** Why something waits, until when, and what ends it. */
export function WaitNotice({ reader, waiting }: { reader: Reader; waiting: Campaign['waiting'] | Message['waiting'] }) {
  if (waiting === undefined) return null;
  const { code, until, remedy } = waiting;
  return (
    <div class={`notice ${waitTone(code)}`}>
      <p>
        {waitWords(waiting)}
        {until === undefined ? null : <> It goes on {time(until, reader)}.</>}
      </p>
      {remedy === undefined ? null : <p class="hint">{remedy}</p>}
    </div>
  );
}
