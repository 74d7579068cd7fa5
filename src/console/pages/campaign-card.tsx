import type { Campaign } from '../../http-client/index.js';
import { Bar, Pill } from '../elements.js';
import type { Reader } from '../reader.js';
import { time, counted, number } from '../times.js';
import { CAMPAIGN_WORDS, MESSAGE_WORDS, waitWords, type Tone } from '../words.js';

/** A campaign in a few lines: state, progress, and when it ends or why not. */
export function CampaignCard({ reader, campaign }: { reader: Reader; campaign: Campaign }) {
  const { id, name, state, done, audience, donePercent, waiting } = campaign;
  return (
    <article class="card">
      <h3>
        <a href={`/campaigns/${encodeURIComponent(id)}`}>{name ?? id}</a>
      </h3>
      <Pill tone={CAMPAIGN_WORDS[state].tone}>{CAMPAIGN_WORDS[state].label}</Pill>
      <CampaignBar campaign={campaign} />
      <p>
        {number(done, reader)} of {counted(audience, 'recipient', reader)} ({donePercent} %)
      </p>
      <p class="quiet-text">
        {waiting === undefined ? <Eta reader={reader} campaign={campaign} /> : waitWords(waiting)}
      </p>
    </article>
  );
}

const TONES: readonly Tone[] = ['good', 'busy', 'bad', 'quiet'];

/** The recipients by what became of them; those that wait are the rest of the bar. */
export function CampaignBar({ campaign: { counts, audience, donePercent } }: { campaign: Campaign }) {
  const states = Object.entries(MESSAGE_WORDS).filter(([state]) => state !== 'pending');
  const parts = TONES.map((tone) => ({
    tone,
    count: states
      .filter(([, words]) => words.tone === tone || (tone === 'busy' && words.tone === 'wait'))
      .reduce((sum, [state]) => sum + counts[state as keyof typeof counts], 0),
  }));
  return <Bar label={`${donePercent} % done`} total={audience} parts={parts} />;
}

/** When the last message leaves, or why that is not known. */
export function Eta({ reader, campaign }: { reader: Reader; campaign: Campaign }) {
  const { etaAt, etaUnknown, willExpire, endedAt, startAt, state } = campaign;
  if (endedAt !== undefined) {
    return <>Ended {time(endedAt, reader)}</>;
  }
  if (state === 'scheduled' && startAt !== undefined) {
    return <>Starts {time(startAt, reader)}</>;
  }
  if (etaUnknown === 'RECEIPTS') return <>Every message is posted</>;
  if (etaAt === undefined) return <>{etaUnknown === undefined ? 'Not started' : 'The end is not known yet'}</>;
  return (
    <>
      The last message leaves about {time(etaAt, reader)}
      {willExpire === undefined ? '' : `; ${counted(willExpire, 'recipient', reader)} will be too late`}
    </>
  );
}
