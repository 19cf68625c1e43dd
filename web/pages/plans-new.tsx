import type { ComponentProps } from 'react';
import { AccessNote, useHasAccess } from '#web/accounts/access-note.tsx';
import type { MediaInputs } from '#web/ads/ad-fields.tsx';
import { PlanBuilder } from '#web/plans/plan-builder.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';

/** Loaded when the advertiser chooses an image or video ad. */
const MEDIA = {
  Image: onDemand<ComponentProps<MediaInputs['Image']>>(
    'the upload',
    'h-40',
    async () => (await import('#web/media/image-field.tsx')).ImageField,
  ),
  Video: onDemand<ComponentProps<MediaInputs['Video']>>(
    'the upload',
    'h-40',
    async () => (await import('#web/media/video-field.tsx')).VideoField,
  ),
};

export default function NewPlanPage() {
  const canBuy = useHasAccess('buyer');
  return (
    <Page>
      <PageHeader
        title="New Plan"
        description="Write one ad, and submit it to several websites. Each publisher reviews it."
      />
      {canBuy ? <PlanBuilder media={MEDIA} /> : <AccessNote needs="buyer" />}
    </Page>
  );
}
