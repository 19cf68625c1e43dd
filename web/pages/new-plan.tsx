import { AccessNote, useHasAccess } from '#web/accounts/access-note.tsx';
import { ImageField } from '#web/media/image-field.tsx';
import { VideoField } from '#web/media/video-field.tsx';
import { PlanBuilder } from '#web/plans/plan-builder.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';

const MEDIA = { Image: ImageField, Video: VideoField };

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
