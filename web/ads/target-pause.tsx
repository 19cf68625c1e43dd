import { useId } from 'react';
import type { Ad } from '#domain/ads/contract.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { useConfirmTarget, useRefuseTarget } from './api.ts';

/** Why the target keeps the ad from being shown, as a sentence; null if it does not. */
export function targetPauseText({ targetPause }: Ad): string | null {
  if (!targetPause) return null;
  const { reason, from, to } = targetPause;
  switch (reason) {
    case 'listed':
      return `The target leads to ${to}, which is on a list of phishing websites.`;
    case 'not_public':
      return `The target is on ${to}, which isn’t on the public internet, so visitors can’t open it.`;
    case 'changed':
      return `The target led to ${from} when it was approved. It now leads to ${to}.`;
  }
}

/** Tells the publisher why the ad is paused because of its target, and asks what to do. [DEST-05] */
export function TargetPauseDecision({ ad, onDone }: { ad: Ad; onDone: () => void }) {
  const confirm = useConfirmTarget();
  const refuse = useRefuseTarget();
  const textId = useId();
  const pause = ad.targetPause;
  if (!pause) return null;
  const since = formatDateTime(pause.since);
  if (pause.reason === 'listed') {
    return (
      <Banner tone="bad" title={`Paused since ${since}`}>
        {targetPauseText(ad)} The marketplace operator decides what happens next. You don’t need to do
        anything.
      </Banner>
    );
  }
  const isBusy = confirm.isPending || refuse.isPending;
  const isChanged = pause.reason === 'changed';
  return (
    <div className="grid gap-3">
      <Banner
        tone="warn"
        title={`Paused since ${since}: the target ${isChanged ? 'has changed' : 'isn’t public'}`}
      >
        <span id={textId}>
          {targetPauseText(ad)} {isChanged && 'Look at the page before you decide.'}
          {ad.status === 'active' &&
            ' If you end the campaign, the advertiser gets a refund of the undelivered part.'}
        </span>
      </Banner>
      <div className="flex flex-wrap gap-3">
        {isChanged && (
          <Button
            busy={confirm.isPending}
            disabled={isBusy}
            aria-describedby={textId}
            onClick={() => confirm.mutate({ ad, host: pause.to }, { onSuccess: onDone })}
          >
            Accept and show the ad
          </Button>
        )}
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
