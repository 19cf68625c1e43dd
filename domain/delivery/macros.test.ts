import { expect, it } from 'vitest';
import { DEFAULT_UTM, fillMacros, withUtm } from './macros.ts';

it('adds UTM parameters before the fragment, keeps the ones that are there, and encodes values but not macros', () => {
  const added = 'utm_source={site}&utm_medium=display&utm_campaign={ad}';
  expect(withUtm('https://a.example/x', DEFAULT_UTM)).toBe(`https://a.example/x?${added}`);
  expect(withUtm('https://a.example/?b=1#top', DEFAULT_UTM)).toBe(`https://a.example/?b=1&${added}#top`);
  expect(withUtm(`https://a.example/?${added}`, DEFAULT_UTM)).toBe(`https://a.example/?${added}`);
  expect(withUtm('https://a.example/', { source: 'a&b {zone} {x}', medium: ' ', campaign: '' })).toBe(
    'https://a.example/?utm_source=a%26b%20{zone}%20%7Bx%7D',
  );
});

it('encodes what it fills in', () => {
  const filled = fillMacros('https://a.example/{ad}?s={site}&x={other}', {
    site: 'daily.example:8443',
    zone: 'z',
    ad: 'a b',
  });
  expect(filled).toBe('https://a.example/a%20b?s=daily.example%3A8443&x={other}');
});
