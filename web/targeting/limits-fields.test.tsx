import { useState } from 'react';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Targeting } from '#domain/targeting/limits.ts';
import { see } from '#web/testing/look.ts';
import { render } from '#web/testing/screen.tsx';
import { LimitsFields } from './limits-fields.tsx';

it('offers the topics and pages of the ad zone, by keyboard too, beside what is typed', async () => {
  const changes: (Targeting | null)[] = [];
  function Fields() {
    const [value, setValue] = useState<Targeting | null>(null);
    const change = (limits: Targeting | null) => {
      changes.push(limits);
      setValue(limits);
    };
    const paths = Array.from({ length: 30 }, (_, at) => `/page/${at}`);
    return (
      <LimitsFields value={value} onChange={change} offered={{ topics: ['cycling', 'tennis'], paths }} />
    );
  }
  render(<Fields />);
  const pages = page.getByRole('list', { name: 'Pages of this ad zone' });
  await expect.poll(() => pages.getByRole('button').elements().length).toBe(12);
  await page.getByRole('button', { name: 'Add /page/3', exact: true }).click();
  await page.getByLabelText('Topics', { exact: false }).first().fill('chess');
  (page.getByRole('button', { name: 'Add tennis' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => changes.at(-1)).toEqual({ paths: ['/page/3'], topics: ['chess', 'tennis'] });
  await expect.element(page.getByRole('textbox', { name: 'Topics' })).toHaveValue('chess, tennis');
  await expect.element(page.getByRole('button', { name: 'Add tennis' })).not.toBeInTheDocument();
  await see(page.getByRole('button', { name: 'Add cycling' }));
});

it('offers nothing where nothing is known', async () => {
  render(<LimitsFields value={null} onChange={() => {}} />);
  await see(page.getByRole('textbox', { name: 'Topics' }));
  await expect.element(page.getByRole('list', { name: /of this ad zone/ })).not.toBeInTheDocument();
});
