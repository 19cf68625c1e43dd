/**
 * Vitest's setup file for tests that use a database. It sees every statement of a worker, and fails the one that could end
 * PostgreSQL 18.0 to 18.4 (docs/decisions/124-read-before-locking.md). server/platform/database/crashing-query-plans.test.ts reads the statements
 * within functions.
 */
import pg from 'pg';
import { canCrash } from './crashing-query-plans.ts';

/** Files of a worker share the client. */
const REFUSING = Symbol.for('openslot.refusing');

type Query = (this: pg.Client, ...given: unknown[]) => unknown;
type Callback = (error: Error | null | undefined, result: unknown) => void;
const prototype = pg.Client.prototype as unknown as { query: Query; [REFUSING]?: true };
if (!prototype[REFUSING]) {
  prototype[REFUSING] = true;
  const { query } = prototype;
  prototype.query = function (...given) {
    const text = textOf(given[0]);
    if (text === undefined || !STATEMENT.test(text)) return query.apply(this, given);
    const refusal = refusalOf(text);
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      const answer: Callback = (...given) => void answerAfter(refusal, callback as Callback, given);
      return query.apply(this, [...given.slice(0, -1), answer]);
    }
    const answer = query.apply(this, given);
    if (!(answer instanceof Promise)) return answer;
    return answer.then(async (result: unknown) => {
      const refused = await refusal;
      if (refused) throw refused;
      return result;
    });
  };
}

async function answerAfter(
  refusal: Promise<Error | null | undefined>,
  callback: Callback,
  [error, result]: Parameters<Callback>,
): Promise<void> {
  callback((await refusal) ?? error, result);
}

/** Not what the reading of plans sends itself, nor a change of the schema. */
const STATEMENT = /^(?:\s|\(|--.*\n)*(?:select|with|update|delete|merge)\b/i;

function textOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  const text = given !== null && typeof given === 'object' && 'text' in given ? given.text : undefined;
  return typeof text === 'string' ? text : undefined;
}

async function refusalOf(text: string): Promise<Error | undefined> {
  // The database of the plans is away when PostgreSQL restarts, and then the statement itself fails.
  const isRefused = await canCrash(text).catch(() => false);
  if (!isRefused) return undefined;
  return new Error(
    `This statement can end PostgreSQL 18.0 to 18.4, because it locks or changes rows and chooses the partitions of a table while it runs. Read the partitioned table in a statement or function of its own (docs/decisions/124-read-before-locking.md). ${text}`,
  );
}
