/** The page about payouts by bank transfer. [PAYO-202, PAYO-210] */
import { decimalOf } from '#domain/money.ts';
import {
  getBankPayouts,
  readBankStatement,
  type ShownPayout,
} from '#domain/operator/console/bank-contract.ts';
import { MAX_STATEMENT_BYTES, SEPA_CURRENCY } from '#domain/payments/limits.ts';
import { holds } from '#domain/operator/rights.ts';
import { listBankPayouts, type UnpaidPayout } from '#server/money/payouts/bank-file.ts';
import type { Context } from '#server/platform/context.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import type { OperatorCaller } from '#server/platform/http/who-may-call.ts';
import { MAKE_BANK_FILE, NOTE_BANK_PAID, NOTE_BANK_RETURNED } from '../acts/acts-about-money.ts';
import { formOf, offers } from '../acts/define-act.ts';
import { readStatement } from '../money/bank.ts';

export const bankRoutes: Route[] = [
  route(getBankPayouts, { access: 'operator' }, async (ctx, operator) => {
    const { payouts, files } = await listBankPayouts(ctx);
    const shown = await Promise.all(payouts.map((payout) => shownPayout(ctx, operator, payout)));
    return {
      method: ctx.config.payoutMethod,
      isLive: ctx.payments.mode === 'live',
      mayRead: holds(operator.role, 'money'),
      waiting: shown.filter(({ fileId }) => fileId === null),
      atBank: shown.filter(({ fileId }) => fileId !== null),
      files: files.map(({ id, madeAt, amountCents, payouts: count, open }) => ({
        id,
        madeAt: madeAt.toISOString(),
        amount: decimalOf(amountCents),
        currency: SEPA_CURRENCY,
        payouts: count,
        open,
      })),
      acts: await offers([
        payouts.some(({ fileId, isHeld }) => fileId === null && !isHeld) &&
          formOf(MAKE_BANK_FILE).offer(ctx, operator, { hidden: { end: 'yes' } }),
      ]),
    };
  }),
  // As the command does it. The page shows what each line did.
  route(
    readBankStatement,
    // The bytes are sent as base64, with a name and quotes.
    { access: 'operator', right: 'money', confirmed: true, bodyLimit: 2 * MAX_STATEMENT_BYTES },
    async (ctx, operator, { body: { file } }) => {
      const { lines } = await readStatement(ctx, operator, { bytes: Buffer.from(file, 'base64') });
      const ours = lines.flatMap(({ did, payout, amountCents, currency, statement, entry, problem }) =>
        did === 'foreign' || payout === null
          ? []
          : [
              {
                did,
                payout,
                amount: amountCents === null ? null : decimalOf(amountCents),
                currency,
                statement,
                entry,
                problem,
              },
            ],
      );
      return { lines: ours, others: lines.length - ours.length };
    },
  ),
];

async function shownPayout(
  ctx: Context,
  operator: OperatorCaller,
  { payoutId, userId, email, holder, last4, amountCents, currency, beganAt, fileId, isHeld }: UnpaidPayout,
): Promise<ShownPayout> {
  const ids = { id: payoutId };
  return {
    id: payoutId,
    userId,
    email,
    holder,
    last4,
    amount: decimalOf(amountCents),
    currency,
    since: beganAt.toISOString(),
    fileId,
    isHeld,
    acts: await offers([
      fileId !== null && formOf(NOTE_BANK_PAID).offer(ctx, operator, { ids }),
      formOf(NOTE_BANK_RETURNED).offer(ctx, operator, {
        ids,
        ...(fileId === null && { button: 'Don’t make this payout' }),
      }),
    ]),
  };
}
