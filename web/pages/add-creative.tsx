import type { ComponentProps } from 'react';
import { AddCreativeDialog } from '#web/ads/add-creative-dialog.tsx';
import { ImageField } from '#web/media/image-field.tsx';
import { VideoField } from '#web/media/video-field.tsx';

const MEDIA = { Image: ImageField, Video: VideoField };

/** The form for a second creative, with the fields for its media. */
export function AddCreative(props: Omit<ComponentProps<typeof AddCreativeDialog>, 'media'>) {
  return <AddCreativeDialog {...props} media={MEDIA} />;
}
