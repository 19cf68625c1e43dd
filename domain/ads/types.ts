export const AD_TYPES = ['text', 'image', 'video'] as const;
export type AdType = (typeof AD_TYPES)[number];

export const AD_TYPE_NAMES: Record<AdType, string> = { text: 'Text', image: 'Image', video: 'Video' };
