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
