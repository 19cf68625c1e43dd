/** Reads PostgreSQL's plans of a store's own queries. */
import { type RootOperationNode, sql } from 'kysely';
import type { Database } from '#server/platform/database/database.ts';

export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  /** Only with `analyze`: rows per loop, and the number of loops. */
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
};

/**
 * Returns the plan nodes of all queries that `run` makes. Each query returns one empty row. With `analyze` PostgreSQL
 * executes the queries, and the nodes contain the numbers of rows that they read.
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
  const wholes = await findWholes(db);
  const whole = (name: string | undefined) => (name === undefined ? undefined : (wholes.get(name) ?? name));
  return (
    plans
      .flatMap(withChildren)
      // PostgreSQL reads a part without rows as a whole.
      .filter((node) => node['Relation Name'] !== 'delivery_hourly_rest')
      .map(({ 'Relation Name': table, 'Index Name': index, ...node }) => ({
        ...node,
        ...(table !== undefined && { 'Relation Name': whole(table)! }),
        ...(index !== undefined && { 'Index Name': whole(index)! }),
      }))
  );
}

/** The tables and indexes of which others are parts, by the names of the parts. */
async function findWholes(db: Database): Promise<Map<string, string>> {
  const { rows } = await sql<{ part: string; whole: string }>`
    select part.relname as part, whole.relname as whole
      from pg_inherits i join pg_class part on part.oid = i.inhrelid join pg_class whole on whole.oid = i.inhparent`.execute(
    db,
  );
  return new Map(rows.map(({ part, whole }) => [part, whole]));
}

function explained(node: RootOperationNode, analyze: boolean): RootOperationNode {
  if (node.kind === 'SelectQueryNode' || node.kind === 'UpdateQueryNode' || node.kind === 'DeleteQueryNode') {
    const options = analyze ? sql`analyze, buffers`.toOperationNode() : undefined;
    return { ...node, explain: { kind: 'ExplainNode', format: 'json', ...(options && { options }) } };
  }
  if (node.kind === 'RawNode') {
    const [first = '', ...rest] = node.sqlFragments;
    const explain = `explain (format json${analyze ? ', analyze, buffers' : ''}) `;
    return { ...node, sqlFragments: [explain + first, ...rest] };
  }
  throw new Error(`planOf can't explain a ${node.kind}`);
}

export function withChildren(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withChildren)];
}

/** The number of rows that a plan read from a table, including those that a filter removed. */
export function rowsMet(plan: readonly PlanNode[], table: string): number {
  return plan.filter((node) => node['Relation Name'] === table).reduce((sum, node) => sum + rowsOf(node), 0);
}

/** The number of rows that a scan read, including those that a filter removed. */
export function rowsOf(node: PlanNode): number {
  const each = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
  return Math.round(each * (node['Actual Loops'] ?? 1));
}

/** The number of 8 kB pages that a plan read through an index, including the table's pages that the index leads to. */
export function pagesMet(plan: readonly PlanNode[], index: string): number {
  return plan
    .filter((node) => node['Index Name'] === index)
    .reduce((sum, node) => sum + (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0), 0);
}

/**
 * Fills tables with many rows, as a bulk load does: without the tables' own triggers, and with the indexes and
 * constraints of all rows made at once. Tells PostgreSQL how many rows there are afterwards.
 */
export async function fillTables(
  db: Database,
  tables: readonly string[],
  fill: (tx: Database) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const run = async (statements: readonly string[]) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
    };
    // Unique indexes stay, because foreign keys and `on conflict` need them.
    const { rows } = await sql<{ drop: string; make: string }>`
      select format('drop index %s', i.indexrelid::regclass) as drop,
          -- 'only': without the indexes of the partitions.
          replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as make
        from pg_index i where i.indrelid = any(${tables}::regclass[]) and not i.indisunique and not i.indisexclusion
      union all
      select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname),
          format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
        from pg_constraint c where c.conrelid = any(${tables}::regclass[]) and c.contype in ('f', 'x')`.execute(
      tx,
    );
    await run(tables.map((table) => `alter table ${table} disable trigger user`));
    await run(rows.map(({ drop }) => drop));
    await fill(tx);
    await run(rows.map(({ make }) => make));
    await run(tables.map((table) => `alter table ${table} enable trigger user`));
  });
  await sql.raw(`vacuum analyze ${tables.join(', ')}`).execute(db);
}
