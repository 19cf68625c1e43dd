/** Looks at each state of each screen in several sizes and both themes, and as a browser that translates the page shows it. */
import axe from 'axe-core';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { findHarm, findLostText, findSideways } from '#web/testing/findings.ts';
import { openPage } from '#web/testing/screen.tsx';
import { SCREENS } from './screens.ts';
import { answerAs, STATES } from './states.ts';

/** WCAG 2.2 at level AA, and the best practices of axe's authors. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
const WIDTHS = [1280, 375, 320] as const;

/** Waits until the page has not changed for a moment. Its answers come at once. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      observer.disconnect();
      resolve();
    };
    let timer = setTimeout(done, 100);
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(done, 100);
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

async function axeFindings(): Promise<string[]> {
  const { violations } = await axe.run(document, {
    runOnly: { type: 'tag', values: TAGS },
    rules: { 'target-size': { enabled: true } },
    resultTypes: ['violations'],
    iframes: false,
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.flat().join(' ')}`),
  );
}

const cases = SCREENS.flatMap((screen) =>
  Object.keys(STATES).map((state) => [`${screen.name}, ${state}`, screen, state] as const),
);

it.each(cases)('%s', async (_, screen, state) => {
  answerAs(screen, state);
  await page.viewport(WIDTHS[0], 900);
  await openPage(screen.path, { as: screen.as });
  await expect.element(page.getByRole('main')).toBeVisible();
  await settle();
  expect(document.body.textContent).not.toContain('Please refresh the page');
  const found = [...(await axeFindings()), ...findHarm()];
  for (const width of WIDTHS) {
    await page.viewport(width, 900);
    await settle();
    const here = [...findSideways(), ...findLostText()];
    found.push(...here.map((finding) => `${width} px: ${finding}`));
  }
  expect(found).toEqual([]);
});
