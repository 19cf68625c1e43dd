/**
 * The landing script: one line on the advertiser's page reports that a measured click has arrived, and what the visitor
 * did, by `openslot.convert`. It sets no cookie and stores nothing. The token of the click stays in the address: links to
 * pages of the same site take it along. Visitors who have asked not to be tracked are not reported; their clicks carry no
 * token in the first place. [EVID-03, RES-01]
 */
type Conversion = { value?: string | number; currency?: string; order?: string | number };
type Page = { openslot?: { q?: Conversion[] } };

const { src } = document.currentScript as HTMLScriptElement;
// If the target address has a parameter of this name itself, ours is the last one.
const osid = /.*[?&]osid=([\w-]+)/.exec(location.search)?.[1];
const token = navigator.doNotTrack !== '1' && !navigator.globalPrivacyControl && osid;

const report = (path: string, conversion?: object): void => {
  fetch(new URL(path, src), {
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
      const link = (target as Element).closest<HTMLAnchorElement>('a[href]');
      if (link?.origin === location.origin && !/[?&]osid=/.test(link.search))
        link.search += `${link.search ? '&' : '?'}osid=${token}`;
    },
    true,
  );
}
