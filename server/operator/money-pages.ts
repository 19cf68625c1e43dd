import { reasonForm, refundForm, suspenseForm } from '#domain/operator/forms.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { checkMoney } from '../payments/books/check.ts';
import { listMoney } from '../payments/books/list.ts';
import { lastComparison } from '../payments/books/reconcile.ts';
import { suspenseRef } from '../payments/books/suspense.ts';
import { decideSuspense } from './books.ts';
import { confirmAddress, type Console, type View, type Visit } from './console.ts';
import { idOf, read } from './form-fields.ts';
import { payRefundByHand, runByOperator, sendRefundAgain } from './money.ts';
import { REQUESTS } from './request-pages.ts';
import { refundOrAsk } from './requests.ts';
import { moneyView } from './money-views.ts';

const HOME = '/operator/money';

/** Registers the console's page about money and its forms. [BOOK-05] */
export function registerMoney(pages: Console, ctx: Context, adView: (visit: Visit) => Promise<View>): void {
  const view = async ({ confirmed }: Visit): Promise<View> =>
    moneyView(
      await checkMoney(ctx),
      await listMoney(ctx),
      await lastComparison(ctx),
      confirmed ? null : confirmAddress(HOME),
    );
  pages.page(HOME, 'Checks the books, and lists the money work that waits, for the operator', view);
  pages.form(`${HOME}/run`, 'Does all money work that is due', {
    view,
    dangerous: () => HOME,
    act: async (visit) => {
      await runByOperator(ctx, visit.operator, read(reasonForm, visit.body));
      return HOME;
    },
  });
  pages.form('/operator/refunds/:ref/retry', 'Sends an owed refund again', {
    view,
    act: async (visit) => {
      const ref = visit.params['ref'] ?? '';
      if (!/^[0-9a-f-]{36}$/.test(ref)) throw notFound();
      await sendRefundAgain(ctx, visit.operator, { ref, ...read(reasonForm, visit.body) });
      return HOME;
    },
  });
  pages.form('/operator/refunds/:ref/pay', 'Notes that an owed refund was paid by bank transfer', {
    view,
    dangerous: () => HOME,
    act: async (visit) => {
      const ref = visit.params['ref'] ?? '';
      if (!/^[0-9a-f-]{36}$/.test(ref)) throw notFound();
      await payRefundByHand(ctx, visit.operator, { ref, ...read(reasonForm, visit.body) });
      return HOME;
    },
  });
  pages.form('/operator/suspense/:of/:id', 'Decides about money in suspense', {
    view,
    dangerous: () => HOME,
    act: async (visit) => {
      const ref = suspenseRef(`${visit.params['of']}:${visit.params['id']}`);
      if (!ref) throw notFound();
      await decideSuspense(ctx, visit.operator, { ref, ...read(suspenseForm, visit.body) });
      return HOME;
    },
  });
  const ad = (visit: Visit) => `/operator/ads/${idOf(visit)}`;
  pages.form('/operator/ads/:id/refund', 'Refunds the undelivered part of an ad’s campaign', {
    view: adView,
    dangerous: ad,
    act: async (visit) => {
      const refund = { id: idOf(visit), ...read(refundForm, visit.body) };
      return (await refundOrAsk(ctx, visit.operator, refund)) === 'waits' ? REQUESTS : ad(visit);
    },
  });
}
