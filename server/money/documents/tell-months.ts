import type { Context } from '#server/platform/context.ts';
import { monthDocumentsMail } from '#server/notify/mails/documents-mail.ts';
import { notifyPerson } from '#server/notify/notify.ts';
import { listPapers, listUnmailedMonths, lockMailing, moveMailing } from './store-months.ts';

/** The mails of one transaction. */
const BATCH = 200;
/** The most transactions of one run, so that it ends within its minute. The next one goes on. */
const MAX_BATCHES = 10;

/**
 * Mails everybody with documents for a month that is over which ones these are, once its statements are made. A batch and
 * the number of its last account are committed together, so that nobody gets the mail twice.
 */
export async function mailMonths(ctx: Context): Promise<void> {
  let batches = 0;
  for (const month of await listUnmailedMonths(ctx.db)) {
    do {
      if (batches++ === MAX_BATCHES) return;
    } while (await mailBatch(ctx, month));
  }
}

/** Returns whether there are further accounts. */
async function mailBatch(ctx: Context, month: string): Promise<boolean> {
  return await ctx.db.transaction().execute(async (tx) => {
    const after = await lockMailing(tx, month);
    if (after === null) return false;
    const people = await listPapers(tx, { month, book: ctx.payments.book, after, limit: BATCH });
    for (const { papers, isDeleted, ...person } of people) {
      if (isDeleted) continue;
      const mail = monthDocumentsMail(month, papers, ctx.config.publicUrl, ctx.payments.mode);
      await notifyPerson(ctx, tx, person, { kind: 'month-documents', mail });
    }
    const last = people.at(-1);
    const isDone = people.length < BATCH;
    await moveMailing(tx, month, {
      ...(last && { mailedThrough: last.userId }),
      mailedAt: isDone ? ctx.now() : null,
    });
    return !isDone;
  });
}
