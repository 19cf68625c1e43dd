/** 0.256 -> '25.6%'; null -> a dash. */
export const shareText = (share: number | null): string =>
  share === null ? '–' : `${(share * 100).toFixed(1)}%`;
