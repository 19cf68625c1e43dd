import { textOf } from '#domain/invalid-traffic/signal-texts.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { notifyPerson } from '#server/notify/notify.ts';
import { postMessage } from '#server/notify/post-message.ts';
import {
  audiencesMail,
  givenBackMail,
  type WithdrawnLine,
  withdrawnMail,
} from '#server/notify/mails/withdrawal-mail.ts';
import {
  audiencesToCheck,
  linesOf,
  lockPerson,
  operatorIds,
  type OwnLine,
  peopleOf,
  peopleToTell,
  tell,
} from './store-told.ts';

/** An older withdrawal is not mailed, for example after the server was off. It appears in the figures only. */
const TOLD_WITHIN_MS = 7 * DAY_MS;

/**
 * Mails each affected publisher and advertiser the withdrawals since their last such mail, at most once a day. Several
 * instances may do this at once, because the person's row is locked and each withdrawal is mailed once.
 */
export async function tellWithdrawn(ctx: Context): Promise<void> {
  const now = ctx.now();
  const since = later(now, -TOLD_WITHIN_MS);
  const toldBefore = later(now, -DAY_MS);
  for (const userId of await peopleToTell(ctx.db, { since, toldBefore })) {
    await ctx.db.transaction().execute(async (tx) => {
      const person = await lockPerson(tx, userId, toldBefore);
      if (!person) return;
      const lines = await linesOf(tx, userId, { since });
      if (lines.length === 0) return;
      await tell(tx, userId, [...new Set(lines.map(({ id }) => id))], now);
      await notifyPerson(ctx, tx, person, {
        kind: 'traffic-withdrawn',
        mail: withdrawnMail(lines.map(lineOf), ctx.config.publicUrl),
      });
    });
  }
}

/** Mails both sides that the operator has overruled withdrawals, in the caller's transaction. */
export async function tellGivenBack(
  ctx: Context,
  tx: Tx,
  { ids, reason }: { ids: readonly number[]; reason: string },
): Promise<void> {
  for (const person of await peopleOf(tx, ids)) {
    const lines = await linesOf(tx, person.userId, { ids });
    for (const side of ['publisher', 'advertiser'] as const) {
      const own = lines.filter((each) => each.side === side).map(lineOf);
      if (own.length === 0) continue;
      const mail = givenBackMail(side, own, reason, ctx.config.publicUrl);
      await notifyPerson(ctx, tx, person, { kind: 'traffic-given-back', mail });
    }
  }
}

/** A website is named to an operator again after so long. */
const AUDIENCE_TOLD_AGAIN_MS = 7 * DAY_MS;

/**
 * Mails each operator the websites that lost most views of the last day to the fair share of networks, at most once a
 * day. Such an audience looks like a script, so a person has to decide about it.
 */
export async function tellOperators(ctx: Context): Promise<void> {
  const now = ctx.now();
  const toldBefore = later(now, -DAY_MS);
  for (const userId of await operatorIds(ctx.db)) {
    await ctx.db.transaction().execute(async (tx) => {
      const operator = await lockPerson(tx, userId, toldBefore);
      if (!operator) return;
      const audiences = await audiencesToCheck(tx, userId, {
        since: toldBefore,
        toldSince: later(now, -AUDIENCE_TOLD_AGAIN_MS),
      });
      if (audiences.length === 0) return;
      const ids = audiences.flatMap(({ withdrawals }) => withdrawals);
      await tell(tx, userId, ids, now);
      const content = audiencesMail(audiences, ctx.config.publicUrl);
      await postMessage(ctx, tx, { recipient: operator.email, kind: 'audiences-to-check', mail: content });
    });
  }
}

const lineOf = ({ signals, ...line }: OwnLine): WithdrawnLine => ({ ...line, why: signals.map(textOf) });
