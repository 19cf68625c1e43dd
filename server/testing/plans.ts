/** Asks PostgreSQL how it runs a store's own queries. */
import { type RootOperationNode, sql } from 'kysely';
import type { Database } from '../db/database.ts';

export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  /** Of a plan that was run: rows of one loop, and how many loops. */
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
};

/**
 * The nodes of the plans of all queries that `run` makes. The queries answer nothing; with `analyze` they are really
 * run, and the nodes say how many rows they met.
 */
export async function planOf(
  db: Database,
  run: (tx: Database) => Promise<unknown>,
  options: { analyze?: boolean } = {},
): Promise<PlanNode[]> {
  const plans: PlanNode[] = [];
  const explaining = db.withPlugin({
    transformQuery: ({ node }) => explained(node, options.analyze ?? false),
    transformResult: async ({ result }) => {
      plans.push((result.rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan);
      return { ...result, rows: [{}] };
    },
  });
  await run(explaining);
  return plans.flatMap(withChildren);
}

function explained(node: RootOperationNode, analyze: boolean): RootOperationNode {
  if (node.kind === 'SelectQueryNode' || node.kind === 'UpdateQueryNode') {
    const options = analyze ? sql`analyze, buffers`.toOperationNode() : undefined;
    return { ...node, explain: { kind: 'ExplainNode', format: 'json', ...(options && { options }) } };
  }
  if (node.kind === 'RawNode') {
    const [first = '', ...rest] = node.sqlFragments;
    const explain = `explain (format json${analyze ? ', analyze, buffers' : ''}) `;
    return { ...node, sqlFragments: [explain + first, ...rest] };
  }
  throw new Error(`No plan is asked of a ${node.kind}`);
}

function withChildren(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withChildren)];
}

/** How many rows of a table a plan met, whether it wanted them or not. */
export function rowsMet(plan: readonly PlanNode[], table: string): number {
  return plan
    .filter((node) => node['Relation Name'] === table)
    .reduce((sum, node) => {
      const each = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
      return sum + Math.round(each * (node['Actual Loops'] ?? 1));
    }, 0);
}

/** How many pages of 8 kB were looked at through an index, the table's own pages included where it leads to them. */
export function pagesMet(plan: readonly PlanNode[], index: string): number {
  return plan
    .filter((node) => node['Index Name'] === index)
    .reduce((sum, node) => sum + (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0), 0);
}
