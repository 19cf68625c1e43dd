import type { ReactNode } from 'react';
import { Ban, CalendarClock, Clock, Pause, Radio } from 'lucide-react';
import type { Ad } from '#domain/ads/contract.ts';
import { startOfDay, startsOn } from '#domain/ads/booking.ts';
import { usualAnswerText } from '#domain/ads/answer-time.ts';
import { EARLY_ENDS } from '#domain/ads/ended-text.ts';
import { PAUSE_TEXTS, pausedUntilText, pauseTitle } from '#domain/ads/pause-text.ts';
import { canApply } from '#domain/ads/status.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { formatDate, formatDateTime, formatDay } from '#web/ui/format/format.ts';
import { useWhyNot } from '#web/ui/why-not.ts';
import { refundText } from './ended-early.tsx';

/** The id of the element with the ad's title, which describes the buttons of its row. */
export const titleId = ({ id }: Ad) => `campaign-${id}`;

const isStopped = ({ isSuspended, status }: Ad) =>
  isSuspended && (status === 'approved' || status === 'active');

/** The reason of an end before everything was delivered, or null. */
const earlyEnd = ({ endedReason }: Ad) =>
  endedReason === null || endedReason === 'delivered' ? null : endedReason;

type CampaignStateProps = {
  ad: Ad;
  now: Date;
  /** In a row of one line. */
  tight?: boolean;
  onResubmit: () => void;
};

/** The button that an ad in its status needs, or else its state. domain/ads/status.ts decides what each status allows. */
export function CampaignState({ ad, now, tight = false, onResubmit }: CampaignStateProps) {
  const size = tight ? 'tight' : 'sm';
  const whyNot = useWhyNot();
  const startDay = startsOn(ad, now);
  const ended = earlyEnd(ad);
  if (isStopped(ad)) return <State Icon={Ban} tone="text-bad" text="Suspended" />;
  if (canApply('pay', ad.status))
    return (
      <ButtonLink href={`/checkout/${ad.publicId}`} size={size} aria-describedby={titleId(ad)}>
        Pay Now
      </ButtonLink>
    );
  if (canApply('resubmit', ad.status))
    return (
      <Button
        variant="secondary"
        size={size}
        aria-describedby={titleId(ad)}
        why={whyNot}
        onClick={onResubmit}
      >
        Edit & Resubmit
      </Button>
    );
  if (ended !== null)
    return (
      <State
        Icon={Ban}
        tone={ended === 'canceled' ? 'text-ink-soft' : 'text-bad'}
        text={EARLY_ENDS[ended].title}
      />
    );
  if (ad.paused !== null) return <State Icon={Pause} tone="text-ink-soft" text={pauseTitle(ad.paused)} />;
  if (canApply('complete', ad.status))
    return startDay === null ? (
      <State Icon={Radio} tone="text-good" text="Live" />
    ) : (
      <State Icon={CalendarClock} tone="text-ink-soft" text={`Starts ${formatDay(startDay)}`} />
    );
  if (canApply('approve', ad.status))
    return <State Icon={Clock} tone="text-ink-soft" text="Awaiting Approval" />;
  return <span className="text-ink-faint">Completed</span>;
}

function State({ Icon, tone, text }: { Icon: typeof Ban; tone: string; text: string }) {
  return (
    <span className={cn('inline-flex min-w-0 items-center gap-1.5 font-medium', tone)}>
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <span className="max-md:max-w-24">{text}</span>
    </span>
  );
}

/** Further facts about the state of an ad, in sentences; empty if its name says everything. */
export function campaignNotes(ad: Ad, now: Date): string[] {
  return [reasonOf(ad, now), ownPauseText(ad), consentText(ad), ad.refund && refundText(ad.refund)].filter(
    (text) => text !== null,
  );
}

function reasonOf(ad: Ad, now: Date): string | null {
  const startDay = startsOn(ad, now);
  const starts = startDay === null ? '' : ` Starts ${formatDay(startDay)}.`;
  const ended = earlyEnd(ad);
  if (isStopped(ad)) return ad.suspendedReason ?? PAUSE_TEXTS.suspended;
  if (canApply('pay', ad.status))
    return (
      (ad.payBy === null ? starts : `Pay by ${formatDateTime(ad.payBy)} to keep your days.${starts}`) || null
    );
  if (canApply('resubmit', ad.status))
    return ad.withdrawnAt === null ? ad.rejectionReason : 'You withdrew this ad.';
  if (ended !== null) return ad.takenDownReason ?? EARLY_ENDS[ended].advertiser;
  if (ad.paused !== null && ad.paused !== 'advertiser') return PAUSE_TEXTS[ad.paused];
  if (canApply('approve', ad.status)) return `${answerText(ad)}${starts}`.trim() || null;
  return null;
}

/** The pause by its advertiser, which another cause may outweigh. */
function ownPauseText({ advertiserPause }: Ad): string | null {
  if (!advertiserPause) return null;
  const { until } = advertiserPause;
  if (until === null) return PAUSE_TEXTS.advertiser;
  const day = until.slice(0, 10);
  const isDay = startOfDay(day).getTime() === new Date(until).getTime();
  return pausedUntilText(isDay ? formatDay(day) : formatDate(until));
}

/** How long the publisher usually takes, and when the ad is rejected without an answer. */
function answerText({ usualAnswerHours, answerDueAt }: Ad): string {
  const usual = usualAnswerHours === null ? '' : `${usualAnswerText(usualAnswerHours)} `;
  return answerDueAt === null ? usual : `${usual}Without an answer it ends on ${formatDate(answerDueAt)}.`;
}

/** The card that pays for an ad on approval. */
function consentText({ consent, status }: Ad): string | null {
  if (!canApply('approve', status) && !canApply('pay', status)) return null;
  const card = `•••• ${consent?.last4}`;
  switch (consent?.state) {
    case 'active':
      return `Pays when approved · ${card}`;
    case 'charging':
      return `Charging card ${card}`;
    case 'needs_action':
      return `Your bank wants you to confirm the payment with card ${card}.`;
    case 'failed':
      return `We couldn’t charge card ${card}.`;
    case 'paid':
    case 'withdrawn':
    case undefined:
      return null;
  }
}

/** The notes of an ad in one line of a list, of which its page shows the rest. */
export function NoteLine({ ad, now }: { ad: Ad; now: Date }): ReactNode {
  const notes = campaignNotes(ad, now);
  if (notes.length === 0) return null;
  return (
    <span dir="auto" title={notes.join(' ')} className="min-w-0 flex-1 truncate text-ink-faint">
      {notes.map((note) => (
        <span key={note}>{note} </span>
      ))}
    </span>
  );
}
