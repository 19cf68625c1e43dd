/**
 * Finds the statements that end PostgreSQL 18.0 to 18.4 with signal 11 (docs/decisions/124-read-before-locking.md): those that
 * lock or change rows and, anywhere in the same plan, read a partitioned table whose partitions are chosen while the plan
 * runs. PostgreSQL itself is asked for the plans, in a database that has partitions and no rows.
 */
import pg from 'pg';
import { inject } from 'vitest';
import { sharedConnection } from './shared-connection.ts';

/**
 * Makes the plans independent of the rows in the tables: a nested loop is the join that chooses partitions by its outer rows.
 * PostgreSQL finds the first and the last value of an index without such a choice, so each statement is also planned without.
 */
const SETTINGS = `set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off; set enable_material = off;
  set plan_cache_mode = force_generic_plan; set debug_print_plan = on; set debug_pretty_print = off;
  set client_min_messages = log`;
const WAYS = ['on', 'off'].map((way) => `set enable_indexscan = ${way}; set enable_indexonlyscan = ${way}`);

/** Only a statement with one of these words locks or changes rows that another one may have locked. */
const CHANGES = /\b(?:update|delete|merge|for (?:key )?share)\b/i;

const connection = sharedConnection(() => inject('plansUrl'), SETTINGS);
/** The notices of a plan do not say which statement it belongs to, so only one is planned at a time. */
let last: Promise<unknown> = Promise.resolve();

async function alone<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const turn = last.then(async () => await work(await connection()));
  last = turn.catch(() => {});
  return await turn;
}

/** Tests make statements of any number of values, which are not worth the memory. */
const MAX_KNOWN = 5000;
const known = new Map<string, Promise<boolean>>();

/** Whether PostgreSQL 18.4 may end when it runs the statement. False if the statement does not fit our tables. */
export async function canCrash(statement: string): Promise<boolean> {
  if (!CHANGES.test(statement)) return false;
  const before = known.get(statement);
  if (before) return await before;
  const found = plan(statement);
  if (known.size < MAX_KNOWN) known.set(statement, found);
  // A database that is away says nothing about the statement.
  found.catch(() => known.delete(statement));
  return await found;
}

async function plan(statement: string): Promise<boolean> {
  if (!(await partitioned()).test(statement)) return false;
  const values = Math.max(0, ...[...statement.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
  const nulls = values === 0 ? '' : `(${Array(values).fill('null').join()})`;
  return await alone((client) =>
    crashes(client, async () => {
      await client.query('deallocate all');
      // The extended protocol refuses a second command, which would be executed.
      const prepare = { text: `prepare planned as ${statement}`, queryMode: 'extended' };
      await client.query(prepare);
      await client.query(`explain execute planned${nulls}`);
    }),
  );
}

/** Calls `make` for each way of planning, and reads the plans that PostgreSQL prints meanwhile. */
async function crashes(client: pg.Client, make: () => Promise<unknown>): Promise<boolean> {
  const plans: string[] = [];
  const note = ({ message, detail }: { message?: string | undefined; detail?: string | undefined }) => {
    if (message === 'plan:' && detail !== undefined) plans.push(detail);
  };
  client.on('notice', note);
  try {
    for (const way of WAYS) {
      await client.query(way);
      await make();
    }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') throw error;
  } finally {
    client.off('notice', note);
  }
  // PostgreSQL breaks the lines of a printed plan anywhere between two words.
  return plans.map((plan) => plan.replaceAll(/\s+/g, ' ')).some(isCrashing);
}

/**
 * The printed plan has the numbers of PostgreSQL's commands: 2, 4 and 5 are update, delete and merge. An insert is left out,
 * because `on conflict do update` starts anew with the row that it has waited for.
 */
const isCrashing = (plan: string): boolean =>
  (plan.includes('{LOCKROWS') || /:operation [245] /.test(plan)) && plan.includes(':exec_pruning_steps (');

let names: Promise<RegExp> | undefined;

/** Matches the names of the partitioned tables, and those of the views and functions through which a statement reads them. */
async function partitioned(): Promise<RegExp> {
  names ??= alone(findNames).catch((error: unknown) => {
    names = undefined;
    throw error;
  });
  return await names;
}

async function findNames(client: pg.Client): Promise<RegExp> {
  const { rows } = await client.query<{ name: string; text: string }>(`
    select relname as name, case relkind when 'p' then relname else pg_get_viewdef(oid) end as text
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('p', 'v')
    union all
    -- Only a function in SQL can become a part of the statement that calls it.
    select p.proname, p.prosrc from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace = 'public'::regnamespace and l.lanname = 'sql'
    union all
    select relname, relname from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace`);
  const found = new Set(rows.filter(({ name, text }) => name === text).map(({ name }) => name));
  const matcher = () => new RegExp(`\\b(?:${[...found].join('|')})\\b`);
  for (let size = 0; size < found.size;) {
    size = found.size;
    for (const { name, text } of rows) if (matcher().test(text)) found.add(name);
  }
  return matcher();
}

type Routine = { name: string; body: string; language: string; args: string[]; types: string[] };

/**
 * The statements in the bodies of our functions that can crash PostgreSQL, as 'function: statement', and the functions that
 * have any to look at. A statement is planned as the body of a function in SQL whose arguments are the variables.
 */
export async function crashingInFunctions(): Promise<{ looked: string[]; crashing: string[] }> {
  const tables = await partitioned();
  return await alone(async (client) => {
    const { rows } = await client.query<Routine>(`
      select p.proname as name, p.prosrc as body, l.lanname as language, coalesce(p.proargnames, '{}') as args,
          array(select format_type(t, null) from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) t) as types
        from pg_proc p join pg_language l on l.oid = p.prolang
        where p.pronamespace = 'public'::regnamespace and l.lanname in ('sql', 'plpgsql')`);
    const [looked, crashing]: [string[], string[]] = [[], []];
    for (const routine of rows)
      for (const statement of statementsOf(routine.body)) {
        if (!CHANGES.test(statement) || !tables.test(statement)) continue;
        looked.push(routine.name);
        if (await canCrashWithin(client, routine, statement)) crashing.push(`${routine.name}: ${statement}`);
      }
    return { looked: [...new Set(looked)], crashing };
  });
}

/** Dynamic statements are left out: ours name one partition. */
function statementsOf(body: string): string[] {
  return body
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .filter((each) => !/\bexecute\b/.test(each))
    .map((each) =>
      each
        // The words before the statement, such as `begin`, or behind it, if it is the list of a loop.
        .replace(/^[^]*?(?=\b(?:with|select|insert|update|delete|merge|perform)\b)/, '')
        .replace(/^perform\b/, 'select')
        .replace(/\n\s*loop\b[^]*$/, '')
        .replaceAll(/(?<!insert )\binto\s+(?:\w+\s*,\s*)*\w+/g, '')
        .trim(),
    )
    .filter((each) => each !== '');
}

async function canCrashWithin(client: pg.Client, routine: Routine, statement: string): Promise<boolean> {
  const variables = new Map(routine.args.map((name, at) => [name, routine.types[at]!]));
  if (routine.language === 'plpgsql') {
    const declared = /\bdeclare\b([^]*?)\bbegin\b/.exec(routine.body.replaceAll(/--.*$/gm, ''))?.[1] ?? '';
    for (const [, name, type] of declared.matchAll(/^\s*(\w+)\s+(?:constant\s+)?([\w.]+(?:\[\])?)/gm))
      variables.set(name!, type!);
  }
  const types = [...variables.values()];
  const quoted = `$planned$${statement}$planned$`;
  return await crashes(client, async () => {
    await client.query('begin');
    try {
      await client.query(`create function pg_temp.planned(${[...variables].map((each) => each.join(' ')).join()})
        returns void language sql as ${quoted}`);
      await client.query('savepoint made');
      // Without values the statement may be refused when it runs, but its plan is printed before.
      await client
        .query(`select pg_temp.planned(${types.map((type) => `null::${type}`).join()})`)
        .catch(() => {});
    } finally {
      await client.query('rollback');
    }
  });
}
