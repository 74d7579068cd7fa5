import { Table } from '../elements.js';
import type { Reader } from '../reader.js';
import { number } from '../times.js';

interface RemedyTableProps {
  readonly reader: Reader;
  readonly remedies: readonly { readonly verdict: string; readonly lines: number; readonly remedy: string }[];
}

/** What is wrong with the lines of a list that added no recipient, and what to do. */
export function RemedyTable({ reader, remedies }: RemedyTableProps) {
  if (remedies.length === 0) return null;
  return (
    <Table name="Lines that added no recipient" heads={['#Lines', 'What is wrong', 'What to do']}>
      {remedies.map(({ verdict, lines, remedy }) => (
        <tr>
          <td class="number">{number(lines, reader)}</td>
          <td>{verdict.replaceAll('_', ' ')}</td>
          <td class="whole">{remedy}</td>
        </tr>
      ))}
    </Table>
  );
}
