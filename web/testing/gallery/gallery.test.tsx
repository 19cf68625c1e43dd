/** Looks at each state of each screen in several sizes and in both themes. */
import { beforeAll, expect, it } from 'vitest';
import { findOutlineFaults } from '#web/testing/findings.ts';
import { openPage } from '#web/testing/screen.tsx';
import { DESKTOP, findFaults, type Look, resize, setTheme, settle } from './checks.ts';
import { SCREENS } from './screens.ts';
import { answerAs, type Screen, type State, STATE_NAMES } from './states.ts';

const cases = SCREENS.flatMap((screen) =>
  STATE_NAMES.filter((state) => isLookedAt(screen, state)).map(
    (state) => [`${screen.name}, ${state}`, screen, state] as const,
  ),
);
function isLookedAt({ isStatic, states }: Screen, state: State): boolean {
  return isStatic ? state === 'one' : (states ?? STATE_NAMES).includes(state);
}
/** Names change no roles and no colors. */
const WITH_AXE: ReadonlySet<State> = new Set(['loading', 'empty', 'many', 'an error']);
/** The other states have no names, so hardly anything in them changes with the width. */
const IN_ALL_SIZES: ReadonlySet<State> = new Set([
  'many',
  'a long German name',
  'a name from right to left, with markup and a long word',
]);
const lookAt = (state: State, { isStatic = false }: Partial<Screen>): Look => ({
  axe: isStatic || WITH_AXE.has(state),
  sizes: isStatic || IN_ALL_SIZES.has(state) ? 'all' : 'two',
});
/** The paths of the screens with each title. */
const titles = new Map<string, Set<string>>();

beforeAll(async () => await setTheme('light'));

it.each(cases)('axe finds nothing, and nothing overflows or moves: %s', async (_, screen, state) => {
  answerAs(screen, state);
  await resize(DESKTOP);
  await openPage(screen.path, { as: screen.as });
  // The frame has its main part before the code of the page has arrived.
  await expect.poll(() => document.querySelector('main h1')).not.toBeNull();
  await settle();
  expect(document.body.textContent).not.toContain('Please refresh the page');
  expect([...findOutlineFaults(), ...(await findFaults(lookAt(state, screen)))]).toEqual([]);
  const paths = titles.get(document.title) ?? new Set();
  titles.set(document.title, paths.add(screen.path.replace(/\?.*/, '')));
});

it('each screen has its own title', () => {
  expect([...titles].filter(([, paths]) => paths.size > 1)).toEqual([]);
  expect(titles.size).toBeGreaterThan(10);
  for (const nameless of ['', 'Openslot']) expect([...titles.keys()]).not.toContain(nameless);
});
