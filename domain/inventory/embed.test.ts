import { expect, it } from 'vitest';
import {
  embedSnippet,
  frameSnippet,
  noscriptSnippet,
  policySources,
  postSnippet,
  postsScript,
  styleRule,
} from './embed.ts';

// Proves ZONE-08, GEN-03
it('loads the script from the delivery address and reserves the zone’s size', () => {
  const publicId = '0b0f2d9e-5c1c-4b57-9a2e-1f0c7f7f3a11';
  const snippet = embedSnippet({ publicId, width: 300, height: 250 }, 'https://ads.example');
  expect(snippet).toContain(`src="https://ads.example/api/serve/zone/${publicId}"`);
  expect(snippet).toMatch(/<script async crossorigin /);
  expect(snippet).toContain(`zone="${publicId}"`);
  expect(snippet).toContain('width:300px;height:250px');
});

it('asks optimizers and cookie banners to leave the script alone, before its address, where Rocket Loader reads it', () => {
  const zone = { publicId: 'z-1', width: 300, height: 250 };
  for (const line of [embedSnippet(zone, 'https://ads.example'), postsScript('https://ads.example')]) {
    const [, attributes = ''] = /<script ([^>]*) src="https/.exec(line) ?? [];
    expect(attributes.split(' ')).toEqual([
      'async',
      'crossorigin',
      'data-cfasync="false"',
      'data-no-optimize="1"',
      'nowprocket',
      'data-cookieconsent="ignore"',
    ]);
  }
});

it('writes for posts only what WordPress keeps: a div with data attribute, size and text', () => {
  expect(postSnippet({ publicId: 'z-1', width: 300, height: 250 })).toBe(
    '<div data-ad-zone="z-1" style="width:300px;height:250px;max-width:100%">Advertisement</div>',
  );
});

it('puts the zone into a sandboxed frame without an origin of its own, which sends its website as referrer', () => {
  const publicId = '0b0f2d9e-5c1c-4b57-9a2e-1f0c7f7f3a11';
  const snippet = frameSnippet({ publicId, width: 728, height: 90 }, 'https://ads.example');
  expect(snippet).toMatch(
    new RegExp(`^<iframe src="https://ads\\.example/z/${publicId}" width="728" height="90" loading="lazy" `),
  );
  expect(snippet).toContain(' sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" ');
  expect(snippet).toContain(' referrerpolicy="strict-origin" ');
  expect(snippet).toContain(' title="Advertisement"');
});

it('links visitors without JavaScript to the zone in the wizard, with an escaped address', () => {
  expect(noscriptSnippet('https://openslot.example', 'w-1', 'z-1')).toBe(
    '<noscript><a href="https://openslot.example/create-ad?website=w-1&amp;zone=z-1" style="display:inline-block;padding:8px 16px;border:1px solid;color:inherit;font-weight:600;text-decoration:none">Advertise here</a></noscript>',
  );
});

it('lists only our host for a strict content security policy', () => {
  const host = 'https://ads.example';
  expect(policySources(host)).toBe(
    `script-src ${host}; connect-src ${host}; img-src ${host}; media-src ${host}`,
  );
  expect(styleRule({ publicId: 'z-1', width: 300, height: 250 }).replaceAll(/\s+/g, ' ')).toBe(
    'ad-zone[zone="z-1"] { display: inline-block; width: 300px; height: 250px; max-width: 100%; }',
  );
});
