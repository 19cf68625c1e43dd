import { expect, it } from 'vitest';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { page } from 'vitest/browser';
import { see } from '#web/testing/look.ts';
import { render } from '#web/testing/screen.tsx';
import { latePage, onDemand } from './late.tsx';

const Figures = ({ of }: { of: string }) => <p>Figures of {of}</p>;

it('a part whose code does not arrive says so, and loads it when it is tried again', async () => {
  let isDown = true;
  const Part = onDemand('the figures', 'h-4', () =>
    isDown ? Promise.reject(new Error('The network is down')) : Promise.resolve(Figures),
  );
  render(<Part of="May" />);
  await see(page.getByText('Could not load the figures'));
  isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await see(page.getByText('Figures of May'));
});

it('a page shows a spinner only if its code is not loaded yet', async () => {
  const Page = latePage(() => Promise.resolve({ default: Figures }));
  const firstText = () => {
    const place = document.createElement('div');
    const root = createRoot(place);
    flushSync(() => root.render(<Page of="May" />));
    const text = place.textContent;
    root.unmount();
    return text;
  };
  expect(firstText()).toBe('Loading');
  await Page.load();
  expect(firstText()).toBe('Figures of May');
});
