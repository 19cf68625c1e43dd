/** Shares as people read them. Only this file turns a share into a percentage (format.test.ts). */

/** 0.256 -> '25.6%', and with two decimals '25.60%': for columns, whose figures have equal lengths. */
export const percentText = (share: number, decimals = 1): string => `${(share * 100).toFixed(decimals)}%`;

/** 0.57 -> '57%', 0.0152 -> '1.5%': for sentences. */
export const shortPercentText = (share: number): string => `${Math.round(share * 1000) / 10}%`;
