import { expect, it } from 'vitest';
import { badgeCode } from './site-badge.ts';

it('writes the name of a website as text', () => {
  const pageUrl = 'https://ads.example/sites/tea.example';
  expect(badgeCode({ name: 'Tea & "<Time>"', pageUrl })).toBe(
    `<a href="${pageUrl}"><img src="${pageUrl}/badge.svg" alt="Advertise on Tea &amp; &quot;&lt;Time&gt;&quot;" width="220" height="48"></a>`,
  );
});
