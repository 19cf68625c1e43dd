import { CreditCard } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { EARLY_ENDS } from '#domain/ads/ended-text.ts';
import { calls } from '#domain/calls.ts';
import type { BuyerPayment } from '#domain/payments/refund-contract.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import { AmountLink } from '#web/ui/amount-link.tsx';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDate, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { DocumentLink, PdfLink } from './document-link.tsx';
import { byMonth, Months } from './months.tsx';

/** The user's payments by month, each with its receipt and its refunds. */
export function MyPayments() {
  const { items, isError, retry, hasMore, loadMore, isLoadingMore } = usePagedList(calls.listMyPayments, {});
  const [now] = useState(() => new Date());
  return (
    <Card aria-label="Payments">
      <CardHeader
        title="Payments"
        description="What you paid, each with its receipt and refunds, and the statement of each month."
      />
      <div className="mt-4">
        {isError ? (
          <LoadError what="your payments" onRetry={retry} />
        ) : !items ? (
          <Skeleton className="h-40" />
        ) : items.length === 0 ? (
          <EmptyState title="No payments yet" icon={<CreditCard aria-hidden="true" />}>
            When you pay for an approved ad, the payment, its receipt and its refunds appear here.
          </EmptyState>
        ) : (
          <>
            <Months
              label="Payments"
              months={byMonth(items, ({ paidAt }) => paidAt.slice(0, 7), now)}
              side="buyer"
              // An ad can have several payments, of which all but one came too late.
              keyOf={({ adPublicId, paidAt }) => `${adPublicId} ${paidAt}`}
              renderLine={(payment) => <PaymentLine payment={payment} />}
            />
            {hasMore && (
              <Button variant="secondary" size="sm" className="mt-4" busy={isLoadingMore} onClick={loadMore}>
                Show more payments
              </Button>
            )}
          </>
        )}
      </div>
    </Card>
  );
}

const PAYMENT_STATES: Record<BuyerPayment['status'], { text: string; tone: Tone }> = {
  paid: { text: 'Paid', tone: 'good' },
  partly_refunded: { text: 'Partly refunded', tone: 'neutral' },
  refunded: { text: 'Refunded', tone: 'neutral' },
};

function PaymentLine({ payment }: { payment: BuyerPayment }) {
  const { text, tone } = PAYMENT_STATES[payment.status];
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span dir="auto" className="min-w-0 flex-1 basis-32 font-medium wrap-anywhere">
          {payment.title}
        </span>
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone={tone}>{text}</Badge>
          <span className="figures font-medium">
            {payment.refunds.some(({ reason }) => isWithoutAd(reason)) ? (
              formatMoney(payment.amount)
            ) : (
              <AmountLink amount={payment.amount} adRef={payment.adPublicId} side="buyer" />
            )}
          </span>
        </span>
      </div>
      <Paper number={payment.receipt} kind="receipt">
        Paid on {formatDate(payment.paidAt)}
      </Paper>
      {payment.refunds.map((refund) => (
        <div
          key={`${refund.at} ${refund.amount} ${refund.status} ${refund.reason}`}
          className="grid gap-1 border-l-2 border-line pl-3 text-ink-soft"
        >
          <Part amount={Number(refund.amount) > 0 ? `−${formatMoney(refund.amount)}` : ''}>
            {stateText(refund)} {formatDate(refund.at)}. {reasonText(refund.reason)}
          </Part>
          {refund.creditNote !== null && <Paper number={refund.creditNote} kind="credit_note" />}
          {Number(refund.cancelFee) > 0 && (
            <Part amount={formatMoney(refund.cancelFee)}>Card fee kept, because you canceled</Part>
          )}
        </div>
      ))}
    </div>
  );
}

type PaperProps = { number: string | null; kind: 'receipt' | 'credit_note'; children?: ReactNode };

/** A document in the line of its amount, as a page and as PDF. */
function Paper({ number, kind, children }: PaperProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-ink-faint">
      {children && <span>{children}</span>}
      {number !== null && (
        <>
          <DocumentLink number={number} kind={kind} />
          <PdfLink number={number} kind={kind} />
        </>
      )}
    </div>
  );
}

function Part({ amount, children }: { amount: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 gap-y-1">
      <span className="min-w-0 flex-1 basis-48">{children}</span>
      <span className="figures whitespace-nowrap">{amount}</span>
    </div>
  );
}

function stateText({ amount, status, reason }: BuyerPayment['refunds'][number]): string {
  if (reason === 'chargeback') return 'Taken back by your bank on';
  return Number(amount) > 0 ? REFUND_STATES[status] : 'Ended without a refund on';
}

const REFUND_STATES: Record<BuyerPayment['refunds'][number]['status'], string> = {
  owed: 'Refund pending since',
  sent: 'Refund on its way to your card since',
  done: 'Refunded to your card on',
};

/** A payment that never put its ad on air has no ledger. */
const isWithoutAd = (reason: BuyerPayment['refunds'][number]['reason']) =>
  reason === 'too_late' || reason === 'not_as_agreed';

function reasonText(reason: BuyerPayment['refunds'][number]['reason']): string {
  if (reason === 'too_late') return 'The payment arrived when the ad could no longer go live.';
  if (reason === 'not_as_agreed') return 'The payment didn’t match your order.';
  if (reason === 'chargeback') return 'The payment was disputed.';
  if (reason === 'operator') return 'The marketplace operator refunded it.';
  if (reason === 'delivered') return 'Some of the campaign’s traffic was invalid.';
  return EARLY_ENDS[reason].advertiser;
}
