import type { FastifyBaseLogger } from 'fastify';

const BATCH = 200;

/** Reads up to `limit` rows that follow `after`, the last row of the batch before. A sweep that takes its rows needs no `after`. */
export type ReadBatch<Row> = (after: Row | null, limit: number) => Promise<readonly Row[]>;

/** Yields rows that are read in batches, until a batch is not full. */
export async function* inBatches<Row>(read: ReadBatch<Row>, limit = BATCH): AsyncGenerator<Row, void> {
  for (let after: Row | null = null; ;) {
    const rows: readonly Row[] = await read(after, limit);
    yield* rows;
    after = rows.at(-1) ?? null;
    if (rows.length < limit) return;
  }
}

/** Calls `work` for up to `limit` rows, in a transaction of their own, until it was not full. Returns the sum of its counts. */
export async function allBatches(work: (limit: number) => Promise<number>): Promise<number> {
  for (let sum = 0; ;) {
    const done = await work(BATCH);
    sum += done;
    if (done < BATCH) return sum;
  }
}

/**
 * Does `work` for each due row. A row that fails is logged with `message`, and does not hold up the others. Returns for
 * how many rows the work was done: `work` returns false if there was nothing to do.
 */
export async function eachDue<Row>(
  { log }: { log: FastifyBaseLogger },
  message: string,
  read: ReadBatch<Row>,
  work: (row: Row) => Promise<unknown>,
): Promise<number> {
  let done = 0;
  for await (const due of inBatches(read)) {
    try {
      if ((await work(due)) !== false) done++;
    } catch (error) {
      log.error({ err: error, due }, message);
    }
  }
  return done;
}
