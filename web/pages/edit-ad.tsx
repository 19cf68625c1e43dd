import { EditAdDialog } from '#web/ads/edit-ad-dialog.tsx';
import { ImageField } from '#web/media/image-field.tsx';
import { VideoField } from '#web/media/video-field.tsx';

const MEDIA = { Image: ImageField, Video: VideoField };

/** The form for a rejected ad, with the fields for its media. */
export function EditAd({ adRef, onClose }: { adRef: string; onClose: () => void }) {
  return <EditAdDialog adRef={adRef} media={MEDIA} onClose={onClose} />;
}
