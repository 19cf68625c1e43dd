export const GROUPINGS = ['campaign', 'zone', 'website'] as const;
export type Grouping = (typeof GROUPINGS)[number];
