/**
 * Completes an address as people type it: 'daily.example' -> 'https://daily.example'. Text without a dot, or with a scheme,
 * stays as it is. Only forms complete addresses; the API is strict.
 */
export function withScheme(typed: string): string {
  const text = typed.trim();
  const hasScheme = /^[a-z][a-z\d+-]*:/i.test(text) || text.startsWith('//');
  return hasScheme || !text.includes('.') || /\s/.test(text) ? text : `https://${text}`;
}
