import type { ComponentProps } from 'react';
import { EditAdDialog } from '#web/ads/edit-ad-dialog.tsx';
import { ImageField } from '#web/media/image-field.tsx';
import { VideoField } from '#web/media/video-field.tsx';

const MEDIA = { Image: ImageField, Video: VideoField };

/** The form for a rejected or pending ad, with the fields for its media. */
export function EditAd(props: Omit<ComponentProps<typeof EditAdDialog>, 'media'>) {
  return <EditAdDialog {...props} media={MEDIA} />;
}
