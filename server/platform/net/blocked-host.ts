import { getHostname } from 'tldts';

/**
 * Host names that the lists of ad blockers remove with everything on them, also for the visitors of the host itself.
 * EasyList has `://ads.`, `://adv.`, `://banner.` and others for the beginning of a host, and `.adserver.` and others for
 * its middle (https://github.com/easylist/easylist, easylist_general_block.txt).
 */
const FIRST_LABEL = /^(ads|adv|adserver|banners?|promo|affiliates?|synad)\./;
const ANY_LABEL =
  /(^|\.)(ads\d|adserve\d?|adserver\d*|adnetwork|adcenter|adengine|adpartner|adspace|advert|openad)\./;

/** Returns whether ad blockers remove whatever comes from this web address. */
export function isBlockedHost(url: string): boolean {
  const host = getHostname(url)?.toLowerCase() ?? '';
  return FIRST_LABEL.test(host) || ANY_LABEL.test(host);
}

/** Returns a sentence for each setting whose host ad blockers remove. */
export function blockedHosts(addresses: { publicUrl: string; deliveryUrl: string }): string[] {
  const given = [
    ['PUBLIC_URL', addresses.publicUrl, 'pages of the marketplace stay blank'],
    ['DELIVERY_URL', addresses.deliveryUrl, 'ads do not appear'],
  ] as const;
  return given
    .filter(([, url]) => isBlockedHost(url))
    .map(
      ([setting, url, effect]) =>
        `Ad blockers remove everything from ${getHostname(url)}, so ${effect} for people who use one. Choose a neutral host such as market.example.com for ${setting}.`,
    );
}
