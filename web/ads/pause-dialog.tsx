import { useState } from 'react';
import { startOfDay } from '#domain/ads/booking.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { MAX_PAUSE_DAYS, pauseSentence, untilRefusal } from '#domain/ads/pause.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { addDays, utcDay } from '#domain/time.ts';
import { messageOf } from '#web/http/request-error.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { formatDate } from '#web/ui/format/format.ts';
import { useNow } from '#web/ui/use-now.ts';
import { usePauseAd } from './pause-api.ts';

/** Says what a pause means for the quota and the end, and asks until when, before the advertiser pauses a campaign. */
export function PauseDialog({ ad, onClose }: { ad: Ad; onClose: () => void }) {
  const pause = usePauseAd();
  const now = useNow();
  const [day, setDay] = useState('');
  const until = day === '' ? null : startOfDay(day);
  const end = ad.pricingModel === 'per_day' && ad.endDate !== null ? new Date(ad.endDate) : null;
  const refusal = until && untilRefusal(until, end, now);
  const today = utcDay(now);

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={
        <>
          Pause “<bdi>{ad.title}</bdi>”?
        </>
      }
      confirmLabel="Pause"
      busy={pause.isPending}
      onConfirm={() =>
        !refusal && pause.mutate({ ad, until: until?.toISOString() ?? null }, { onSuccess: onClose })
      }
    >
      <div className="grid gap-4">
        <p>{sentenceOf(ad, end)}</p>
        <Field
          label="Until"
          optional
          hint="It’s shown again from 00:00 UTC on this day. Without a day, it’s paused until you resume it."
          error={refusal ?? undefined}
        >
          <Input
            type="date"
            min={addDays(today, 1)}
            max={addDays(today, MAX_PAUSE_DAYS)}
            value={day}
            onChange={({ target }) => setDay(target.value)}
          />
        </Field>
        {pause.isError && (
          <p role="alert" className="text-bad">
            {messageOf(pause.error, 'We couldn’t pause the campaign. Please try again.')}
          </p>
        )}
      </div>
    </ConfirmDialog>
  );
}

const sentenceOf = (ad: Ad, end: Date | null): string =>
  pauseSentence(
    {
      plan: planOf(ad),
      impressions: ad.totalImpressions,
      clicks: ad.totalClicks,
      // Only a running ad can be paused, and it has a start.
      start: new Date(ad.startDate ?? ad.createdAt),
      end,
    },
    (date) => formatDate(date.toISOString()),
  );
