/** The pages about owed, held and disputed money. [BOOK-10] */
import { randomUUID } from 'node:crypto';
import { countryName } from '#domain/countries.ts';
import { decimalOf } from '#domain/money.ts';
import { getDisputeEvidence, getOperatorBooks } from '#domain/operator/console/books-contract.ts';
import { stageOf, takesEvidence } from '#domain/payments/disputes.ts';
import { percentOf } from '#domain/payments/tax.ts';
import {
  type Books,
  keptIn,
  type OpenDispute,
  type OpenHold,
  readBooks,
  taxOwedTo,
} from '#server/money/books/books.ts';
import { showEvidence } from '#server/money/disputes/evidence.ts';
import { businessDay } from '#server/money/documents/business-day.ts';
import type { Context } from '#server/platform/context.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import type { OperatorCaller } from '#server/platform/http/who-may-call.ts';
import {
  BOOK_DEBT_PAID,
  PAY_TAX,
  REFUND_TAX,
  RELEASE,
  SEND_EVIDENCE,
  WRITE_OFF,
} from '../acts/acts-about-money.ts';
import { formOf, offers } from '../acts/define-act.ts';
import { findAdsNamed, type NamedAd } from '../store-find.ts';

type Ads = ReadonlyMap<string, NamedAd>;
type Desk = { ctx: Context; operator: OperatorCaller };

export const booksRoutes: Route[] = [
  route(getOperatorBooks, { access: 'operator' }, async (ctx, operator) => {
    const books = await readBooks(ctx);
    const { missing: _, ...covered } = books.covered;
    const ads = await findAdsNamed(ctx.db, [
      ...books.disputes.map(({ ad }) => ad),
      ...books.holds.flatMap(({ ad }) => ad ?? []),
    ]);
    const desk: Desk = { ctx, operator };
    return {
      owed: decimals(books.owed),
      covered: decimals(covered),
      yours: decimalOf(keptIn(books)),
      waived: decimalOf(books.waived),
      ageing: books.ageing.map(({ days, ...sums }) => ({ days, ...decimals(sums) })),
      taxOwed: await Promise.all(books.taxOwed.map((tax) => shownTax(desk, tax, books.taxOwed))),
      creditors: books.creditors.map(({ userId, email, amountCents }) => ({
        userId,
        email,
        amount: decimalOf(amountCents),
      })),
      debtors: await Promise.all(books.debtors.map((debtor) => shownDebtor(desk, debtor))),
      disputes: books.disputes.map((dispute) => shownDispute(dispute, ads)),
      holds: await Promise.all(books.holds.map((hold) => shownHold(desk, hold, books, ads))),
    };
  }),
  route(getDisputeEvidence, { access: 'operator' }, async (ctx, operator, { params: { id } }) => {
    const evidence = await showEvidence(ctx, id);
    const { disputes } = await readBooks(ctx);
    return {
      id,
      evidence: Object.entries(evidence).map(([name, text]) => ({
        name: EVIDENCE_NAMES[name] ?? name,
        text,
      })),
      acts: await offers([
        disputes.some((dispute) => dispute.id === id && isAnswerable(dispute)) &&
          formOf(SEND_EVIDENCE).offer(ctx, operator, { ids: { id } }),
      ]),
    };
  }),
];

const EVIDENCE_NAMES: Record<string, string> = {
  productDescription: 'What was sold',
  customerName: 'Customer',
  customerEmail: 'E-mail address',
  serviceDate: 'First day of the delivery',
  activityLog: 'Delivery',
  refundPolicy: 'Terms of refunds',
  cancellationPolicy: 'Terms of cancellation',
  summary: 'What happened',
};

const decimals = <Sums extends Record<string, number>>(sums: Sums) =>
  Object.fromEntries(Object.entries(sums).map(([name, cents]) => [name, decimalOf(cents)])) as {
    [Name in keyof Sums]: string;
  };

const isAnswerable = ({ status, evidence }: OpenDispute): boolean =>
  takesEvidence(status) && evidence !== 'sent';

async function shownTax(desk: Desk, tax: Books['taxOwed'][number], taxes: Books['taxOwed']) {
  return {
    country: tax.country,
    rate: percentOf(tax.rate),
    amount: decimalOf(tax.amountCents),
    output: decimalOf(tax.outputCents),
    input: decimalOf(tax.inputCents),
    acts: await taxActs(desk, tax, taxes),
  };
}

/** The payment that the row of a rate is about, at most what is owed to the country or by it; none if that is nothing. */
async function taxActs(
  { ctx, operator }: Desk,
  { country, rate, amountCents }: Books['taxOwed'][number],
  taxes: Books['taxOwed'],
) {
  const total = taxOwedTo(country, taxes);
  const isRefund = amountCents < 0;
  const most = isRefund ? Math.min(-amountCents, -total) : Math.min(amountCents, total);
  const today = businessDay(ctx, ctx.now());
  return await offers([
    most > 0 &&
      formOf(isRefund ? REFUND_TAX : PAY_TAX).offer(ctx, operator, {
        hidden: { country, rate: percentOf(rate), ref: randomUUID() },
        fields: [
          {
            name: 'paid',
            label: `Amount, ${countryName(country)} at ${percentOf(rate)}%`,
            kind: 'amount',
            value: decimalOf(most),
            isRequired: true,
            max: 12,
          },
          { name: 'day', label: 'Day of the payment', kind: 'date', value: today, isRequired: true },
        ],
      }),
  ]);
}

async function shownDebtor({ ctx, operator }: Desk, debtor: Books['debtors'][number]) {
  const { userId, name, email, movedAt, isDoubtful } = debtor;
  const amount = decimalOf(debtor.amountCents);
  const offered = () => ({
    ids: { id: userId },
    hidden: { ref: randomUUID() },
    fields: [
      {
        name: 'amount',
        label: 'Amount',
        kind: 'amount' as const,
        value: amount,
        isRequired: true,
        max: 12,
        hint: 'Enter less for a part of the debt.',
      },
    ],
  });
  return {
    userId,
    name,
    email,
    amount,
    changedAt: movedAt.toISOString(),
    isDoubtful,
    acts: await offers([
      formOf(BOOK_DEBT_PAID).offer(ctx, operator, offered()),
      formOf(WRITE_OFF).offer(ctx, operator, offered()),
    ]),
  };
}

function shownDispute(dispute: OpenDispute, ads: Ads) {
  const { id, adId, ad, status, reason, currency, openedAt, dueAt, evidence, evidenceError } = dispute;
  return {
    id,
    ad: ads.get(ad) ?? { id: adId, title: ad },
    stage: stageOf(status),
    status: status.replaceAll('_', ' '),
    reason: reason.replaceAll('_', ' '),
    amount: decimalOf(dispute.amountCents),
    currency,
    openedAt: openedAt.toISOString(),
    dueAt: dueAt?.toISOString() ?? null,
    evidence,
    evidenceError,
    isAnswerable: isAnswerable(dispute),
  };
}

async function shownHold({ ctx, operator }: Desk, hold: OpenHold, { disputes }: Books, ads: Ads) {
  const { id, userId, email, adId, ad, reason, amountCents, since, until } = hold;
  const isDisputed = reason === 'dispute' && disputes.some((each) => each.adId === adId);
  return {
    id,
    userId,
    email,
    ad: (ad !== null && ads.get(ad)) || null,
    reason,
    amount: decimalOf(amountCents),
    since: since.toISOString(),
    until: until?.toISOString() ?? null,
    acts: await offers([!isDisputed && formOf(RELEASE).offer(ctx, operator, { ids: { id } })]),
  };
}
