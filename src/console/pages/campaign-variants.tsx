import type { Campaign } from '../../http-client/index.js';
import { Action, Pill, Table } from '../elements.js';
import type { Reader } from '../reader.js';
import { number } from '../times.js';
import { waitWords } from '../words.js';

/** What each variant and each account of a campaign has come to. Nothing for a campaign with one of both. */
export function Variants({ reader, campaign }: { reader: Reader; campaign: Campaign }) {
  const { variants, winner, comparison = [], accounts } = campaign;
  return (
    <>
      {variants === undefined ? null : (
        <section aria-labelledby="variants">
          <h2 id="variants">Variants</h2>
          <Table
            name="Variants"
            heads={['Variant', 'Message', '#Recipients', '#Posted', '#Delivered', '#Read', '#Replied', '#Opted out']}
          >
            {variants.map(({ name, content, results }) => (
              <tr>
                <th scope="row">
                  {name} {name === winner ? <Pill tone="good">Winner</Pill> : null}
                </th>
                <td class="text">{'text' in content ? String(content.text) : content.kind}</td>
                <td class="number">{number(results.recipients, reader)}</td>
                <td class="number">{number(results.posted, reader)}</td>
                {(['delivered', 'read', 'replied', 'optedOut'] as const).map((figure) => (
                  <td class="number">{`${(results[figure].share * 100).toFixed(1)} %`}</td>
                ))}
              </tr>
            ))}
          </Table>
          {comparison.map((sentence) => (
            <p class="hint">{sentence}</p>
          ))}
        </section>
      )}
      {accounts.length < 2 ? null : (
        <section aria-labelledby="accounts">
          <h2 id="accounts">Accounts</h2>
          <Table name="Accounts" heads={['Account', '#Waiting', '#Sent', '#Delivered', '#Read', '#Failed', 'Now']}>
            {accounts.map(({ instance, counts, waiting, outText, outWhy }) => (
              <tr>
                <th scope="row">{instance}</th>
                <td class="number">{number(counts.pending, reader)}</td>
                <td class="number">{number(counts.sent, reader)}</td>
                <td class="number">{number(counts.delivered, reader)}</td>
                <td class="number">{number(counts.read, reader)}</td>
                <td class="number">{number(counts.failed + counts.rejected + counts.no_account, reader)}</td>
                <td>
                  {outText ?? outWhy ?? (waiting === undefined ? 'sends' : waitWords(waiting))}
                  {outWhy === 'too_many_failures' && reader.may('send') && (
                    <Action
                      reader={reader}
                      to={`/campaigns/${encodeURIComponent(campaign.id)}/resume`}
                      label="Resume this account"
                      class="button quiet small"
                    >
                      <input type="hidden" name="instance" value={instance} />
                    </Action>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        </section>
      )}
    </>
  );
}
