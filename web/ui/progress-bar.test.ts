import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ProgressBar } from './progress-bar.tsx';

it.each([
  [7.3e-7, '0'],
  [0.0625, '0.063'],
  [3, '3'],
  [31, '30'],
])('the progress bar says %s of 30 as a number without an exponent', (value, said) => {
  const bar = renderToStaticMarkup(createElement(ProgressBar, { value, max: 30, label: 'Autumn sale' }));
  expect(bar).toContain(`aria-valuenow="${said}"`);
});
