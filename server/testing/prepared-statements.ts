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
type Callback = (error: Error | undefined, result: unknown) => void;
const prototype = pg.Client.prototype as unknown as { query: Query; [PREPARING]?: true };
if (!prototype[PREPARING]) {
  prototype[PREPARING] = true;
  const { query } = prototype;
  prototype.query = function (...given) {
    const [text, values, callback] = given;
    // Only a single command can be prepared.
    const isOne = typeof text === 'string' && Array.isArray(values) && !text.includes(';');
    const name = isOne ? nameOf(text) : undefined;
    if (name === undefined) return query.apply(this, given);
    const run = (answer: Callback) =>
      // The client would copy a plain object with this name, which takes a tenth of the time of sending it.
      query.call(this, Object.assign(new pg.Query(text as string, values as unknown[], answer), { name }));
    if (typeof callback === 'function') return void run(callback as Callback);
    const answer = new Promise((resolve, reject) => {
      run((error, result) => (error ? reject(error) : resolve(result)));
    });
    // The client's own promises do this, too: a stack that leads to the caller instead of the socket.
    return answer.catch((error: Error) => {
      Error.captureStackTrace(error);
      throw error;
    });
  };
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
