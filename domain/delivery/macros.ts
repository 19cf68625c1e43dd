/** Macros in a target address, such as `?utm_source={site}`. Other braces stay as they are. */

/** The macros that are the same for each click of an ad. `site` is the host of the publisher's website. */
export type Macros = { site: string; zone: string; ad: string };

export function fillMacros(target: string, macros: Macros): string {
  return target.replaceAll(/\{(site|zone|ad)\}/g, (_, name: keyof Macros) =>
    encodeURIComponent(macros[name]),
  );
}

/** Fills in the id of one click, which is random and names nobody. */
export function fillClick(target: string, makeId: () => string): string {
  if (!target.includes('{click}')) return target;
  const clickId = makeId();
  return target.replaceAll('{click}', clickId);
}

/** The parameters that analytics programs read. */
export type Utm = { source: string; medium: string; campaign: string };
export const DEFAULT_UTM: Utm = { source: '{site}', medium: 'display', campaign: '{ad}' };

/** The address with these parameters. One that the address has already stays as it is. */
export function withUtm(target: string, utm: Utm): string {
  const at = target.indexOf('#');
  const [page, fragment] = at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at)];
  const added = Object.entries(utm)
    .map(([name, value]) => [`utm_${name}`, value.trim()] as const)
    .filter(([name, value]) => value !== '' && !new RegExp(`[?&]${name}=`).test(page))
    .map(([name, value]) => `${name}=${encodeMacros(value)}`)
    .join('&');
  if (added === '') return target;
  const joint = page.includes('?') ? (/[?&]$/.test(page) ? '' : '&') : '?';
  return `${page}${joint}${added}${fragment}`;
}

/** The value encoded for a query, with its macros left in braces. */
const encodeMacros = (value: string): string =>
  encodeURIComponent(value).replaceAll(/%7B(site|zone|ad|click)%7D/g, '{$1}');
