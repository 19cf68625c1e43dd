/** Looks at each state of each screen in several sizes and in both themes. */
import { beforeAll, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { findOutlineFaults } from '#web/testing/findings.ts';
import { openPage } from '#web/testing/screen.tsx';
import { DESKTOP, findFaults, type Look, resize, setTheme, settle } from './checks.ts';
import { SCREENS } from './screens.ts';
import { answerAs, type Screen, STATES } from './states.ts';

const cases = SCREENS.flatMap((screen) =>
  Object.keys(STATES)
    .filter((state) => !screen.isStatic || state === 'one')
    .map((state) => [`${screen.name}, ${state}`, screen, state] as const),
);
/** Names change no roles and no colors. Without names, hardly anything changes with the width. */
const lookAt = (state: string, { isStatic }: Screen): Look => ({
  axe: isStatic === true || /^(?:loading|empty|many|an error)$/.test(state),
  sizes: isStatic === true || /^(?:many|a long German name|a name .*)$/.test(state) ? 'all' : 'two',
});
/** The paths of the screens with each title. */
const titles = new Map<string, Set<string>>();

beforeAll(async () => await setTheme('light'));

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-07, A11Y-09, A11Y-10
it.each(cases)('%s', async (_, screen, state) => {
  answerAs(screen, state);
  await resize(DESKTOP);
  await openPage(screen.path, { as: screen.as });
  await expect.element(page.getByRole('main')).toBeVisible();
  await settle();
  expect(document.body.textContent).not.toContain('Please refresh the page');
  expect([...findOutlineFaults(), ...(await findFaults(lookAt(state, screen)))]).toEqual([]);
  const paths = titles.get(document.title) ?? new Set();
  titles.set(document.title, paths.add(screen.path.replace(/\?.*/, '')));
});

// Proves A11Y-10
it('each screen has its own title', () => {
  expect([...titles].filter(([, paths]) => paths.size > 1)).toEqual([]);
  expect(titles.size).toBeGreaterThan(10);
  expect(titles).not.toContain('Openslot');
});
