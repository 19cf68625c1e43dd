import type { ReactNode } from 'react';
import { Ban, CalendarClock, Clock, Pause, Radio } from 'lucide-react';
import { Link } from 'wouter';
import type { Ad } from '#domain/ads/contract.ts';
import { startsOn } from '#domain/ads/booking.ts';
import { usualAnswerText } from '#domain/ads/answer-time.ts';
import { PAUSE_TEXTS, pauseTitle } from '#domain/ads/pause-text.ts';
import { canApply } from '#domain/ads/status.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { formatDate, formatDateTime, formatDay } from '#web/ui/format/format.ts';
import { onDemand } from '#web/ui/late.tsx';
import { useWhyNot } from '#web/ui/why-not.ts';
import { EndedEarly, RefundState } from './ended-early.tsx';

/** Most rows have none, and the dashboard is the heaviest page. */
const ConsentLine = onDemand('the card', 'h-6', async () => (await import('./consent-line.tsx')).ConsentLine);

export type CampaignActions = {
  /** Opens the form for a rejected or a pending ad. */
  onEdit: (ad: Ad, action: 'resubmit' | 'correct') => void;
  /** Opens 'Why is my ad not showing?'. */
  onWhy: (ad: Ad) => void;
  onCancel: (ad: Ad) => void;
  /** Takes back the consent to pay when approved. */
  onWithdraw: (ad: Ad) => void;
  /** Takes back the ad itself. */
  onWithdrawAd: (ad: Ad) => void;
};

/** The id of the element with the ad's title, which describes the buttons of its row. */
export const titleId = ({ id }: Ad) => `campaign-${id}`;

/** The wizard with this ad's creative and placement. It says so if the placement is no longer for sale. */
function againAddress({ publicId, websitePublicId, adZonePublicId, productId, adType }: Ad): string {
  const choices = new URLSearchParams({
    again: publicId,
    website: websitePublicId,
    zone: adZonePublicId,
    type: adType,
    ...(productId !== null && { option: String(productId) }),
  });
  return `/create-ad?${choices.toString()}`;
}

/** Whether the main action needs the width of a card: a button, or a state with more than a word. */
export function isActionWide({ status, refund, endedReason, isSuspended }: Ad): boolean {
  const hasButton = canApply('withdraw', status) || canApply('resubmit', status);
  const isEndedEarly = endedReason !== null && endedReason !== 'delivered';
  return hasButton || refund !== null || isEndedEarly || isSuspended || status === 'active';
}

const hasConsentLine = ({ status, consent }: Ad): boolean =>
  canApply('approve', status) || (canApply('pay', status) && consent !== null);

/** How long the publisher usually takes, and when the ad is rejected without an answer. */
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

function ChangeButton({ ad, onClick, children }: ChangeButtonProps) {
  return (
    <Button variant="link" aria-describedby={titleId(ad)} why={useWhyNot()} onClick={onClick}>
      {children}
    </Button>
  );
}

/** The links below the main action. */
export function MoreActions({
  ad,
  onEdit,
  onWhy,
  onCancel,
  onWithdraw,
  onWithdrawAd,
}: CampaignActions & { ad: Ad }) {
  return (
    <>
      {canApply('withdraw', ad.status) && (
        <span className="flex flex-wrap gap-x-3 [&_button]:min-h-6 [&_button]:text-xs">
          {canApply('correct', ad.status) && (
            <ChangeButton ad={ad} onClick={() => onEdit(ad, 'correct')}>
              Correct
            </ChangeButton>
          )}
          <ChangeButton ad={ad} onClick={() => onWithdrawAd(ad)}>
            Withdraw ad
          </ChangeButton>
        </span>
      )}
      {hasConsentLine(ad) && <ConsentLine ad={ad} onWithdraw={() => onWithdraw(ad)} />}
      {canApply('complete', ad.status) && (
        // 24 px is the least height of a target that has another one directly below it (WCAG 2.5.8). The margin takes
        // back what that adds to the row.
        <span className="flex flex-wrap gap-x-3 [&_button]:min-h-6 [&_button]:text-xs">
          {ad.paused !== 'dispute' && ad.paused !== 'cancel' && (
            <ChangeButton ad={ad} onClick={() => onCancel(ad)}>
              Cancel campaign
            </ChangeButton>
          )}
          <Button variant="link" aria-describedby={titleId(ad)} onClick={() => onWhy(ad)}>
            Not showing?
          </Button>
        </span>
      )}
      {ad.status === 'completed' && ad.takenDownReason === null && (
        <Link
          href={againAddress(ad)}
          aria-describedby={titleId(ad)}
          className="justify-self-start rounded-tight text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent"
        >
          Run again
        </Link>
      )}
    </>
  );
}

/** The button that an ad in its status needs, or else its state. domain/ads/status.ts decides what each status allows. */
export function MainAction({ ad, now, onEdit }: { ad: Ad; now: Date; onEdit: () => void }) {
  const startDay = startsOn(ad, now);
  if (ad.isSuspended && (ad.status === 'approved' || ad.status === 'active')) return <Suspended ad={ad} />;
  if (canApply('pay', ad.status)) return <PayNow ad={ad} startDay={startDay} />;
  if (canApply('resubmit', ad.status)) return <Resubmit ad={ad} onEdit={onEdit} />;
  if (ad.endedReason !== null && ad.endedReason !== 'delivered')
    return <EndedEarly ad={ad} reason={ad.endedReason} />;
  if (ad.paused !== null) return <Paused ad={ad} cause={ad.paused} />;
  if (canApply('complete', ad.status)) return <Running ad={ad} startDay={startDay} />;
  if (canApply('approve', ad.status)) return <AwaitingApproval ad={ad} startDay={startDay} />;
  return (
    <span className="grid gap-1">
      <span className="text-ink-faint">Completed</span>
      <RefundState refund={ad.refund} />
    </span>
  );
}

/** `startDay`: the day (UTC) that the advertiser chose, while it lies ahead. */
type StartProps = { ad: Ad; startDay: string | null };

function PayNow({ ad, startDay }: StartProps) {
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

function Resubmit({ ad, onEdit }: { ad: Ad; onEdit: () => void }) {
  const whyNot = useWhyNot();
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

function Paused({ ad, cause }: { ad: Ad; cause: NonNullable<Ad['paused']> }) {
  return (
    <span className="grid gap-1">
      <span className="inline-flex items-center gap-1.5 font-medium text-ink-soft">
        <Pause aria-hidden="true" className="size-4 shrink-0" />
        {pauseTitle(cause)}
      </span>
      {/* The progress beside it explains a pause of the publisher. */}
      {cause !== 'zone' && <span className="text-ink-soft md:max-w-60">{PAUSE_TEXTS[cause]}</span>}
      <RefundState refund={ad.refund} />
    </span>
  );
}

function Running({ ad, startDay }: StartProps) {
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

function AwaitingApproval({ ad, startDay }: StartProps) {
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
