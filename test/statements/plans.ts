/** The plans of the statements that ran, as the server's module auto_explain reports each of them. */
import { statementName } from '../../src/ledger/storage/statements.js';
import { type Cost, loadOf } from './limits.js';

/** Settings of a session: every statement is reported with its plan, those of triggers included. */
export const REPORT_PLANS: Readonly<Record<string, string>> = {
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  client_min_messages: 'log',
  // The server's own log would hold all plans once more.
  log_min_messages: 'fatal',
};

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Total Cost': number;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Temp Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** A statement, and the run that read the most of what it may read. */
export interface RanStatement extends Cost {
  /** Of a prepared statement. */
  readonly name: string | undefined;
  readonly runs: number;
  readonly ms: number;
  readonly plan: PlanNode;
  /** Tables that one of its plans scans although its session forbids scans. */
  readonly forced: ReadonlySet<string>;
}

/**
 * What PostgreSQL adds to the cost of a forbidden step. Beside it the costs of all other steps look equal: the planner then
 * takes any index that fits, e.g. one that has the id as its last column.
 */
const FORBIDDEN_COST = 1e10;

const REPORT = /^duration: (\S+) ms {2}plan:\n/;

export class Plans {
  readonly #growing: ReadonlySet<string>;
  readonly #byText = new Map<string, RanStatement>();

  /** @param growing  the tables that no statement may scan */
  constructor(growing: ReadonlySet<string>) {
    this.#growing = growing;
  }

  readonly take = ({ message: notice = '' }: { readonly message: string | undefined }): void => {
    const ms = REPORT.exec(notice)?.[1];
    if (ms === undefined) return;
    const { 'Query Text': query, Plan: plan } = JSON.parse(notice.replace(REPORT, '')) as {
      readonly 'Query Text': string;
      readonly Plan: PlanNode;
    };
    const text = withoutNumbers(query).trim();
    const before = this.#byText.get(text);
    const ran = {
      text,
      name: statementName(text),
      // The outermost step does not count a part that only writes.
      blocks: Math.max(...nodesOf(plan).map(blocksOf)),
      rows: rowsOf(plan),
      ms: Number(ms),
      scanned: this.#scannedBy(plan),
      plan,
    };
    const isWorse = before === undefined || loadOf(ran) > loadOf(before);
    const forced = new Set([...(before?.forced ?? []), ...forcedBy(plan)]);
    this.#byText.set(text, { ...(isWorse ? ran : before), runs: (before?.runs ?? 0) + 1, forced });
  };

  /** The one that is nearest to its limit, or furthest above it, first. */
  all(): readonly RanStatement[] {
    return [...this.#byText.values()].toSorted((one, other) => loadOf(other) - loadOf(one));
  }

  #scannedBy(plan: PlanNode): string[] {
    return nodesOf(plan).flatMap((node) => {
      const table = node['Relation Name'] ?? '';
      return node['Node Type'] === 'Seq Scan' && this.#growing.has(table) && node['Actual Loops'] > 0 ? [table] : [];
    });
  }
}

/** Never executed ones too: the planner has weighed them. */
function forcedBy(plan: PlanNode): string[] {
  return nodesOf(plan)
    .filter((node) => node['Node Type'] === 'Seq Scan' && node['Total Cost'] >= FORBIDDEN_COST)
    .map((node) => node['Relation Name'] ?? '');
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function blocksOf(node: PlanNode): number {
  return node['Shared Hit Blocks'] + node['Shared Read Blocks'] + node['Temp Read Blocks'];
}

/** Rows that the statement returned, or that its nodes of the type ModifyTable changed, if these are more. */
function rowsOf(plan: PlanNode): number {
  const changed = nodesOf(plan)
    .filter((node) => node['Node Type'] === 'ModifyTable')
    .flatMap((node) => node.Plans ?? [])
    .reduce((sum, source) => sum + totalRows(source), 0);
  return Math.max(totalRows(plan), changed);
}

function totalRows(node: PlanNode): number {
  return Math.round(node['Actual Rows'] * node['Actual Loops']);
}

/** One text for a list of any length. */
function withoutNumbers(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\$\d+/g, '$')
    .replaceAll(/\$(?:, \$)+/g, '$, …')
    .replaceAll(/\(\$, …\)(?:, \(\$, …\))+/g, '($, …), …');
}

/** The nodes that read the most, for a report. */
export function costlyNodes(plan: PlanNode, most = 4): string {
  return nodesOf(plan)
    .map((node) => ({ node, blocks: blocksOf(node) - (node.Plans ?? []).reduce((sum, one) => sum + blocksOf(one), 0) }))
    .toSorted((one, other) => other.blocks - one.blocks)
    .slice(0, most)
    .map(({ node, blocks }) => {
      const where = [node['Relation Name'], node['Index Name']].filter((name) => name !== undefined).join(' by ');
      const removed = node['Rows Removed by Filter'] ?? 0;
      const rows = `${totalRows(node)} rows${removed > 0 ? `, ${removed} removed` : ''}`;
      return `${blocks} ${node['Node Type']} ${where} (${rows})`;
    })
    .join('; ');
}
