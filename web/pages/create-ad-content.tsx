import type { ComponentProps } from 'react';
import { ContentStep } from '#web/ads/content-step.tsx';
import { StartSection } from '#web/inventory/placement/start-section.tsx';
import { ImageField } from '#web/media/image-field.tsx';
import { VideoField } from '#web/media/video-field.tsx';

const MEDIA = { Image: ImageField, Video: VideoField };

type CreateAdContentProps = Omit<ComponentProps<typeof ContentStep>, 'media' | 'order'> & {
  onStart: (day: string | null) => void;
};

/** The wizard's last step, with the fields for its media and its start. */
export function CreateAdContent({ onStart, ...props }: CreateAdContentProps) {
  const { zone, product, quantity } = props.placement;
  return (
    <ContentStep
      {...props}
      media={MEDIA}
      order={<StartSection {...{ zone, product, quantity, onStart }} startDay={props.startDay} />}
    />
  );
}
