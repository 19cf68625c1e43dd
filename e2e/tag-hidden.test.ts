/** Zones that visitors cannot see, and pages that block parts of the tag. */
import { describe, expect, it } from 'vitest';
import { snippet } from './support/publisher.ts';
import { observed, rendered, afterPendingRequests, useTag } from './support/tag-page.ts';

const tag = useTag();
const views = () => tag.host.to('/view/').filter(({ path }) => !path.endsWith('?rendered'));

describe('a hidden ad zone', () => {
  // Proves DEL-12
  it('requests no ad until it is displayed', async () => {
    tag.host.serve('a', {});
    const page = await tag.open(`<div hidden>${snippet(tag.host.origin, 'a')}</div>`);
    await page.waitForFunction(() => customElements.get('ad-zone'));
    await observed(page);
    await afterPendingRequests(page, tag.host);
    expect(tag.host.to('/api/serve/ads')).toEqual([]);
    await page.evaluate(() => {
      document.querySelector('div')!.hidden = false;
    });
    await rendered(page, 'a');
    await tag.host.got('/view/a');
  });

  // Proves DEL-12
  it('reports no view when it is too small, has lost its size, or is inside an element that hides it', async () => {
    const sizes = [
      [0, 0],
      [1, 1],
      [300, 100],
    ] as const;
    const hidings = [
      'opacity:0',
      'visibility:hidden',
      'height:10px;overflow:hidden',
      'clip-path:inset(0 0 90% 0)',
      'position:fixed;left:-295px',
    ];
    const of = (zone: string, width?: number, height?: number) => {
      tag.host.serve(zone, {});
      return snippet(tag.host.origin, zone, width, height);
    };
    const page = await tag.open(
      [
        ...sizes.map(([width, height], index) => of(`small-${index}`, width, height)),
        ...hidings.map(
          (css, index) => `<div style="display:inline-block;${css}">${of(`inside-${index}`)}</div>`,
        ),
        of('bare').replace(/ w="300" h="250" style="[^"]*"/, ''),
        of('shown'),
      ].join(''),
      { stopped: true },
    );
    const zones = await page
      .locator('ad-zone')
      .evaluateAll((all) => all.map((zone) => zone.getAttribute('zone')));
    expect(zones).toHaveLength(10);
    expect(await page.locator('[zone=bare]').getAttribute('w')).toBeNull();
    await rendered(page, zones as string[], true);
    await page.clock.runFor(5000);
    await afterPendingRequests(page, tag.host);
    // Only the visible ad beside them is viewed.
    expect(views().map(({ path }) => path)).toEqual(['/view/shown']);
    expect(page.errors).toEqual([]);
  });
});

describe('a publisher’s page', () => {
  // Proves DEL-12
  it.each([
    ['the decision is blocked', '**/api/serve/ads*'],
    ['the script is blocked', '**/api/serve/zone/*'],
    ['the report is blocked', '**/view/*'],
  ])('keeps its layout and gets no errors when %s', async (_what, pattern) => {
    tag.host.serve('a', {});
    const page = await tag.open('');
    await page.route(pattern, (route) => route.abort('blockedbyclient'));
    const blocked = page.waitForEvent('requestfailed');
    await page.evaluate(
      (html) => {
        document.body.append(document.createRange().createContextualFragment(html));
      },
      snippet(tag.host.origin, 'a'),
    );
    await blocked;
    await observed(page);
    expect(await page.locator('ad-zone').boundingBox()).toMatchObject({ width: 300, height: 250 });
    expect(page.errors).toEqual([]);
  });

  // Proves DEL-12
  it.each(['connect-src', 'img-src', 'script-src'])(
    'keeps its layout when its content security policy lacks %s',
    async (forgotten) => {
      const policy = ['script-src HOST', 'connect-src HOST', 'img-src HOST', "style-src 'unsafe-inline'"]
        .filter((directive) => !directive.startsWith(forgotten))
        .join('; ');
      tag.host.serve('a', { kind: 'image', src: tag.host.fixture('ad.png') });
      const page = await tag.open(snippet(tag.host.origin, 'a'), {
        headers: {
          'Content-Security-Policy': `default-src 'none'; ${policy.replaceAll('HOST', tag.host.origin)}`,
        },
      });
      // The browser logs what the policy refused. The tag throws no errors.
      await expect.poll(() => page.errors.length).toBeGreaterThan(0);
      await observed(page);
      expect(page.errors.filter((error) => !/Content Security Policy/.test(error))).toEqual([]);
      expect(await page.locator('ad-zone').boundingBox()).toMatchObject({ width: 300, height: 250 });
      expect(tag.host.to('/view/')).toEqual([]);
    },
  );

  // Proves DEL-12
  it('requests ads and reports views once even when it contains the script twice', async () => {
    tag.host.serve('a', {});
    const page = await tag.open(snippet(tag.host.origin, 'a'));
    await rendered(page, 'a');
    await page.addScriptTag({ url: `${tag.host.origin}/api/serve/zone/again` });
    await observed(page);
    expect(tag.host.to('/api/serve/ads')).toHaveLength(1);
    await tag.host.got('/view/a');
    await afterPendingRequests(page, tag.host);
    expect(views()).toHaveLength(1);
    expect(page.errors).toEqual([]);
  });
});
