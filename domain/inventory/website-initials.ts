const ARTICLES = new Set(['the', 'a', 'an']);

/** The first letters of the name's first two words, without an article: 'The Daily Kernel' -> 'DK'. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}\p{Extended_Pictographic}]+/u).filter((word) => word !== '');
  const own = words.filter((word) => !ARTICLES.has(word.toLowerCase()));
  const [first = name, second = ''] = own.length > 0 ? own : words;
  return [first, second].map((word) => (/^./u.exec(word)?.[0] ?? '').toUpperCase()).join('');
}

/** A number that is always the same for a name, and differs between most names (FNV-1a). */
export function spreadOf(name: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01_00_01_93) >>> 0;
  return hash;
}
