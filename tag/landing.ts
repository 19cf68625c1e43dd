/**
 * The landing script: one line on the advertiser's page reports that a measured click has arrived, and what the visitor
 * did, by `openslot.convert`. It sets no cookie and stores nothing. The token of the click stays in the address: links to
 * pages of the same site take it along. Visitors who have asked not to be tracked are not reported; their clicks carry no
 * token in the first place. [EVID-03, RES-01]
 */
import { DELIVERY_PLACEHOLDER } from '#domain/delivery/wire.ts';

type Conversion = { value?: string | number; currency?: string; order?: string | number };
type Page = { openslot?: { q?: Conversion[] } };

/** Parameters that sign an address, which is refused with one more, and the token itself. */
const COMPLETE = /[?&]osid=|(sig|signature|token|hash|hmac|expires)=/i;

// If the target address has a parameter of this name itself, ours is the last one.
const osid = /.*[?&]osid=([\w-]+)/.exec(location.search)?.[1];
const token = navigator.doNotTrack !== '1' && !navigator.globalPrivacyControl && osid;

const report = (path: string, conversion?: object): void => {
  fetch(`${DELIVERY_PLACEHOLDER}/api/serve/${path}`, {
    method: 'POST',
    keepalive: true,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    ...(conversion && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(conversion) }),
    // A visitor of the page must not see that the report failed.
  }).catch(() => {});
};
const convert = (conversion?: Conversion): void => {
  if (token) report('conversions', { ...conversion, osid: token });
};

const { openslot } = window as Page;
(window as object as { openslot: object }).openslot = { convert, q: { push: convert } };
openslot?.q?.forEach(convert);

if (token) {
  report(`landings/${token}`);
  addEventListener(
    'click',
    ({ target }) => {
      // A script may dispatch a click on the document, which has no `closest`.
      const link = (target as Element).closest?.<HTMLAnchorElement>('a[href]:not([download])');
      if (
        link?.protocol === location.protocol &&
        link.host === location.host &&
        // A link into the page must not load it again, although the page may have removed the token from its own address.
        link.pathname + link.search !== location.pathname + location.search &&
        !COMPLETE.test(link.search)
      )
        link.search += `${link.search ? '&' : '?'}osid=${token}`;
    },
    true,
  );
}
