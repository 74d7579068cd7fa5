import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from 'hono';
import type { Finding } from '../../http-client/index.js';
import { Pill, Table } from '../elements.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { ago, counted } from '../times.js';
import type { Tone } from '../words.js';

/** The API keeps findings for some seconds, and asks a gateway once a minute. */
const EVERY_MS = 60_000;
/** A first examination takes seconds: then the page comes before it, and the live part brings it. */
const PROMPT_MS = 150;

/** What the doctor finds, for the whole installation and for one account. */
export function findingPages(pages: Pages): void {
  for (const path of ['/findings', '/instances/:name/findings']) {
    const read = async (c: Context, { api }: Reader) =>
      (await api.listFindings({ query: { instance: c.req.param('name') } })).items;
    pages.show(
      path,
      async (c, reader) => {
        const name = c.req.param('name');
        const title = name === undefined ? 'Examination' : `Examination of ${name}`;
        const isPatient = c.req.query('wait') !== undefined;
        const findings = await Promise.race([
          read(c, reader),
          ...(isPatient ? [] : [delay(PROMPT_MS, undefined, { ref: false })]),
        ]);
        return c.html(
          <Page title={title} reader={reader} at="/instances">
            <p class="path">
              <a href="/instances">Accounts</a>
              {name === undefined ? null : (
                <>
                  {' / '}
                  <a href={`/instances/${encodeURIComponent(name)}`}>{name}</a>
                </>
              )}
            </p>
            <h1>{title}</h1>
            <div data-live>
              {findings === undefined ? (
                <p>
                  The examination takes some seconds.{' '}
                  <a class="button quiet" href={`${c.req.path}?wait=yes`}>
                    Wait for it
                  </a>
                </p>
              ) : (
                <Findings reader={reader} findings={findings} />
              )}
            </div>
          </Page>,
        );
      },
      {
        everyMs: EVERY_MS,
        render: async (c, reader) => <Findings reader={reader} findings={await read(c, reader)} />,
      },
    );
  }
}

const VERDICTS: Readonly<Record<Finding['verdict'], readonly [label: string, tone: Tone]>> = {
  broken: ['Broken', 'bad'],
  unknown: ['Not checked', 'wait'],
  advice: ['Advice', 'busy'],
  ok: ['Fine', 'good'],
};

function Findings({ reader, findings }: { reader: Reader; findings: readonly Finding[] }) {
  const order = Object.keys(VERDICTS);
  const bad = findings
    .filter(({ verdict }) => verdict !== 'ok')
    .toSorted((one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict));
  const fine = findings.filter(({ verdict }) => verdict === 'ok');
  return (
    <>
      {bad.length === 0 ? (
        <p class="notice good">Nothing is wrong.</p>
      ) : (
        <FindingTable name="What was found" reader={reader} findings={bad} />
      )}
      {fine.length === 0 ? null : (
        <details class="evidence">
          <summary>{`${counted(fine.length, 'check', reader)} found nothing wrong`}</summary>
          <FindingTable name="What is fine" reader={reader} findings={fine} />
        </details>
      )}
    </>
  );
}

function FindingTable({ name, reader, findings }: { name: string; reader: Reader; findings: readonly Finding[] }) {
  return (
    <Table name={name} heads={['Verdict', 'Part', 'What was found, and what to do', 'Checked']}>
      {findings.map(({ verdict, subject, found, remedy, at }) => {
        const [label, tone] = VERDICTS[verdict];
        return (
          <tr>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
            <th scope="row">{subject}</th>
            <td class="whole">
              {found}
              {remedy === undefined ? null : <p class="hint">{remedy}</p>}
            </td>
            <td>{ago(at, reader)}</td>
          </tr>
        );
      })}
    </Table>
  );
}
