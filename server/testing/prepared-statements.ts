/**
 * Vitest's setup file for tests that use a database. PostgreSQL parses and plans a statement once for each connection of a
 * worker instead of each time, which takes a quarter of the processor time of a call in the tests. The tables are small
 * there, so a plan takes longer than its execution. Processes that the tests start do not load this file.
 */
import pg from 'pg';

const names = new Map<string, string>();
/** Beyond this many, tests that generate statements would fill the memory of PostgreSQL. */
const MAX_NAMES = 5000;
/** Files of a worker share the client. */
const PREPARING = Symbol.for('openslot.preparing');

type Query = (this: pg.Client, ...given: unknown[]) => unknown;
const prototype = pg.Client.prototype as unknown as { query: Query; [PREPARING]?: true };
if (!prototype[PREPARING]) {
  prototype[PREPARING] = true;
  const { query } = prototype;
  prototype.query = function (...given) {
    const [text, values, ...rest] = given;
    // Only a single command can be prepared.
    const isOne = typeof text === 'string' && Array.isArray(values) && !text.includes(';');
    const name = isOne ? nameOf(text) : undefined;
    return name === undefined ? query.apply(this, given) : query.call(this, { name, text, values }, ...rest);
  };
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
