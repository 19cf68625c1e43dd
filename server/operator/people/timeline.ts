/** What happened to a person, a website, an ad zone or an ad, as the console shows it in one list. */
import { actorText, actWords, type Subject } from '#domain/operator/acts.ts';
import type { CaseEvent } from '#domain/operator/console/cases-contract.ts';
import { type Currency, decimalOf } from '#domain/money.ts';
import type { RefundStatus } from '#domain/payments/refund-status.ts';
import type { RefundCause } from '#domain/payments/refunds.ts';
import { REPORT_REASONS } from '#domain/transparency/report-reasons.ts';
import type { ReportedCase } from '#server/market/transparency/moderate.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { readableEmail } from '#server/platform/net/web-address.ts';
import { listActsAround } from '../store.ts';
import type { Shown } from './find.ts';
import { listPaidBy, listPaidFor, listRefundsOf, listSoldBy, type PaidRow } from '../store-case.ts';
import type { TrailRow } from './trail.ts';

/** Of each kind of event. More would not be read. */
const MAX_EVENTS = 50;

/** The file of one thing of this kind. */
export type Case = Shown & { subject: Subject };

/** The address of a file. */
type PathOf = (subject: Subject, id: number) => string;

const NOTHING = { by: null, detail: null, sum: null, link: null } as const;

const BEGINNINGS: Record<Subject, string> = {
  person: 'Signed up',
  website: 'Registered',
  zone: 'Created',
  ad: 'Submitted',
};

/** Newest first. `reported` is that of an ad. */
export async function timelineOf(
  tx: Tx,
  shown: Case,
  reported: ReportedCase | null,
  pathOf: PathOf,
): Promise<CaseEvent[]> {
  const { subject, id, createdAt, file } = shown;
  const acts = subject === 'person' ? await listActsAround(tx, id, MAX_EVENTS) : shown.acts;
  const terms = file?.acceptedTerms;
  const events: CaseEvent[] = [
    { ...NOTHING, key: 'begin', kind: 'begin', at: createdAt.toISOString(), text: BEGINNINGS[subject] },
    ...(terms
      ? [
          {
            ...NOTHING,
            key: 'terms',
            kind: 'begin' as const,
            at: terms.acceptedAt.toISOString(),
            text: `Accepted the terms, version ${terms.version}`,
          },
        ]
      : []),
    ...acts.flatMap(eventsOfAct),
    ...(await moneyEvents(tx, shown, pathOf)),
    ...reportEvents(reported),
  ];
  return events.toSorted((one, other) => other.at.localeCompare(one.at));
}

function eventsOfAct(act: TrailRow): CaseEvent[] {
  const { id, actedAt, reason, appealBody, appealedAt, outcome } = act;
  const done: CaseEvent = {
    ...NOTHING,
    key: `act-${id}`,
    kind: 'act',
    at: actedAt.toISOString(),
    text: actWords(act),
    by: readableActor(actorText(act)),
    detail: reason,
  };
  if (appealBody === null || appealedAt === null) return [done];
  return [
    done,
    {
      ...NOTHING,
      key: `answer-${id}`,
      kind: 'answer',
      at: appealedAt.toISOString(),
      text: outcome === null ? 'Answered, waits for your decision' : `Answered, ${outcome}`,
      detail: appealBody,
      link: { path: `/operator/appeals/${id}`, label: 'Open the answer' },
    },
  ];
}

function reportEvents(reported: ReportedCase | null): CaseEvent[] {
  return (reported?.reports ?? []).map(({ reason, details, email, createdAt, closedAt, creative }, at) => ({
    ...NOTHING,
    key: `report-${at}`,
    kind: 'report',
    at: createdAt.toISOString(),
    text: `Reported: ${REPORT_REASONS[reason]}${creative === null ? '' : ` (about “${creative}”)`}${closedAt === null ? '' : ', closed'}`,
    by: email,
    detail: details === '' ? null : details,
  }));
}

const CAUSES: Record<RefundCause, string> = {
  delivered: 'The campaign ended',
  canceled: 'The advertiser canceled',
  taken_down: 'The ad was taken down',
  tag_silent: 'The tag was silent',
  quota_unfinished: 'The goal was not reached in time',
  publisher_suspended: 'The publisher was suspended',
  fraud_warning: 'The bank warned of fraud',
  operator: 'An operator decided so',
  target_refused: 'The new target was refused',
  too_late: 'The payment came too late',
  not_as_agreed: 'The payment was not as agreed',
};
const STATES: Record<RefundStatus, string> = {
  owed: 'Refund, not sent yet',
  sent: 'Refund on its way',
  done: 'Refunded',
};

async function moneyEvents(tx: Tx, shown: Case, pathOf: PathOf): Promise<CaseEvent[]> {
  const payments = await paymentsOf(tx, shown);
  const refunds = await listRefundsOf(
    tx,
    payments.map(({ id }) => id),
    MAX_EVENTS,
  );
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  const sum = (amountCents: number, currency: Currency) => ({ amount: decimalOf(amountCents), currency });
  const linkTo = ({ adId, title }: PaidRow) =>
    shown.subject === 'ad' ? null : { path: pathOf('ad', adId), label: title };
  return [
    ...payments.map((payment): CaseEvent => ({
      ...NOTHING,
      key: `payment-${payment.id}`,
      kind: 'payment',
      at: payment.paidAt.toISOString(),
      text: shown.subject === 'ad' || payment.isOwn ? 'Paid' : 'Sold',
      sum: sum(payment.amountCents, payment.currency),
      link: linkTo(payment),
    })),
    ...refunds.flatMap(({ id, paymentId, cause, status, note, amountCents, createdAt }) => {
      const payment = byId.get(paymentId);
      if (!payment) return [];
      const event: CaseEvent = {
        ...NOTHING,
        key: `refund-${id}`,
        kind: 'refund',
        at: createdAt.toISOString(),
        text: STATES[status],
        detail: [CAUSES[cause], ...(note === null ? [] : [note])].join(': '),
        sum: sum(amountCents, payment.currency),
        link: linkTo(payment),
      };
      return [event];
    }),
  ];
}

/** `isOwn`: the person of the file paid it. Otherwise it was paid for one of their ad zones. */
async function paymentsOf(tx: Tx, shown: Case): Promise<(PaidRow & { isOwn: boolean })[]> {
  const { subject, id, thing } = shown;
  const own = subject === 'person' ? await listPaidBy(tx, id, MAX_EVENTS) : [];
  const ads =
    subject === 'person'
      ? await listSoldBy(tx, id, MAX_EVENTS)
      : subject === 'ad'
        ? [id]
        : (thing?.ads ?? []).map((ad) => ad.id);
  const sold = ads.length === 0 ? [] : await listPaidFor(tx, ads, MAX_EVENTS);
  const paid = new Set(own.map((payment) => payment.id));
  return [
    ...own.map((payment) => ({ ...payment, isOwn: true })),
    ...sold.filter((payment) => !paid.has(payment.id)).map((payment) => ({ ...payment, isOwn: false })),
  ];
}

/** An operator's address with its domain as people read it. */
export const readableActor = (by: string): string => (by.includes('@') ? readableEmail(by) : by);
