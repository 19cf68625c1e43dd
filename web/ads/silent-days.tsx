import { counted } from '#domain/format.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { RequestError, messageOf } from '#web/http/request-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { useCancelAd, useRefundQuote } from './cancel-api.ts';

/** After two silent days in a row, offers to end the campaign for the shown refund. [DEL-71] */
export function SilentDays({ ad, onEnded }: { ad: Ad; onEnded: () => void }) {
  const quote = useRefundQuote(ad);
  const cancel = useCancelAd();
  const refundAmount = quote.data?.refundAmount;

  function end(amount: string) {
    cancel.mutate(
      { ad, refundAmount: amount },
      {
        onSuccess: onEnded,
        // More was delivered meanwhile, or the campaign has ended. The new quote shows which.
        onError: (error) => {
          if (error instanceof RequestError && error.status === 409) void quote.refetch();
        },
      },
    );
  }

  return (
    <Banner
      tone="warn"
      title={`${counted(ad.silentDays, 'silent day')} in a row`}
      action={
        <Button
          variant="secondary"
          size="sm"
          busy={cancel.isPending}
          disabled={refundAmount === undefined}
          onClick={() => refundAmount !== undefined && end(refundAmount)}
        >
          {refundAmount === undefined ? 'End and refund' : `End and refund ${formatMoney(refundAmount)}`}
        </Button>
      }
    >
      The ad zone hasn’t delivered what a day needs. You don’t pay for these days, and your campaign runs
      longer. You can also end it now and get the price of everything that wasn’t delivered back.
      {cancel.isError && (
        <p role="alert" className="text-bad">
          {messageOf(cancel.error, 'We couldn’t end the campaign. Please try again.')}
        </p>
      )}
    </Banner>
  );
}
