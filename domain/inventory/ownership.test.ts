import { describe, expect, it } from 'vitest';
import { holdsMetaTag, isProven, metaTag, ownershipState, txtNames, txtRecord } from './ownership.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const TAG = metaTag(TOKEN);

describe('the meta tag', () => {
  // Proves OWN-01
  it.each([
    ['in a complete page', `<!DOCTYPE html>\n<html lang="en"><head>${TAG}</head><body></body></html>`],
    ['without a head element', `<title>Daily</title>${TAG}<p>Hello`],
    ['in other quotes', `<meta name='openslot-site-verification' content='${TOKEN}' />`],
    ['without quotes', `<meta name=openslot-site-verification content=${TOKEN}>`],
    ['in upper case and in the other order', `<META CONTENT="${TOKEN}" NAME="Openslot-Site-Verification">`],
    ['over several lines', `<meta\n  name = "openslot-site-verification"\n\tcontent = "${TOKEN}"\n>`],
    ['behind another token', `${metaTag('other')}${TAG}`],
    ['behind scripts and styles', `<script>if (a < b) {}</script><style>a{}</style><!-- x -->${TAG}`],
    ['behind a letter that lower case makes longer', `<title>${'İ'.repeat(50)}</title>${TAG}`],
  ])('is found %s', (_where, page) => {
    expect(holdsMetaTag(page, TOKEN)).toBe(true);
  });

  // Proves OWN-01
  it.each([
    ['with another token', metaTag('other')],
    ['with a longer token', metaTag(`${TOKEN}0`)],
    ['as escaped text', '<title>&lt;meta name=&quot;openslot-site-verification&quot;&gt;</title>'],
    ['in the body', `<head></head><body>${TAG}</body>`],
    ['behind the end of the head', `<head></head>${TAG}`],
    ['behind the first element of a body', `<div>Comments</div>${TAG}`],
    ['in a comment', `<!-- ${TAG} -->`],
    ['in a comment without an end', `<!-- ${TAG}`],
    ['in a title', `<title>${TAG}</title>`],
    ['in a script', `<script>const x = '${TAG}'</script>`],
    ['in a script without an end', `<script>${TAG}`],
    ['in noscript', `<noscript>${TAG}</noscript>`],
    ['in an attribute', `<meta name="description" content='${TAG}'>`],
    ['with the name of another tag', `<meta name="other" content="${TOKEN}">`],
    ['with a second name', `<meta name="other" name="openslot-site-verification" content="${TOKEN}">`],
    ['on an empty page', ''],
  ])('is not found %s', (_where, page) => {
    expect(holdsMetaTag(page, TOKEN)).toBe(false);
  });

  it('is looked for in time that grows with the page and no faster', () => {
    for (const part of ['<!--', '<meta a="', '<title>', '<meta a', '< ', '<meta a=\'"', '<', '<meta  ']) {
      expect(holdsMetaTag(part.repeat(200_000), TOKEN)).toBe(false);
    }
  });
});

// Proves OWN-01
it('names the TXT record and where it may be', () => {
  expect(txtRecord(TOKEN)).toBe(`openslot-site-verification=${TOKEN}`);
  expect(txtNames('daily.example')).toEqual(['_openslot.daily.example', 'daily.example']);
});

// Proves OWN-01
it('takes any one way as a proof', () => {
  expect(isProven({ 'embed-code': 'no', 'ads.txt': 'no', 'meta-tag': 'no', dns: 'no' })).toBe(false);
  expect(isProven({ 'embed-code': 'no', 'ads.txt': 'no', 'meta-tag': null, dns: 'no' })).toBe(true);
});

// Proves OWN-02, OWN-04
it.each([
  [true, false, null, 'verified'],
  [true, true, null, 'failing'],
  [false, true, null, 'unverified'],
  [false, false, null, 'unverified'],
  [false, false, 'open', 'disputed'],
  [false, true, 'refused', 'refused'],
] as const)('a website (verified %s, failing %s, claim %s) is %s', (isVerified, isFailing, claim, state) => {
  expect(ownershipState({ isVerified, isFailing, claim })).toBe(state);
});
