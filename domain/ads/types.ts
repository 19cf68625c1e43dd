/** The types of ads, in the order in which the interface shows them. */
export const AD_TYPES = ['text', 'image', 'video'] as const;
export type AdType = (typeof AD_TYPES)[number];

type AdKind = {
  name: string;
  /** The article before the name. */
  article: 'a' | 'an';
  /**
   * The image of the ad: the creative itself, which is required, uploaded and of the shape of the ad zone, or the thumbnail
   * that is shown until a video plays.
   */
  image: 'creative' | 'thumbnail' | null;
  /** Whether the ad is a video. It counts as viewed after the time of a video, and is sent to video players, too. */
  plays: boolean;
};

/** The differences between the types of ads. CONTRIBUTING.md says what else a new one needs. */
export const AD_KINDS: Record<AdType, AdKind> = {
  text: { name: 'Text', article: 'a', image: null, plays: false },
  image: { name: 'Image', article: 'an', image: 'creative', plays: false },
  video: { name: 'Video', article: 'a', image: 'thumbnail', plays: true },
};

/** How an ad is shown. One without its video shows its thumbnail, and one without any file its text. [OP-055] */
export function shownAs(adType: AdType, files: { hasImage: boolean; hasVideo: boolean }): AdType {
  const { image, plays } = AD_KINDS[adType];
  if (plays && files.hasVideo) return adType;
  if (image === null || !files.hasImage) return 'text';
  return image === 'creative' ? adType : 'image';
}
