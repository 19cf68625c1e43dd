/**
 * The documents for visitors contain their style sheet (scripts/pages.mjs). Vite would load its file with the next page,
 * unless a link names it. A disabled link is not loaded. It is no part of the document, because browsers load links of a
 * document in advance.
 */
export function linkInlineStyles(): void {
  const file = document.querySelector<HTMLStyleElement>('style[data-file]')?.dataset.file;
  if (!file) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.disabled = true;
  link.setAttribute('href', file);
  document.head.append(link);
}
