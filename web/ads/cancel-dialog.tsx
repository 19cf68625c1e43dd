import type { Ad } from '#domain/ads/contract.ts';
import { deliveredText } from '#domain/ads/units.ts';
import type { RefundQuote } from '#domain/payments/refund-contract.ts';
import { messageOf, RequestError } from '#web/http/request-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useCancelAd, useRefundQuote } from './cancel-api.ts';
import { Facts } from './facts.tsx';

/** Shows the exact refund before the advertiser cancels a running campaign. [REFU-05] */
export function CancelDialog({ ad, onClose }: { ad: Ad; onClose: () => void }) {
  const quote = useRefundQuote(ad);
  const cancel = useCancelAd();
  const isOver = quote.error instanceof RequestError && quote.error.status === 409;
  const shown = isOver ? undefined : quote.data;

  function confirm({ refundAmount }: RefundQuote) {
    cancel.mutate(
      { ad, refundAmount },
      {
        onSuccess: onClose,
        // More was delivered meanwhile, or the campaign has ended. The new quote shows which.
        onError: (error) => {
          if (error instanceof RequestError && error.status === 409) void quote.refetch();
        },
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      width="sm"
      title="Cancel this campaign?"
      description={
        <>
          “<bdi>{ad.title}</bdi>” in <bdi>{ad.adZoneName}</bdi> on <bdi>{ad.websiteName}</bdi>
        </>
      }
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {isOver ? 'Close' : 'Keep it running'}
          </Button>
          {!isOver && (
            <Button
              variant="destructive"
              busy={cancel.isPending}
              disabled={!shown}
              onClick={() => shown && confirm(shown)}
            >
              Cancel campaign
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-4 text-sm">
        <Amounts ad={ad} quote={quote} />
        {cancel.isError && (
          <p role="alert" className="text-bad">
            {messageOf(cancel.error, 'We couldn’t cancel the campaign. Please try again.')}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Amounts({ ad, quote }: { ad: Ad; quote: ReturnType<typeof useRefundQuote> }) {
  const { data, error, isError, refetch } = quote;
  if (isError && error instanceof RequestError && error.status === 409)
    return <p role="alert">{messageOf(error, 'This campaign isn’t running.')}</p>;
  if (isError && !data) return <LoadError what="the amount" onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-36" />;
  const comesBack = (
    <strong className="figures font-semibold" data-testid="refund-amount">
      {formatMoney(data.refundAmount)}
    </strong>
  );
  return (
    <>
      <Facts
        facts={[
          ['You paid', formatMoney(ad.totalAmount)],
          ['Delivered', deliveredText(ad.pricingModel, data.delivered, data.bought)],
          ...(Number(data.cancelFee) > 0
            ? [['Card fee, not refunded', formatMoney(data.cancelFee)] as const]
            : []),
          ['Refund', comesBack],
        ]}
      />
      <p className="text-ink-soft">
        {Number(data.refundAmount) === 0
          ? Number(data.cancelFee) > 0
            ? 'The card fee takes up what is left, so there’s no refund.'
            : 'Everything was delivered, so there’s no refund.'
          : 'The ad stops at once and can’t be resumed. The money goes back to your card, usually within 5 to 10 days.'}
      </p>
      <p className="text-ink-soft">{data.sentence}</p>
    </>
  );
}
