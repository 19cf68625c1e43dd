import { SearchX, ShieldX } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Ad } from '#domain/ads/contract.ts';
import { takesConsent } from '#domain/payments/consents.ts';
import { useHasAccess } from '#web/accounts/access-note.tsx';
import { RequestError } from '#web/http/request-error.ts';
import type { Offer } from '#web/payments/consents-api.ts';
import { PayWhenApproved } from '#web/payments/pay-when-approved.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** What the pages "Pay when approved" of an ad and of a plan have in common. */

/** The ads that a card can be saved for when the page opens. They change with the card, and the message about it stays. */
export function useWaiting<Row extends Ad>(ads: readonly Row[]): readonly Row[] {
  const [waiting] = useState(() => ads.filter(takesConsent));
  return waiting;
}

export const approvedOf = (ads: readonly Ad[]): number =>
  ads.filter(({ status }) => status === 'approved').length;

type OfferedProps = {
  /** Absent if no card can be saved. */
  offer: Offer | false | undefined;
  title: string;
  description: string;
  back: { href: string; label: string };
  notNeeded: string;
  summary: ReactNode;
  details?: ReactNode;
};

export function Offered({ offer, title, description, back, notNeeded, summary, details }: OfferedProps) {
  const canBuy = useHasAccess('buyer');
  const link = <ButtonLink href={back.href}>{back.label}</ButtonLink>;
  if (!offer) {
    return (
      <EmptyState title="Nothing to set up" icon={<ShieldX aria-hidden="true" />} action={link}>
        {notNeeded}
      </EmptyState>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
      {summary}
      <Card aria-label="Card" className="grid gap-6 lg:row-span-2">
        <CardHeader title={title} description={description} />
        {canBuy && <PayWhenApproved offer={offer} back={<p>{link}</p>} />}
      </Card>
      {details}
    </div>
  );
}

type LoadingProps = {
  error: Error | null;
  /** Shown if there is nothing at this address. */
  unknown: { title: string; text: string; link: ReactNode };
  what: string;
  onRetry: () => unknown;
};

export function Loading({ error, unknown, what, onRetry }: LoadingProps) {
  if (!error) return <Skeleton className="h-96 rounded-card" />;
  if (!(error instanceof RequestError && error.status === 404))
    return <LoadError what={what} onRetry={() => void onRetry()} />;
  return (
    <EmptyState title={unknown.title} icon={<SearchX aria-hidden="true" />} action={unknown.link}>
      {unknown.text}
    </EmptyState>
  );
}
