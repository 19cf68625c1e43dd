const MAX_LENGTH = 512;

/** The language that an `Accept-Language` header prefers, without its country: 'de-AT,en;q=0.8' -> 'de'. Null: none. */
export function preferredLanguage(header: string): string | null {
  let best: string | null = null;
  let bestQuality = 0;
  for (const part of header.slice(0, MAX_LENGTH).split(',')) {
    const [, language, quality = '1'] =
      /^\s*([a-z]{2,3})(?:[-_][^;]*)?\s*(?:;\s*q=([\d.]+))?\s*$/i.exec(part) ?? [];
    if (language === undefined || !(Number(quality) > bestQuality)) continue;
    best = language.toLowerCase();
    bestQuality = Number(quality);
    if (bestQuality >= 1) break;
  }
  return best;
}
