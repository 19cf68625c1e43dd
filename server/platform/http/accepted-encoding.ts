export type Encoding = 'br' | 'gzip';

/** The best encoding that an Accept-Encoding header allows. Null means none. */
export function acceptedEncoding(header = ''): Encoding | null {
  for (const encoding of ['br', 'gzip'] as const)
    if (new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(header)) return encoding;
  return null;
}
