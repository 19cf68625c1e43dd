import { textOf } from '#domain/invalid-traffic/signal-texts.ts';
import { wantsWithdrawals } from '#domain/notifications/notices.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { postMessage } from '../notifications/post-message.ts';
import { givenBackMail, type WithdrawnLine, withdrawnMail } from '../notifications/withdrawal-mail.ts';
import {
  linesOf,
  lockPerson,
  type OwnLine,
  peopleOf,
  peopleToTell,
  tell,
  type ToldPerson,
} from './store-told.ts';

/** An older withdrawal is not mailed, for example after the server was off. It appears in the figures only. */
const TOLD_WITHIN_MS = 7 * DAY_MS;

/**
 * Mails each affected publisher and advertiser the withdrawals since their last such mail, at most once a day. Several
 * instances may do this at once, because the person's row is locked and each withdrawal is mailed once. [EVID-07]
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
      await mail(
        ctx,
        tx,
        person,
        'traffic-withdrawn',
        withdrawnMail(lines.map(lineOf), ctx.config.publicUrl),
      );
    });
  }
}

/** Mails both sides that the operator has overruled a withdrawal, in the caller's transaction. [EVID-07] */
export async function tellGivenBack(
  ctx: Context,
  tx: Tx,
  { id, reason }: { id: number; reason: string },
): Promise<void> {
  for (const person of await peopleOf(tx, id)) {
    const lines = await linesOf(tx, person.userId, { id });
    for (const side of ['publisher', 'advertiser'] as const) {
      const line = lines.find((each) => each.side === side);
      if (!line) continue;
      await mail(
        ctx,
        tx,
        person,
        'traffic-given-back',
        givenBackMail(lineOf(line), reason, ctx.config.publicUrl),
      );
    }
  }
}

async function mail(
  ctx: Context,
  tx: Tx,
  { email, ...settings }: ToldPerson,
  kind: 'traffic-withdrawn' | 'traffic-given-back',
  content: ReturnType<typeof withdrawnMail>,
): Promise<void> {
  if (wantsWithdrawals(settings)) await postMessage(ctx, tx, { recipient: email, kind, mail: content });
}

const lineOf = ({ signals, ...line }: OwnLine): WithdrawnLine => ({ ...line, why: signals.map(textOf) });
