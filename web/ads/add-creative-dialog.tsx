import { useId, useState } from 'react';
import { hasChanged, type AdContent } from '#domain/ads/changes.ts';
import { NOTHING_CORRECTED } from '#domain/ads/content.ts';
import type { Ad } from '#domain/ads/contract.ts';
import type { Variant } from '#domain/ads/variants-contract.ts';
import { showFieldIssues } from '#web/http/field-issues.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { AdFields, type MediaInputs } from './ad-fields.tsx';
import { contentOf, useAdForm } from './ad-form.ts';
import { zoneOf } from './ad-preview.tsx';
import { isImageMissing, isImageOfOtherShape } from './image-required.ts';
import { useAddVariant } from './variants-api.ts';

type AddCreativeDialogProps = {
  ad: Ad;
  media: MediaInputs;
  /** The latest second creative. A rejected one is the start of the next. */
  last: Variant | undefined;
  onClose: () => void;
};

/** Submits a second creative. The form begins with the content of the first one, or of one that was rejected. */
export function AddCreativeDialog({ ad, media, last, onClose }: AddCreativeDialogProps) {
  const formId = useId();
  const submission = useAddVariant(ad.publicId);
  const [isSame, setSame] = useState(false);
  const start: AdContent = last?.status === 'rejected' ? last : ad;
  const { form, discard } = useAdForm(`second-creative-${ad.publicId}`, {
    title: start.title,
    description: start.description,
    targetUrl: start.targetUrl,
    imageUrl: start.imageUrl ?? '',
    videoUrl: start.videoUrl ?? '',
  });
  const zone = zoneOf(ad);

  function close() {
    discard();
    onClose();
  }

  const submit = form.handleSubmit(async (checked) => {
    if (isImageMissing(ad.adType, form)) return;
    if (await isImageOfOtherShape(ad.adType, form, zone, { shouldFocus: true })) return;
    const content = contentOf(ad.adType, checked);
    setSame(!hasChanged(ad, content));
    if (!hasChanged(ad, content)) return;
    submission.mutate(content, { onSuccess: close, onError: (error) => showFieldIssues(form, error) });
  });

  return (
    <Dialog
      open
      onOpenChange={close}
      title="Add a Second Creative"
      description="The publisher reviews it. Then it is shown in turn with the first one, for the same price and budget."
      footer={
        <>
          {isSame && (
            <p role="alert" className="w-full text-sm text-bad">
              {NOTHING_CORRECTED}
            </p>
          )}
          <Button variant="secondary" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={submission.isPending}>
            Submit for Approval
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        <AdFields form={form} adType={ad.adType} zone={zone} websiteUrl={ad.websiteUrl} media={media} />
      </form>
    </Dialog>
  );
}
