import { reasonForm } from '#domain/operator/forms.ts';
import type { Context } from '../context.ts';
import { conflict, notFound } from '../http/errors.ts';
import { ProviderError } from '../adapters/payment-provider.ts';
import { readBooks } from '../payments/books/books.ts';
import { showEvidence } from '../payments/evidence.ts';
import { holdByOperator, releaseByOperator, sendEvidenceByOperator } from './books.ts';
import { booksView, evidenceView } from './books-views.ts';
import { confirmAddress, type Console, type View, type Visit } from './console.ts';
import { idOf, read } from './form-fields.ts';

const HOME = '/operator/books';

/** Registers the console's pages about the books, holds and disputes, and their forms. [BOOK-10] */
export function registerBooks(pages: Console, ctx: Context): void {
  const view = async ({ confirmed }: Visit): Promise<View> =>
    booksView(await readBooks(ctx), confirmed ? null : confirmAddress(HOME));
  pages.page(HOME, 'Owed amounts, what covers them, holds and disputes, for the operator', view);
  pages.form('/operator/holds/:id/release', 'Ends a hold of earnings', {
    view,
    dangerous: () => HOME,
    act: async (visit) => {
      await releaseByOperator(ctx, visit.operator, { id: idOf(visit), ...read(reasonForm, visit.body) });
      return HOME;
    },
  });
  registerEvidence(pages, ctx);
}

/** Registers the form on the page of a publisher or an ad that holds its earnings. */
export function registerHoldForm(
  pages: Console,
  ctx: Context,
  of: 'person' | 'ad',
  page: { path: string; view: (visit: Visit) => Promise<View>; home: (visit: Visit) => string },
): void {
  const { path, view, home } = page;
  pages.form(`${path}/hold`, `Holds the earnings of ${of === 'ad' ? 'an ad' : 'a publisher'}`, {
    view,
    dangerous: home,
    act: async (visit) => {
      await holdByOperator(ctx, visit.operator, { of, id: idOf(visit), ...read(reasonForm, visit.body) });
      return HOME;
    },
  });
}

function registerEvidence(pages: Console, ctx: Context): void {
  const address = (visit: Visit) => `/operator/evidence/${disputeOf(visit)}`;
  const view = async (visit: Visit): Promise<View> =>
    evidenceView(
      disputeOf(visit),
      await showEvidence(ctx, disputeOf(visit)),
      visit.confirmed ? null : confirmAddress(address(visit)),
    );
  pages.page('/operator/evidence/:id', 'The evidence of a dispute, for the operator', view);
  pages.form('/operator/evidence/:id/send', 'Sends the evidence of a dispute to the bank', {
    view,
    dangerous: address,
    act: async (visit) => {
      const { reason } = read(reasonForm, visit.body);
      try {
        await sendEvidenceByOperator(ctx, visit.operator, { disputeId: disputeOf(visit), reason });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        throw conflict(
          'The card provider did not take the evidence. We try again by ourselves in 15 minutes.',
        );
      }
      return HOME;
    },
  });
}

/** The provider's id in the path. Throws 404 if no dispute can have it. */
function disputeOf({ params }: Visit): string {
  const id = params['id'] ?? '';
  if (!/^\w{1,100}$/.test(id)) throw notFound();
  return id;
}
