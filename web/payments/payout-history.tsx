import type { Payouts, PayoutStatus } from '#domain/payments/payout-contract.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { formatDate, formatMoney } from '#web/ui/format/format.ts';
import { ContinueSetUp } from './payout-account.tsx';

const STATUSES: Record<PayoutStatus, { name: string; tone: Tone }> = {
  sent: { name: 'On its way', tone: 'accent' },
  paid: { name: 'Paid', tone: 'good' },
  failed: { name: 'Failed', tone: 'bad' },
  reversed: { name: 'Taken back', tone: 'warn' },
};

/** The publisher's payouts, newest first. If the newest has failed, it has a button to update the account's details at the card provider. */
export function PayoutHistory({ history, account, method }: Pick<Payouts, 'history' | 'account' | 'method'>) {
  const { state, country } = account;
  return (
    <section aria-label="Payout history" className="grid gap-2 text-sm">
      <h3 className="text-base font-semibold">History</h3>
      <ul className="divide-y divide-line border-y border-line">
        {history.map(({ id, at, amount, status, message }, place) => (
          <li key={id} className="grid gap-2 py-3">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <span className="text-ink-soft">{formatDate(at)}</span>
              <span className="flex items-center gap-2">
                <Badge tone={STATUSES[status].tone}>{STATUSES[status].name}</Badge>
                <span className="figures font-medium">{formatMoney(amount)}</span>
              </span>
            </div>
            {message && <p className="text-ink-soft">{message}</p>}
            {status === 'failed' && place === 0 && country !== null && method === 'connect' && (
              <ContinueSetUp account={{ state, country }} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
