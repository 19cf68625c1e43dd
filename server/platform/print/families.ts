/** The families of fonts of documents. The first one that has a letter prints it. */
export const FAMILIES = [
  'inter',
  'vazirmatn',
  'noto-sans-hebrew',
  'noto-sans-devanagari',
  'noto-sans-thai',
  'noto-sans-sc',
  'noto-sans-jp',
  'noto-sans-kr',
  'noto-emoji',
] as const;
export type Family = (typeof FAMILIES)[number];

export const packageOf = (family: Family): string => `@fontsource-variable/${family}`;
