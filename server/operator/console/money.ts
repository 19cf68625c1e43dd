/** The page about money work: the check of the books, and what waits for the provider or for an operator. [BOOK-01] */
import { decimalOf, moneyText, type Currency } from '#domain/money.ts';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import {
  getMoneyWork,
  type ShownDifference,
  type ShownWaitingMoney,
} from '#domain/operator/console/money-contract.ts';
import { CANCEL_WAITS_DAYS } from '#domain/payments/cancels.ts';
import { SUSPENSE_OUTCOMES, SUSPENSE_TEXTS } from '#domain/payments/suspense.ts';
import { taxIdText } from '#domain/payments/tax-ids.ts';
import { checkMoney } from '#server/money/books/check.ts';
import { listMoney, type WaitingMoney } from '#server/money/books/list.ts';
import { type Difference, lastComparison } from '#server/money/books/reconcile.ts';
import { reportWholeCheck } from '#server/money/books/whole-check.ts';
import { waitedText, type WaitingCancel, waitingCancels } from '#server/money/refunds/cancelling/overdue.ts';
import { openTaxIds } from '#server/money/tax-ids/list.ts';
import type { Context } from '#server/platform/context.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import type { OperatorCaller } from '#server/platform/http/who-may-call.ts';
import {
  PAY_REFUND,
  REFUSE_CANCEL,
  RELEASE_CANCEL,
  RETRY_REFUND,
  RUN_MONEY_WORK,
  SETTLE_SUSPENSE,
} from '../acts/acts-about-money.ts';
import { formOf, offers } from '../acts/define-act.ts';
import { findAdsNamed, type NamedAd } from '../store-find.ts';

type Ads = ReadonlyMap<string, NamedAd>;
type Desk = { ctx: Context; operator: OperatorCaller; ads: Ads };

export const moneyRoutes: Route[] = [
  route(getMoneyWork, { access: 'operator' }, async (ctx, operator) => {
    const { holds, differences } = await checkMoney(ctx);
    const { stuck, suspense, refundsOwed } = await listMoney(ctx);
    const [cancels, taxIds] = [await waitingCancels(ctx), await openTaxIds(ctx)];
    const against = await lastComparison(ctx);
    const whole = await reportWholeCheck(ctx.db, ctx.realNow());
    const named = [...stuck, ...suspense, ...refundsOwed].flatMap(({ ad }) => ad ?? []);
    const ads = await findAdsNamed(ctx.db, [...named, ...taxIds.flatMap((each) => each.ads)]);
    const desk: Desk = { ctx, operator, ads };
    return {
      disagree: holds ? null : differences.map(shownDifference),
      whole: { text: whole.problem ?? whole.text, isProblem: whole.problem !== null },
      provider: against && {
        comparedAt: against.at.toISOString(),
        differences: against.differences.map(shownDifference),
      },
      cancelDays: CANCEL_WAITS_DAYS.release,
      cancels: await Promise.all(cancels.map((cancel) => shownCancel(desk, cancel))),
      refundsOwed: await Promise.all(
        refundsOwed.map(async (refund) => shownWaiting(refund, ads, await refundActs(desk, refund))),
      ),
      suspense: await Promise.all(
        suspense.map(async (money) => shownWaiting(money, ads, await suspenseActs(desk, money))),
      ),
      stuck: stuck.map((each) => shownWaiting(each, ads, [])),
      taxIds: taxIds.map(({ userId, email, result, register, requestId, since, ads: sold, ...taxId }) => ({
        userId,
        email,
        taxId: taxIdText(taxId),
        result,
        isByStandIn: register === 'stand-in',
        requestId,
        since: since.toISOString(),
        ads: sold.flatMap((each) => ads.get(each) ?? []),
      })),
      acts: await offers([formOf(RUN_MONEY_WORK).offer(ctx, operator, { button: 'Run the money jobs' })]),
    };
  }),
];

const inWords = (name: string) => name.replaceAll('_', ' ');

const shownDifference = ({ kind, ref, amountCents, currency, since }: Difference): ShownDifference => ({
  kind: inWords(kind),
  ref,
  amount: decimalOf(amountCents),
  currency,
  since: since.toISOString(),
});

const shownWaiting = (
  { id, ad, problem, amountCents, currency, since }: WaitingMoney,
  ads: Ads,
  acts: OfferedAct[],
): ShownWaitingMoney => ({
  id,
  ad: (ad !== null && ads.get(ad)) || null,
  problem: inWords(problem),
  amount: decimalOf(amountCents),
  currency,
  since: since.toISOString(),
  acts,
});

async function shownCancel(
  { ctx, operator }: Desk,
  { adId, title, amountCents, currency, since }: WaitingCancel,
) {
  const amount = decimalOf(amountCents);
  const ids = { id: adId };
  return {
    ad: { id: adId, title },
    amount,
    currency,
    since: since.toISOString(),
    waited: waitedText(since, ctx.now()),
    acts: await offers([
      formOf(RELEASE_CANCEL).offer(ctx, operator, { ids, confirm: `Refund ${moneyText(amount, currency)}` }),
      formOf(REFUSE_CANCEL).offer(ctx, operator, { ids }),
    ]),
  };
}

async function refundActs({ ctx, operator }: Desk, { id, amountCents, currency }: WaitingMoney) {
  const ids = { ref: id };
  const amount = moneyText(decimalOf(amountCents), currency as Currency);
  return await offers([
    formOf(RETRY_REFUND).offer(ctx, operator, { ids, confirm: `Send ${amount} again` }),
    formOf(PAY_REFUND).offer(ctx, operator, { ids, confirm: `Book ${amount} as paid` }),
  ]);
}

/** Only a payment has a payer to whom it can be refunded. */
async function suspenseActs({ ctx, operator }: Desk, { id, ad }: WaitingMoney) {
  const [of = '', number = ''] = id.split(':');
  const outcomes = SUSPENSE_OUTCOMES.filter((outcome) => outcome !== 'refunded' || ad !== null);
  return await offers([
    formOf(SETTLE_SUSPENSE).offer(ctx, operator, {
      ids: { of, id: number },
      fields: [
        {
          name: 'outcome',
          label: 'What happens to it',
          kind: 'choice',
          isRequired: true,
          choices: outcomes.map((outcome) => ({ value: outcome, label: SUSPENSE_TEXTS[outcome] })),
        },
      ],
    }),
  ]);
}
