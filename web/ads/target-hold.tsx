import { useId } from 'react';
import type { Ad } from '#domain/ads/contract.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { useConfirmTarget, useRefuseTarget } from './api.ts';

/** Why the target keeps the ad from being shown, as a sentence; null if it does not. */
export function targetHoldText({ targetHold }: Ad): string | null {
  if (!targetHold) return null;
  const { reason, from, to } = targetHold;
  return reason === 'listed'
    ? `The target leads to ${to}, which is on a list of phishing websites.`
    : `The target led to ${from} when it was approved. It now leads to ${to}.`;
}

/** Tells the publisher that the ad's target has changed, and asks what to do. [DEST-06] */
export function TargetHoldDecision({ ad, onDone }: { ad: Ad; onDone: () => void }) {
  const confirm = useConfirmTarget();
  const refuse = useRefuseTarget();
  const textId = useId();
  const hold = ad.targetHold;
  if (!hold) return null;
  const since = formatDateTime(hold.since);
  if (hold.reason === 'listed') {
    return (
      <Banner tone="bad" title={`On hold since ${since}`}>
        {targetHoldText(ad)} The marketplace operator decides what happens next. You don’t need to do
        anything.
      </Banner>
    );
  }
  const isBusy = confirm.isPending || refuse.isPending;
  return (
    <div className="grid gap-3">
      <Banner tone="warn" title={`On hold since ${since}: the target has changed`}>
        <span id={textId}>
          {targetHoldText(ad)} Look at the page before you decide.
          {ad.status === 'active' &&
            ' If you end the campaign, the advertiser gets a refund of the undelivered part.'}
        </span>
      </Banner>
      <div className="flex flex-wrap gap-3">
        <Button
          busy={confirm.isPending}
          disabled={isBusy}
          aria-describedby={textId}
          onClick={() => confirm.mutate({ ad, host: hold.to }, { onSuccess: onDone })}
        >
          Accept {hold.to} and show the ad
        </Button>
        {ad.status === 'active' && (
          <Button
            variant="secondary"
            busy={refuse.isPending}
            disabled={isBusy}
            aria-describedby={textId}
            onClick={() => refuse.mutate(ad, { onSuccess: onDone })}
          >
            End the campaign
          </Button>
        )}
      </div>
    </div>
  );
}
