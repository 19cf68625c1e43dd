import { formatDateTime, formatMoney } from '#web/ui/format/format.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { SumStrip } from '#web/ui/sum-strip.tsx';
import { usePayouts } from './payouts-api.ts';

/**
 * A publisher's earnings by state, which add up to the total above. It is absent if the call fails. `notDelivered`,
 * such as '$1.00', is undefined while it loads. [FIG-04]
 */
export function EarningsLine({ notDelivered }: { notDelivered: string | undefined }) {
  const { data, isError } = usePayouts();
  if (isError) return null;
  const changed = data?.holds.find(({ reason }) => reason === 'payout_change');
  return (
    <SumStrip
      label="Payouts"
      parts={[
        ['Available', data && formatMoney(data.available)],
        ['Pending', data && formatMoney(data.pending)],
        ['On hold', data && formatMoney(data.held)],
        ['Paid out', data && formatMoney(data.paidOut)],
        ...(data && data.owed !== '0.00' ? ([['You owe', formatMoney(`-${data.owed}`)]] as const) : []),
        ['Not delivered yet', notDelivered],
      ]}
    >
      <ButtonLink href="/earnings" variant="link">
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
    </SumStrip>
  );
}
