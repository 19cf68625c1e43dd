import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { calls } from '#domain/calls.ts';
import type { BuyerPayment } from '#domain/payments/refund-contract.ts';
import { livePolling } from '#web/http/live-polling.ts';
import { read } from '#web/http/query.ts';
import { AmountLink } from '#web/ui/amount-link.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { DocumentLink } from './document-link.tsx';

/** A page of payments, the newest first. Billing has the older ones. */
const NEWEST = 100;

/** An advertiser's money of one paid ad: what was paid, delivered and refunded, and the receipts of it. */
export function CampaignMoney({ adRef, seesReceipts }: { adRef: string; seesReceipts: boolean }) {
  const params = { ref: adRef };
  const query = { side: 'buyer', limit: 1 } as const;
  const { data, isError, refetch } = useQuery({
    ...read(calls.getAdLedger, { params, query }),
    ...livePolling(true),
  });
  if (!data)
    return isError ? (
      <LoadError what="the amounts" onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-32" />
    );
  const { total, earned, refunded, kept, open } = data;
  const rows = [
    ['Delivered', earned],
    ['Refunded', refunded],
    ...(Number(kept) === 0 ? [] : [['Card fee', kept] as const]),
    ['Open', open],
  ] as const;
  return (
    <div className="grid gap-3 text-sm">
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5">
        <dt className="font-medium">You paid</dt>
        <dd className="text-right font-medium">
          <AmountLink amount={total} adRef={adRef} side="buyer" />
        </dd>
        {rows.map(([name, amount]) => (
          <div key={name} className="contents text-ink-soft">
            <dt>{name}</dt>
            <dd className="figures text-right">{formatMoney(amount)}</dd>
          </div>
        ))}
      </dl>
      {seesReceipts && <Receipts adRef={adRef} />}
    </div>
  );
}

function Receipts({ adRef }: { adRef: string }) {
  const { data } = useQuery(read(calls.listMyPayments, { query: { limit: NEWEST } }));
  const own = data?.filter(({ adPublicId }) => adPublicId === adRef) ?? [];
  return (
    <ul aria-label="Receipts" className="grid gap-1.5 border-t border-line pt-3">
      {own.flatMap(documentsOf).map(([kind, number]) => (
        <li key={number}>
          <DocumentLink number={number} kind={kind} />
        </li>
      ))}
      <li>
        <Link
          href="/billing"
          className="rounded-tight text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent"
        >
          All receipts
        </Link>
      </li>
    </ul>
  );
}

function documentsOf({ receipt, refunds }: BuyerPayment): ['receipt' | 'credit_note', string][] {
  return [
    ...(receipt === null ? [] : [['receipt', receipt] as ['receipt', string]]),
    ...refunds.flatMap(({ creditNote }) =>
      creditNote === null ? [] : [['credit_note', creditNote] as ['credit_note', string]],
    ),
  ];
}
