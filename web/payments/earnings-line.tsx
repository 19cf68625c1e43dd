import { formatDateTime, formatMoney } from '#web/ui/format/format.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { usePayouts } from './payouts-api.ts';

/**
 * A publisher's earnings by state, shown below the total. It keeps its height while it loads, and it is absent if the
 * call fails. [PYEE-08]
 */
export function EarningsLine() {
  const { data, isError } = usePayouts();
  if (isError) return null;
  const changed = data?.holds.find(({ reason }) => reason === 'payout_change');
  const figures = [
    ['Available', data?.available],
    ['Pending', data?.pending],
    ['On hold', data?.held],
    ['Paid out', data?.paidOut],
  ] as const;
  return (
    <section
      aria-label="Payouts"
      className="flex flex-wrap items-center gap-x-6 gap-y-2 rounded-card border border-line bg-surface px-4 py-2.5 shadow-rest"
    >
      <dl className="grid min-w-0 flex-1 grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
        {figures.map(([label, amount]) => (
          <div key={label} className="min-w-0">
            <dt className="text-xs text-ink-soft">{label}</dt>
            <dd className="figures font-medium">{amount === undefined ? '...' : formatMoney(amount)}</dd>
          </div>
        ))}
      </dl>
      <ButtonLink href="/settings?tab=billing" variant="link">
        Payouts
      </ButtonLink>
      {changed?.until && (
        <p className="max-w-prose basis-full text-sm text-ink-soft">
          Payouts are on hold until {formatDateTime(changed.until)}, because your payout details were opened
          for changes.{' '}
          <ButtonLink href="/settings?tab=security" variant="link">
            Not you? Review your sessions
          </ButtonLink>
        </p>
      )}
    </section>
  );
}
