import { earnedPercent } from '#domain/payments/split.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EARNED } from '#web/ui/format/settings.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { BankAccount } from './bank-account.tsx';
import { PayoutAccount } from './payout-account.tsx';
import { usePayouts } from './payouts-api.ts';

/** The account that we pay a publisher's earnings to. [SET-08] */
export function PayoutSettings() {
  const { data, isError, refetch } = usePayouts();
  return (
    <Card aria-label="Payout Settings">
      <CardHeader
        title="Payout Settings"
        description={`You keep ${data ? earnedPercent(data.commissionPercent) : EARNED}% of every sale. Your share is added to your earnings as the ad is delivered.`}
      />
      {data ? (
        data.method === 'bank' ? (
          <BankAccount account={data.account} bankAccount={data.bankAccount} />
        ) : (
          <PayoutAccount account={data.account} />
        )
      ) : isError ? (
        <div className="mt-4">
          <LoadError what="your payout account" onRetry={refetch} />
        </div>
      ) : (
        <Skeleton className="mt-4 h-24" />
      )}
    </Card>
  );
}
