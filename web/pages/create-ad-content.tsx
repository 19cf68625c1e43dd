import type { ComponentProps } from 'react';
import { ContentStep } from '#web/ads/content-step.tsx';
import { ImageField } from '#web/media/image-field.tsx';
import { VideoField } from '#web/media/video-field.tsx';

const MEDIA = { Image: ImageField, Video: VideoField };

/** The wizard's last step, with the fields for its media. */
export function CreateAdContent(props: Omit<ComponentProps<typeof ContentStep>, 'media' | 'card'>) {
  return <ContentStep {...props} media={MEDIA} card={null} />;
}
