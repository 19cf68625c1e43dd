import { useState, type ReactNode } from 'react';
import { CreditCard } from 'lucide-react';
import { calls } from '#domain/calls.ts';
import type { Consent } from '#domain/payments/consent-contract.ts';
import type { ConsentAdState } from '#domain/payments/consents.ts';
import { type PagedList, usePagedList } from '#web/http/paged-list.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDate, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { cardName, useWithdrawConsent } from './consents-api.ts';

/** Whether the card can still be charged for an ad. */
const isInUse = ({ state, ads }: Consent) =>
  state !== 'withdrawn' && ads.some((ad) => ad.state === 'active' || ad.state === 'charging');

/**
 * The cards that the user allows us to charge on approval, with what is used and left of each limit. Those that can't be
 * charged any more are folded. `portal` leads to the provider's own page about cards.
 */
export function MyConsents({ portal }: { portal: ReactNode }) {
  const list = usePagedList(calls.listConsents, {});
  const { isError, retry } = list;
  // One that ended before its card was saved never allowed anything.
  const items = list.items?.filter(({ state, card }) => state !== 'withdrawn' || card !== null);
  const inUse = items?.filter(isInUse) ?? [];
  const earlier = items?.filter((consent) => !isInUse(consent)) ?? [];
  const [asked, setAsked] = useState<Consent>();
  const withdraw = useWithdrawConsent();
  return (
    <Card aria-label="Saved cards">
      <CardHeader
        title="Saved cards"
        description="Cards that we may charge when a publisher approves your ads. Remove one at any time until the charge."
        actions={portal}
      />
      <div className="mt-4 grid gap-2">
        {isError ? (
          <LoadError what="your saved cards" onRetry={retry} />
        ) : !items ? (
          <Skeleton className="h-24" />
        ) : items.length === 0 ? (
          <EmptyState title="No saved cards" icon={<CreditCard aria-hidden="true" />}>
            Tick “Charge a card when approved” when you create an ad, and the card appears here.
          </EmptyState>
        ) : (
          <>
            {inUse.length > 0 ? (
              <Consents consents={inUse} onWithdraw={setAsked} />
            ) : (
              <p className="text-sm text-ink-soft">No card is waiting for an approval.</p>
            )}
            {(earlier.length > 0 || list.hasMore) && (
              <EarlierCards consents={earlier} list={list} onWithdraw={setAsked} />
            )}
          </>
        )}
      </div>
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setAsked(undefined)}
          title="Remove this card?"
          confirmLabel="Remove card"
          busy={withdraw.isPending}
          onConfirm={() => withdraw.mutate({ id: asked.id }, { onSuccess: () => setAsked(undefined) })}
        >
          We won’t charge it for ads that are approved from now on. Charges that were already sent stand. You
          can pay for approved ads by hand until their approvals expire.
        </ConfirmDialog>
      )}
    </Card>
  );
}

type EarlierCardsProps = {
  consents: readonly Consent[];
  list: PagedList<Consent>;
  onWithdraw: (consent: Consent) => void;
};

function EarlierCards({ consents, list, onWithdraw }: EarlierCardsProps) {
  const { hasMore, loadMore, isLoadingMore } = list;
  return (
    <Disclosure label={`Earlier cards (${consents.length}${hasMore ? '+' : ''})`}>
      {() => (
        <>
          <Consents consents={consents} onWithdraw={onWithdraw} />
          {hasMore && (
            <Button variant="secondary" size="sm" className="mt-4" busy={isLoadingMore} onClick={loadMore}>
              Show more
            </Button>
          )}
        </>
      )}
    </Disclosure>
  );
}

function Consents({
  consents,
  onWithdraw,
}: {
  consents: readonly Consent[];
  onWithdraw: (consent: Consent) => void;
}) {
  return (
    <ul className="divide-y divide-line border-t border-line text-sm">
      {consents.map((consent) => (
        <li key={consent.id} className="grid gap-2 py-3">
          <ConsentItem consent={consent} onWithdraw={() => onWithdraw(consent)} />
        </li>
      ))}
    </ul>
  );
}

function ConsentItem({ consent, onWithdraw }: { consent: Consent; onWithdraw: () => void }) {
  const { state, card, limit, used, ads, createdAt } = consent;
  const canWithdraw = state !== 'withdrawn' && ads.some((ad) => ad.state === 'active');
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="font-medium">{card ? cardName(card) : 'Card not saved yet'}</span>
        <span className="figures">
          {formatMoney(used)} of {formatMoney(limit)} charged
        </span>
        <span className="flex w-full flex-wrap items-center justify-between gap-x-4 gap-y-1 text-ink-faint">
          {state === 'withdrawn' ? 'Removed. ' : ''}Since {formatDate(createdAt)}
          {canWithdraw && (
            <Button variant="secondary" size="sm" onClick={onWithdraw}>
              Remove card
            </Button>
          )}
        </span>
      </div>
      <ul className="grid gap-1 border-l-2 border-line pl-3 text-ink-soft">
        {ads.map((ad) => (
          <li key={ad.publicId} className="flex flex-wrap justify-between gap-x-4">
            <span dir="auto" className="min-w-0 flex-1 basis-40 wrap-anywhere">
              {ad.title}
            </span>
            <span>
              {formatMoney(ad.amount)} · {AD_STATES[ad.state]}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

const AD_STATES: Record<ConsentAdState, string> = {
  active: 'charged on approval',
  charging: 'being charged',
  paid: 'paid',
  needs_action: 'your bank wants you to confirm, pay on the dashboard',
  failed: 'not charged, pay on the dashboard',
  withdrawn: 'card removed',
};
