import { useEffect, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { centsOf, decimalOf } from '#domain/money.ts';
import { HOLD_REASONS, HOLD_TEXTS, type HoldReason } from '#domain/payments/holds.ts';
import type { Payouts as PayoutsReply } from '#domain/payments/payout-contract.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatDate, formatDateTime, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { PayOutNow } from './pay-out-now.tsx';
import { PayoutHistory } from './payout-history.tsx';
import { PayoutSettings } from './payout-settings.tsx';
import { usePayouts } from './payouts-api.ts';

/** A publisher's earnings by state with the dates of the coming payouts, and the account that we pay them to. */
export function Payouts() {
  const cameBack = useCameBack();
  const { data, isError, refetch } = usePayouts({ isChecking: cameBack === 'returned' });
  return (
    <>
      {cameBack && data?.account.state !== 'ready' && <CameBack how={cameBack} />}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card aria-label="Payouts">
          <CardHeader
            title="Payouts"
            description="Every Monday, we pay out your available earnings to your bank account."
            actions={data && <PayOutNow payouts={data} />}
          />
          <div className="mt-4">
            {isError ? (
              <LoadError what="your payouts" onRetry={refetch} />
            ) : data ? (
              <Balance payouts={data} />
            ) : (
              <Skeleton className="h-72" />
            )}
          </div>
        </Card>
        {!isError && <PayoutSettings />}
      </div>
    </>
  );
}

/** The balance and the payouts so far, for a publisher whose account is suspended. */
export function PayoutBalance() {
  const { data, isError, refetch } = usePayouts({ isChecking: false });
  return (
    <Card aria-label="Balance">
      <CardHeader
        title="Balance"
        description="If your account is restored, the next weekly payout includes it."
      />
      <div className="mt-4">
        {isError ? (
          <LoadError what="your balance" onRetry={refetch} />
        ) : data ? (
          <Balance payouts={data} isSuspended />
        ) : (
          <Skeleton className="h-72" />
        )}
      </div>
    </Card>
  );
}

function Balance({ payouts, isSuspended = false }: { payouts: PayoutsReply; isSuspended?: boolean }) {
  const { available, pending, held, paidOut, owed, tax, account, method, holds, history } = payouts;
  return (
    <div className="grid gap-5">
      <div className="grid gap-4 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-10">
        <div className="grid content-start gap-1">
          <p className="text-sm text-ink-soft">Available</p>
          <p className="figures font-display text-3xl font-semibold tracking-tight" data-testid="available">
            {formatMoney(available)}
          </p>
        </div>
        {!isSuspended && <ComingPayouts payouts={payouts} />}
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-t border-line pt-4 text-sm sm:grid-cols-3">
        <Figure
          label="Pending"
          amount={pending}
          note="Recent earnings. We wait a few days before we pay them out."
        />
        <Figure
          label="On hold"
          amount={held}
          note={Number(held) > 0 && 'Until the holds below have ended.'}
        />
        <Figure label="Paid out" amount={paidOut} />
        {Number(owed) > 0 && (
          <Figure
            label="You owe"
            amount={owed}
            note="You no longer earn this amount, but we had already paid it out to you. We deduct it from your next earnings."
          />
        )}
        {Number(tax) !== 0 && (
          <Figure
            label="Of this, tax"
            amount={tax}
            note="The tax that your self-billing invoices added to your earnings. The amounts above contain it."
          />
        )}
      </dl>
      {holds.length > 0 && <Holds holds={holds} />}
      {history.length > 0 && <PayoutHistory history={history} account={account} method={method} />}
    </div>
  );
}

/** The dates of the coming payouts, each with its amount, as the server knows them from the hold days. [PAYO-600] */
function ComingPayouts({
  payouts: { available, pending, expected, minimum, nextPayoutAt, account, history },
}: {
  payouts: PayoutsReply;
}) {
  const unpaid = centsOf(available) + centsOf(pending);
  const later = unpaid - expected.reduce((sum, { amount }) => sum + centsOf(amount), 0);
  const note = noteOf();
  return (
    <section aria-label="Coming payouts" className="grid content-start gap-1 text-sm">
      <h3 className="text-ink-soft">{history.length === 0 ? 'Your first payouts' : 'Coming payouts'}</h3>
      {expected.length > 0 && (
        <ol className="border-l-2 border-accent/40">
          {expected.map(({ at, amount }) => (
            <li key={at} className="flex items-baseline justify-between gap-x-4 py-1 pl-3">
              <time dateTime={at}>{formatDate(at)}</time>
              <span className="figures font-medium">{formatMoney(amount)}</span>
            </li>
          ))}
        </ol>
      )}
      {note !== null && <p className="max-w-prose text-ink-soft">{note}</p>}
    </section>
  );

  function noteOf(): string | null {
    if (account.state !== 'ready' && unpaid > 0)
      return expected.length > 0
        ? 'These payouts leave once your payout account is set up.'
        : `Set up your payout account. A payout leaves on a Monday, once ${formatMoney(minimum)} is available.`;
    if (later > 0)
      return expected.length > 0
        ? `The other ${formatMoney(decimalOf(later))} leaves once it has grown to ${formatMoney(minimum)}.`
        : `A payout leaves on a Monday, once ${formatMoney(minimum)} is available.`;
    if (unpaid > 0) return null;
    return history.length === 0
      ? `They start on ${formatDate(nextPayoutAt)} at the earliest, once you have earned ${formatMoney(minimum)}.`
      : `The next one is on ${formatDate(nextPayoutAt)}, if you earn ${formatMoney(minimum)} or more.`;
  }
}

function Figure({ label, amount, note }: { label: string; amount: string; note?: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-0.5">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="figures text-base font-medium">{formatMoney(amount)}</dd>
      {note && <dd className="text-xs text-ink-faint">{note}</dd>}
    </div>
  );
}

/** The page on which the publisher can end a hold. Other holds end automatically, or the operator ends them. */
const STEPS: Partial<Record<HoldReason, { href: string; label: string }>> = {
  unverified_site: { href: '/ad-zones', label: 'Verify your website' },
  payout_change: { href: '/settings?tab=security', label: 'Not you? Review your sessions' },
};

/** Lists the holds by reason, so that each reason and its step are shown once. */
function Holds({ holds }: Pick<PayoutsReply, 'holds'>) {
  return (
    <section aria-label="On hold" className="grid gap-2 text-sm">
      <h3 className="text-base font-semibold">On hold</h3>
      <ul className="divide-y divide-line border-y border-line">
        {HOLD_REASONS.map((reason) => (
          <HeldFor key={reason} reason={reason} holds={holds.filter((hold) => hold.reason === reason)} />
        ))}
      </ul>
    </section>
  );
}

function HeldFor({ reason, holds }: { reason: HoldReason } & Pick<PayoutsReply, 'holds'>) {
  if (holds.length === 0) return null;
  const step = STEPS[reason];
  return (
    <li className="grid gap-2 py-3">
      <p className="max-w-prose text-ink-soft">
        {HOLD_TEXTS[reason]}{' '}
        {step && (
          <ButtonLink href={step.href} variant="link">
            {step.label}
          </ButtonLink>
        )}
      </p>
      <ul className="grid gap-2">
        {holds.map(({ id, amount, until, adPublicId, adTitle }) => (
          <li key={id} className="flex items-baseline justify-between gap-x-4">
            <p className="min-w-0 wrap-anywhere">
              {adPublicId ? <AdLink adPublicId={adPublicId} title={adTitle} /> : 'All your earnings'}
              {until && (
                <span className="block text-xs text-ink-faint">
                  {reason === 'payout_change'
                    ? `Until ${formatDateTime(until)}`
                    : `At least until ${formatDate(until)}`}
                </span>
              )}
            </p>
            <p className="figures font-medium text-warn">{formatMoney(amount)}</p>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Links to the ad's ledger. */
function AdLink({ adPublicId, title }: { adPublicId: string; title: string | null }) {
  return (
    <Link
      href={`/ledger/${adPublicId}?side=publisher`}
      className="rounded-tight font-medium underline decoration-line-strong/60 underline-offset-4 hover:decoration-ink"
    >
      <bdi>{title}</bdi>
    </Link>
  );
}

const WAYS = ['returned', 'expired'] as const;
type Way = (typeof WAYS)[number];

/**
 * Reads from the address how the publisher came back from the card provider, and cleans the address. It proves nothing,
 * so the server asks the provider.
 */
function useCameBack(): Way | null {
  const [way] = useState(() => {
    const given = new URLSearchParams(window.location.search).get('payouts');
    return WAYS.find((each) => each === given) ?? null;
  });
  const [, navigate] = useLocation();
  useEffect(() => {
    if (way !== null) navigate('/earnings', { replace: true });
  }, [way, navigate]);
  return way;
}

function CameBack({ how }: { how: Way }) {
  return how === 'expired' ? (
    <Banner tone="warn" title="The link to the card provider has expired">
      Each link works once and for a few minutes. Continue under Payout Settings to get a new one.
    </Banner>
  ) : (
    <Banner title="Checking with the card provider">
      This can take a minute. The state of your account below updates by itself.
    </Banner>
  );
}
