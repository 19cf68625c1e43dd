import type { ReactNode } from 'react';
import { Ban, CalendarClock, Clock, Pause, Radio } from 'lucide-react';
import { Link } from 'wouter';
import type { Ad } from '#domain/ads/contract.ts';
import { startsOn } from '#domain/ads/booking.ts';
import { usualAnswerText } from '#domain/ads/answer-time.ts';
import { PAUSE_TEXTS, pauseTitle } from '#domain/ads/pause-text.ts';
import { canApply, type AdStatus } from '#domain/ads/status.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { formatDate, formatDateTime, formatDay } from '#web/ui/format/format.ts';
import { useWhyNot } from '#web/ui/why-not.ts';
import { EndedEarly, RefundState } from './ended-early.tsx';

export const titleId = ({ id }: Ad) => `campaign-${id}`;

/** The wizard with this ad's creative and placement. It says so if the placement is no longer for sale. [WAIT-05] */
export function againAddress({ publicId, websitePublicId, adZonePublicId, productId, adType }: Ad): string {
  const choices = new URLSearchParams({
    again: publicId,
    website: websitePublicId,
    zone: adZonePublicId,
    type: adType,
    ...(productId !== null && { option: String(productId) }),
  });
  return `/create-ad?${choices.toString()}`;
}

/** Whether the advertiser can act on an ad in this status; otherwise Actions shows its state. */
export function hasAction(status: AdStatus): boolean {
  return canApply('withdraw', status) || canApply('resubmit', status);
}

export const hasConsentLine = ({ status, consent }: Ad): boolean =>
  canApply('approve', status) || (canApply('pay', status) && consent !== null);

export function isEndedEarly({ endedReason }: Ad): boolean {
  return endedReason !== null && endedReason !== 'delivered';
}

/** How long the publisher usually takes, and when the ad is rejected without an answer. [REV-02] */
function AnswerTime({ ad: { usualAnswerHours, answerDueAt } }: { ad: Ad }) {
  return (
    <span className="text-ink-faint md:max-w-60">
      {usualAnswerHours !== null && `${usualAnswerText(usualAnswerHours)} `}
      {answerDueAt !== null && `Without an answer it ends on ${formatDate(answerDueAt)}.`}
    </span>
  );
}

function Suspended({ ad }: { ad: Ad }) {
  return (
    <span className="grid gap-1">
      <span className="inline-flex items-center gap-1.5 font-medium text-bad">
        <Ban aria-hidden="true" className="size-4 shrink-0" />
        Suspended
      </span>
      <span dir="auto" className="wrap-anywhere text-ink-soft md:max-w-60">
        {ad.suspendedReason ?? PAUSE_TEXTS.suspended}
      </span>
    </span>
  );
}

type ChangeButtonProps = { ad: Ad; onClick: () => void; children: ReactNode };

export function ChangeButton({ ad, onClick, children }: ChangeButtonProps) {
  return (
    <Button variant="link" aria-describedby={titleId(ad)} why={useWhyNot()} onClick={onClick}>
      {children}
    </Button>
  );
}

/** domain/ads/status.ts decides what each status allows. */
export function Actions({ ad, now, onEdit }: { ad: Ad; now: Date; onEdit: () => void }) {
  const whyNot = useWhyNot();
  const startDay = startsOn(ad, now);
  if (ad.isSuspended && (ad.status === 'approved' || ad.status === 'active')) return <Suspended ad={ad} />;
  if (canApply('pay', ad.status)) {
    return (
      <span className="grid gap-1">
        <ButtonLink
          href={`/checkout/${ad.publicId}`}
          size="sm"
          className="max-md:mt-2 max-md:flex md:justify-self-start"
        >
          Pay Now
        </ButtonLink>
        {ad.payBy !== null && (
          <span className="text-ink-soft">Pay by {formatDateTime(ad.payBy)} to keep your days</span>
        )}
        {startDay !== null && <span className="text-ink-faint">Starts {formatDay(startDay)}</span>}
      </span>
    );
  }
  if (canApply('resubmit', ad.status)) {
    return (
      <span className="grid gap-2">
        {/* The dialog that the button opens shows the whole reason. */}
        <span dir="auto" className="wrap-anywhere text-ink-soft md:line-clamp-2">
          {ad.withdrawnAt === null ? ad.rejectionReason : 'You withdrew this ad.'}
        </span>
        <Button variant="secondary" size="sm" className="md:justify-self-start" why={whyNot} onClick={onEdit}>
          Edit & Resubmit
        </Button>
        {ad.withdrawnAt === null && (
          <Link
            href={`/campaigns/${ad.publicId}`}
            aria-describedby={titleId(ad)}
            className="justify-self-start rounded-tight text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent"
          >
            Similar ad zones
          </Link>
        )}
      </span>
    );
  }
  if (ad.endedReason !== null && ad.endedReason !== 'delivered')
    return <EndedEarly ad={ad} reason={ad.endedReason} />;
  if (ad.paused !== null) {
    return (
      <span className="grid gap-1">
        <span className="inline-flex items-center gap-1.5 font-medium text-ink-soft">
          <Pause aria-hidden="true" className="size-4 shrink-0" />
          {pauseTitle(ad.paused)}
        </span>
        {/* The progress beside it explains a pause of the publisher. */}
        {ad.paused !== 'zone' && <span className="text-ink-soft md:max-w-60">{PAUSE_TEXTS[ad.paused]}</span>}
        <RefundState refund={ad.refund} />
      </span>
    );
  }
  if (canApply('complete', ad.status)) {
    return (
      <span className="grid gap-1">
        {startDay === null ? (
          <span className="inline-flex items-center gap-1.5 font-medium text-good">
            <Radio aria-hidden="true" className="size-4 shrink-0" />
            Live
          </span>
        ) : (
          <span className="inline-flex items-center gap-1.5 font-medium text-ink-soft">
            <CalendarClock aria-hidden="true" className="size-4 shrink-0" />
            Starts {formatDay(startDay)}
          </span>
        )}
        <RefundState refund={ad.refund} />
      </span>
    );
  }
  if (canApply('approve', ad.status)) {
    return (
      <span className="grid gap-1 text-ink-soft">
        <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
          <Clock aria-hidden="true" className="size-4 shrink-0" />
          Awaiting Approval
        </span>
        <AnswerTime ad={ad} />
        {startDay !== null && <span className="text-ink-faint">Starts {formatDay(startDay)}</span>}
      </span>
    );
  }
  return (
    <span className="grid gap-1">
      <span className="text-ink-faint">Completed</span>
      <RefundState refund={ad.refund} />
    </span>
  );
}
