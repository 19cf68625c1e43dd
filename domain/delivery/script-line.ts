/**
 * Ask the tools that rewrite the scripts of a page to leave ours alone: Cloudflare's Rocket Loader (which reads its attribute
 * only before `src`), LiteSpeed Cache, WP Rocket, and Cookiebot, because our scripts store nothing.
 */
const UNTOUCHED = 'data-cfasync="false" data-no-optimize="1" nowprocket data-cookieconsent="ignore"';

/** The HTML that loads one of our scripts. */
export function scriptLine(address: string, attributes: 'async' | 'async crossorigin'): string {
  return `<script ${attributes} ${UNTOUCHED} src="${address}"></script>`;
}
