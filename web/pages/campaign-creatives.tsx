import type { Ad } from '#domain/ads/contract.ts';
import { CreativesPanel } from '#web/ads/creatives-panel.tsx';
import { ImageField } from '#web/media/image-field.tsx';
import { VideoField } from '#web/media/video-field.tsx';

const MEDIA = { Image: ImageField, Video: VideoField };

/** The creatives of a paid campaign, with the fields for their media. */
export function CampaignCreatives({ ad }: { ad: Ad }) {
  return <CreativesPanel ad={ad} media={MEDIA} />;
}
