/** Requests that move money at the provider. Each is made once, although its answer may be lost. See docs/decisions/028-checkout.md. */
import { nextTry } from '#domain/payments/refunds.ts';
import { HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import type { FastifyBaseLogger } from 'fastify';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import { eachDue } from '#server/platform/database/batches.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';

/** The facts about a row that its request needs. */
export type RequestRow = {
  id: number;
  book: PaymentBook;
  /** The key under which the provider makes the request once. Null until `prepare` has made one. */
  key: string | null;
  /** The provider's id, once we have learned it. From then on the provider is only asked about the request. */
  providerId: string | null;
  state: string;
  /** The number of requests that were sent. */
  attempts: number;
};

/** The differences between the kinds of requests: refunds, transfers, their reversals, and the evidence of disputes. */
export type RequestKind<Row extends RequestRow, Answer> = {
  /** The name in logs. */
  name: 'refund' | 'transfer' | 'reversal' | 'evidence';
  /** Locks a row in the order of docs/decisions/049-lock-order.md. Null if there is nothing to send or to ask about. */
  lock: (tx: Tx, id: number) => Promise<Row | null>;
  /** Completes a locked row before its first or next request, such as with a new key. Null if it has to wait a minute. */
  prepare?: (ctx: Context, tx: Tx, row: Row) => Promise<Row | null>;
  /** Writes to a locked row. `attempts` is given when a request is about to be sent. */
  update: (
    tx: Tx,
    row: Row,
    changes: { lookAt: Date; attempts?: number; error?: string },
    now: Date,
  ) => Promise<void>;
  /** Finds the answer to an earlier request at the provider. */
  find?: (ctx: Context, row: Row) => Promise<Answer | null>;
  send: (ctx: Context, row: Row, installation: string) => Promise<Answer>;
  /** Records the answer. Locks what it changes, because an event may have brought the answer before. */
  apply: (ctx: Context, tx: Tx, row: Row, answer: Answer) => Promise<void>;
  /** Records a refusal of a locked row. Without it, a refused request is sent again like one without an answer. */
  refuse?: (ctx: Context, tx: Tx, row: Row, reason: string) => Promise<void>;
  logRefusal?: (log: FastifyBaseLogger, details: object) => void;
  /** When to send again a request that was sent `attempts` times. */
  retryAt?: (attempts: number, now: Date) => Date;
  /** The text about a failure that the operator reads. */
  reasonOf?: (error: ProviderError) => string;
};

/**
 * Sends a request, or asks about one that the provider has accepted. Its key is committed before the call, so a
 * repetition after a crash does not move money twice.
 */
export async function sendRequest<Row extends RequestRow, Answer>(
  ctx: Context,
  kind: RequestKind<Row, Answer>,
  id: number,
): Promise<void> {
  const row = await ctx.db.transaction().execute(async (tx) => {
    const locked = await kind.lock(tx, id);
    return locked && (await claim(ctx, tx, kind, locked));
  });
  if (row) await askProvider(ctx, kind, row);
}

/** Takes due rows, and puts their next look off until `until`, so that no other instance takes them meanwhile. */
export type TakeDue<Due> = (tx: Tx, now: Date, until: Date, limit: number) => Promise<readonly Due[]>;

/** Does `work` for each row that is due. One that fails does not hold up the others. Returns how many were done. */
export async function sweep<Due>(
  ctx: Context,
  name: string,
  take: TakeDue<Due>,
  work: (due: Due) => Promise<unknown>,
): Promise<number> {
  const message = `a row of the ${name} could not be brought up to date; trying again`;
  const read = async (_after: Due | null, limit: number) => {
    const now = ctx.now();
    return await take(ctx.db, now, later(now, 2 * MINUTE_MS), limit);
  };
  return await eachDue(ctx, message, read, work);
}

/** Makes a locked row ready for its request, in the caller's transaction. Null if nothing can be sent now. */
export async function claim<Row extends RequestRow, Answer>(
  ctx: Context,
  tx: Tx,
  kind: RequestKind<Row, Answer>,
  locked: Row,
): Promise<Row | null> {
  const now = ctx.now();
  if (locked.book !== ctx.payments.book) {
    // The money is at another provider, which only its own settings can reach.
    await kind.update(tx, locked, { lookAt: later(now, HOUR_MS) }, now);
    return null;
  }
  if (locked.providerId !== null) return locked;
  const row = kind.prepare ? await kind.prepare(ctx, tx, locked) : locked;
  if (!row) {
    await kind.update(tx, locked, { lookAt: later(now, MINUTE_MS) }, now);
    return null;
  }
  const attempts = row.attempts + 1;
  await kind.update(tx, row, { attempts, lookAt: (kind.retryAt ?? nextTry)(attempts, now) }, now);
  return { ...row, attempts };
}

/** Asks the provider for a claimed row, and records its answer. Returns the error if there is none. */
export async function askProvider<Row extends RequestRow, Answer>(
  ctx: Context,
  kind: RequestKind<Row, Answer>,
  row: Row,
): Promise<Error | null> {
  let answer: Answer;
  try {
    answer = (await findAnswer(ctx, kind, row)) ?? (await kind.send(ctx, row, await installationId(ctx.db)));
  } catch (error) {
    await noteFailure(ctx, kind, row, error);
    return error as Error;
  }
  await ctx.db.transaction().execute((tx) => kind.apply(ctx, tx, row, answer));
  return null;
}

/**
 * An earlier request may have succeeded although its answer was lost. We look for it first, because a repetition may be
 * refused, or made twice if the provider has forgotten its key.
 */
async function findAnswer<Row extends RequestRow, Answer>(
  ctx: Context,
  kind: RequestKind<Row, Answer>,
  row: Row,
): Promise<Answer | null> {
  if (!kind.find || (row.providerId === null && row.attempts <= 1)) return null;
  return await kind.find(ctx, row);
}

/** Whether the provider has decided not to act. Otherwise it may have acted, or will with the same key. */
function isRefusal(error: unknown): boolean {
  return error instanceof ProviderError && ['declined', 'invalid', 'not_found'].includes(error.kind);
}

async function noteFailure<Row extends RequestRow, Answer>(
  ctx: Context,
  kind: RequestKind<Row, Answer>,
  row: Row,
  error: unknown,
): Promise<void> {
  const isRefused = kind.refuse && row.providerId === null && isRefusal(error);
  const reasonOf = kind.reasonOf ?? (({ code, kind: ofError }: ProviderError) => code ?? ofError);
  const reason = error instanceof ProviderError ? reasonOf(error) : 'The provider could not be reached';
  await ctx.db.transaction().execute(async (tx) => {
    const present = await kind.lock(tx, row.id);
    // An event may have brought the row up to date meanwhile.
    if (present?.key !== row.key || present.state !== row.state) return;
    if (isRefused) return await kind.refuse?.(ctx, tx, present, reason);
    const now = ctx.now();
    const lookAt = (kind.retryAt ?? nextTry)(Math.max(1, row.attempts), now);
    await kind.update(tx, present, { lookAt, error: reason }, now);
  });
  const details = { err: error, id: row.id, attempts: row.attempts };
  if (isRefused) kind.logRefusal?.(ctx.log, details);
  else ctx.log.warn(details, `the provider did not answer a request (${kind.name}); trying again later`);
}
