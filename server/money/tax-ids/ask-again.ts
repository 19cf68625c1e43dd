import { taxIdText } from '#domain/payments/tax-ids.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import { ViesAway } from '#server/platform/outbound/vies/vies.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { mailOperator } from '#server/notify/mails/operator-mail.ts';
import { postMessage } from '#server/notify/post-message.ts';
import { taxIdRefusedMail } from '#server/notify/mails/account-mail.ts';
import { FIRST_RETRY_MS, ownTaxId } from './check.ts';
import {
  adsPaidUnder,
  answerCheck,
  type Check,
  findPersonOf,
  listDueChecks,
  postponeCheck,
} from './store.ts';

/** The most questions of one run. Each takes up to three seconds if VIES is silent. */
const MAX_QUESTIONS = 15;
const MAX_WAIT_MS = 6 * HOUR_MS;

/**
 * The job. Asks VIES again about the numbers that were accepted while it was away. A number that VIES then refuses is
 * mailed to its owner and to the operator. Returns how many have an answer now. [OWNS-123]
 */
export async function askAgain(ctx: Context): Promise<number> {
  if (!ctx.config.vies) return 0;
  let answered = 0;
  for (const check of await listDueChecks(ctx.db, ctx.now(), MAX_QUESTIONS))
    if (await askOnce(ctx, check)) answered += 1;
  return answered;
}

async function askOnce(ctx: Context, check: Check): Promise<boolean> {
  try {
    const { isRegistered, requestId } = await ctx.vies.ask(check, ownTaxId(ctx));
    const answer = {
      result: isRegistered ? ('confirmed' as const) : ('refused' as const),
      register: ctx.vies.name,
      requestId,
      answeredAt: ctx.now(),
    };
    return await ctx.db.transaction().execute(async (tx) => {
      const isFirst = await answerCheck(tx, check.id, answer);
      if (isFirst && !isRegistered) await tellRefused(ctx, tx, check);
      return isFirst;
    });
  } catch (error) {
    if (!(error instanceof ViesAway)) throw error;
    const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.min(check.tries, 10), MAX_WAIT_MS);
    await postponeCheck(ctx.db, check, later(ctx.now(), wait));
    return false;
  }
}

async function tellRefused(ctx: Context, tx: Tx, check: Check): Promise<void> {
  const number = taxIdText(check);
  const ads = await adsPaidUnder(tx, check.id);
  const { email, isDeleted } = await findPersonOf(tx, check.userId);
  await mailOperator(ctx, tx, {
    kind: 'tax-id-refused',
    title: 'A tax number is not registered',
    paragraphs: [
      `VIES was away when ${email} gave the tax number ${number}. It has now answered that the number is not registered.`,
      ads.length === 0
        ? 'Nothing was sold under this number.'
        : `Sold under this number: ${adsText(ads)}. Ask your adviser whether these sales owe tax.`,
    ],
    action: { label: 'Open the money page', path: '/operator/money' },
  });
  if (isDeleted) return;
  await postMessage(ctx, tx, {
    recipient: email,
    kind: 'tax-id-refused',
    mail: taxIdRefusedMail(number, ctx.config.publicUrl),
  });
}

/** The most ads that a mail names. The money page lists all of them. */
const MAX_NAMED = 20;

function adsText(ads: readonly string[]): string {
  const more = ads.length - MAX_NAMED;
  return `${ads.length === 1 ? 'the ad' : 'the ads'} ${ads.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
