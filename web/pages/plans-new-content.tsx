import { ImageField } from '#web/media/image-field.tsx';
import { VideoField } from '#web/media/video-field.tsx';
import { PlanContent, type PlanContentProps } from '#web/plans/plan-content.tsx';

const MEDIA = { Image: ImageField, Video: VideoField };

/** The ad of a plan, with the fields for its media. */
export function PlansNewContent(props: PlanContentProps) {
  return <PlanContent {...props} media={MEDIA} />;
}
