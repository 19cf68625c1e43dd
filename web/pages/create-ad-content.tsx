import type { ComponentProps } from 'react';
import { NO_CONTENT, useAdForm } from '#web/ads/ad-form.ts';
import { ContentStep } from '#web/ads/content-step.tsx';
import { ImageField } from '#web/media/image-field.tsx';
import { VideoField } from '#web/media/video-field.tsx';

const MEDIA = { Image: ImageField, Video: VideoField };

/** The wizard's last step, with its form and the fields for media. Its draft keeps the text while it is not shown. */
export function CreateAdContent({
  onSubmitted,
  ...props
}: Omit<ComponentProps<typeof ContentStep>, 'form' | 'media'>) {
  const { form, discard } = useAdForm('new-ad', NO_CONTENT);
  return (
    <ContentStep
      {...props}
      form={form}
      media={MEDIA}
      onSubmitted={() => {
        discard();
        onSubmitted();
      }}
    />
  );
}
