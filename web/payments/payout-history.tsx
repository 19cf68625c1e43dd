import type { Payouts, PayoutStatus } from '#domain/payments/payout-contract.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { formatDate, formatMoney } from '#web/ui/format/format.ts';
import { ContinueSetUp } from './payout-account.tsx';

const STATUSES: Record<PayoutStatus, { name: string; tone: Tone }> = {
  sent: { name: 'On its way', tone: 'accent' },
  paid: { name: 'Paid', tone: 'good' },
  failed: { name: 'Failed', tone: 'bad' },
  reversed: { name: 'Taken back', tone: 'warn' },
};

/** How many payouts are shown before the reader asks for the others. */
const SHOWN = 4;

type HistoryProps = Pick<Payouts, 'history' | 'account' | 'method'>;

/** The publisher's payouts, newest first. */
export function PayoutHistory(props: HistoryProps) {
  const { history } = props;
  const earlier = history.slice(SHOWN);
  return (
    <section aria-label="Payout history" className="grid gap-2 text-sm">
      <h3 className="text-base font-semibold">History</h3>
      <PayoutLines {...props} history={history.slice(0, SHOWN)} hasNewest />
      {earlier.length > 0 && (
        <Disclosure label={`Earlier payouts (${earlier.length})`}>
          {() => <PayoutLines {...props} history={earlier} />}
        </Disclosure>
      )}
    </section>
  );
}

/** If the newest payout has failed, it has a button to update the account's details at the card provider. */
function PayoutLines({
  history,
  account,
  method,
  hasNewest = false,
}: HistoryProps & { hasNewest?: boolean }) {
  const { state, country } = account;
  return (
    <ul className="divide-y divide-line border-y border-line">
      {history.map(({ id, at, amount, status, message }, place) => (
        <li key={id} className="grid gap-2 py-2.5">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="text-ink-soft">{formatDate(at)}</span>
            <span className="flex items-center gap-2">
              <Badge tone={STATUSES[status].tone}>{STATUSES[status].name}</Badge>
              <span className="figures font-medium">{formatMoney(amount)}</span>
            </span>
          </div>
          {message && <p className="text-ink-soft">{message}</p>}
          {status === 'failed' && hasNewest && place === 0 && country !== null && method === 'connect' && (
            <ContinueSetUp account={{ state, country }} />
          )}
        </li>
      ))}
    </ul>
  );
}
