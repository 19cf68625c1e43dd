import type { Currency } from '#domain/money.ts';
import { BADGE } from '#domain/inventory/site-badge.ts';
import { xml } from '#server/platform/http/html.ts';
import type { Brand } from '#server/platform/settings/marketplace.ts';
import { DARK, LIGHT } from '#domain/theme.ts';
import type { ListedWebsite } from '../inventory/browse.ts';
import { moneyText } from '#domain/money.ts';

const { width: WIDTH, height: HEIGHT } = BADGE;

/** A picture that a publisher links to the website's page. It is an SVG without fonts, scripts and other files. */
export function badge(
  { website }: ListedWebsite,
  currency: Currency,
  { name, logo, icon, accent }: Brand,
): string {
  // A picture that pages of other sites show can load no other file, so an own logo is not in it.
  const hasMark = logo === null && icon === null;
  const left = hasMark ? 52 : 14;
  const price = website.lowestPrice === null ? null : moneyText(website.lowestPrice, currency);
  const below = price === null ? `on ${name}` : `from ${price} on ${name}`;
  const font = "ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
  return xml`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Advertise here, ${below}">
<rect x=".5" y=".5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="9.5" fill="${LIGHT.surface}" stroke="${LIGHT.line}"/>
${hasMark && xml`<g transform="translate(12 10)" fill="none" stroke="${accent ?? LIGHT.accent}" stroke-width="2.5" stroke-linecap="round"><path transform="scale(1.1667)" d="M15.5 3.5H18A3.5 3.5 0 0 1 21.5 7v10a3.5 3.5 0 0 1-3.5 3.5H6A3.5 3.5 0 0 1 2.5 17V7A3.5 3.5 0 0 1 6 3.5h2.5"/><rect transform="scale(1.1667)" x="8" y="9" width="8" height="6.5" rx="1.5" fill="${DARK.lit}" stroke="none"/></g>`}
<text x="${left}" y="21" font-family="${font}" font-size="14" font-weight="600" fill="${LIGHT.ink}">Advertise here</text>
<text x="${left}" y="37" font-family="${font}" font-size="12" fill="${LIGHT['ink-soft']}"${below.length > 26 && xml` textLength="158" lengthAdjust="spacingAndGlyphs"`}>${below}</text>
</svg>
`.toString();
}
