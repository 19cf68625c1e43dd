import { percentText } from '#domain/format.ts';

/** 0.256 -> '25.6%'; null -> a dash. */
export const shareText = (share: number | null): string => (share === null ? '–' : percentText(share));
