import { useEffect, useId, useState } from 'react';
import { MAX_DAYS_AHEAD } from '#domain/ads/booking.ts';
import { hasChanged, type AdContent } from '#domain/ads/changes.ts';
import { NOTHING_CHANGED, NOTHING_CORRECTED } from '#domain/ads/content.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { canApply } from '#domain/ads/status.ts';
import { sameLimits } from '#domain/targeting/same-limits.ts';
import { addDays, utcDay } from '#domain/time.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { showFieldIssues } from '#web/http/field-issues.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { useForgetDraft } from '#web/ui/forms/drafts.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { AdFields, type MediaInputs } from './ad-fields.tsx';
import { contentOf, useAdForm } from './ad-form.ts';
import { zoneOf } from './ad-preview.tsx';
import { useAdDetails } from './api.ts';
import { useCorrectAd, useResubmitAd } from './edit-api.ts';
import { isImageMissing, isImageOfOtherShape } from './image-required.ts';
import { TargetingFold } from './targeting-fold.tsx';

type EditAdDialogProps = {
  /** Id or public id of one of the advertiser's own ads. */
  adRef: string;
  media: MediaInputs;
  /** Resubmits a rejected ad, or corrects a pending one. */
  action: 'resubmit' | 'correct';
  onClose: () => void;
};

const WORDS = {
  resubmit: {
    title: 'Edit & Resubmit',
    description: 'The publisher will review it again.',
    button: 'Update & Resubmit',
    unchanged: NOTHING_CHANGED,
    only: 'Only rejected ads can be edited.',
  },
  correct: {
    title: 'Edit Ad',
    description: 'The publisher reviews the new version. Its place in their list stays the same.',
    button: 'Save Changes',
    unchanged: NOTHING_CORRECTED,
    only: 'Only ads that wait for approval can be edited.',
  },
} as const;

/** Edits a rejected or a pending ad. For an ad in any other status it shows a message and closes. [OP-059] */
export function EditAdDialog({ adRef, media, action, onClose }: EditAdDialogProps) {
  const { data: ad, error } = useAdDetails(adRef);
  const formId = useId();
  const words = WORDS[action];
  const [resubmit, correct] = [useResubmitAd(), useCorrectAd()];
  const send = action === 'resubmit' ? resubmit : correct;
  const [unchanged, setUnchanged] = useState(false);
  const forgetDraft = useForgetDraft();
  // The dialog's own call changes the status as well.
  const isSending = send.isPending || send.isSuccess;
  const editable = ad !== undefined && canApply(action, ad.status);

  useEffect(() => {
    if (error) failureToast(error, 'Error', 'Failed to load ad details');
    else if (ad && !canApply(action, ad.status) && !isSending) {
      toast({
        title: 'This ad can’t be edited',
        description: `${words.only} This one is ${ad.status}.`,
        variant: 'destructive',
      });
    } else return;
    onClose();
  }, [ad, error, isSending, action, words, onClose]);

  function close() {
    forgetDraft(draftOf(adRef));
    onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={close}
      title={words.title}
      description={words.description}
      footer={
        <>
          {unchanged && (
            <p role="alert" className="w-full text-sm text-bad">
              {words.unchanged}
            </p>
          )}
          <Button variant="secondary" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={formId} disabled={!editable} busy={send.isPending}>
            {words.button}
          </Button>
        </>
      }
    >
      {editable ? (
        <EditForm
          id={formId}
          ad={ad}
          draft={draftOf(adRef)}
          media={media}
          hasStart={action === 'resubmit'}
          onSubmit={({ startDate, ...content }, onError) => {
            const isChanged =
              startDate !== null || hasChanged(ad, content) || !sameLimits(ad.targeting, content.targeting);
            setUnchanged(!isChanged);
            if (!isChanged) return;
            const change = { ad, ...content, ...(startDate !== null && { startDate }) };
            send.mutate(change, { onSuccess: close, onError });
          }}
        />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Dialog>
  );
}

const draftOf = (adRef: string) => `edit-ad-${adRef}`;

type EditFormProps = {
  id: string;
  ad: Ad;
  draft: string;
  media: MediaInputs;
  /** Whether the advertiser can choose another start. */
  hasStart: boolean;
  onSubmit: (
    content: AdContent & Pick<Ad, 'targeting'> & { startDate: string | null },
    onError: (error: unknown) => void,
  ) => void;
};

function EditForm({ id, ad, draft, media, hasStart, onSubmit }: EditFormProps) {
  const { title, description, targetUrl, imageUrl, videoUrl, targeting } = ad;
  const { form } = useAdForm(draft, {
    targeting,
    title,
    description,
    targetUrl,
    imageUrl: imageUrl ?? '',
    videoUrl: videoUrl ?? '',
  });

  const [startDate, setStartDate] = useState('');
  const [today] = useState(() => utcDay(new Date()));
  const zone = zoneOf(ad);
  const submit = form.handleSubmit(async (checked) => {
    if (isImageMissing(ad.adType, form)) return;
    if (await isImageOfOtherShape(ad.adType, form, zone, { shouldFocus: true })) return;
    const content = { ...contentOf(ad.adType, checked), targeting: checked.targeting ?? null };
    onSubmit({ ...content, startDate: startDate === '' ? null : startDate }, (error) =>
      showFieldIssues(form, error),
    );
  });

  return (
    <form id={id} noValidate onSubmit={submit} className="grid gap-5">
      {ad.rejectionReason && ad.withdrawnAt === null && (
        <Banner tone="warn" title="Reason for rejection">
          <bdi>{ad.rejectionReason}</bdi>
        </Banner>
      )}
      <AdFields form={form} adType={ad.adType} zone={zone} websiteUrl={ad.websiteUrl} media={media} />
      <TargetingFold form={form} />
      {hasStart && (
        <Field
          label="Another start"
          optional
          hint="Without a day, your ad keeps its start, or takes the next free days. Days begin at 00:00 UTC."
          className="sm:max-w-md"
        >
          <Input
            type="date"
            min={today}
            max={addDays(today, MAX_DAYS_AHEAD)}
            value={startDate}
            onChange={({ target }) => setStartDate(target.value)}
          />
        </Field>
      )}
    </form>
  );
}
