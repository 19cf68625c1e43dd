/** The checks of the gallery in a state of a screen, a dialog, a menu or a toast. */
import axe from 'axe-core';
import { cdp, page } from 'vitest/browser';
import { findHarm, findLostText, findSideways } from '#web/testing/findings.ts';

/** WCAG 2.2 at level AA, and the best practices of axe's authors. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
/** The themes differ only in color variables (web/styles/tokens.css). */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

export const DESKTOP = { width: 1280, height: 900 };
/** The layout of a desktop at 200% zoom. */
const ZOOMED = { width: 640, height: 450 };
const PHONES = [
  { width: 375, height: 812 },
  /** The narrowest window without a sideways scrollbar. */
  { width: 320, height: 640 },
];

/** The animations and transitions of more than 1 ms since the last look. */
const moved = new Set<string>();
for (const type of ['animationstart', 'transitionrun'])
  addEventListener(
    type,
    ({ target }) => {
      for (const animation of target instanceof Element ? target.getAnimations({ subtree: true }) : [])
        if (Number(animation.effect?.getComputedTiming().activeDuration ?? 0) > 1)
          moved.add(`${type}: ${(target as Element).outerHTML.slice(0, 80)}`);
    },
    true,
  );

/** The browser of a person who wants no motion, in the theme. */
export async function setTheme(theme: 'light' | 'dark'): Promise<void> {
  await (cdp() as { send: (method: string, params: object) => Promise<unknown> }).send(
    'Emulation.setEmulatedMedia',
    {
      features: [
        { name: 'prefers-color-scheme', value: theme },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ],
    },
  );
  if (!matchMedia(`(prefers-color-scheme: ${theme})`).matches) throw new Error(`The page is not ${theme}`);
  if (!matchMedia('(prefers-reduced-motion)').matches) throw new Error('The page may move');
}

/** Waits until the page has not changed for a moment. Its answers come at once. */
export async function settle(): Promise<void> {
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

export async function resize({ width, height }: typeof DESKTOP): Promise<void> {
  await page.viewport(width, height);
  for (let frame = 0; frame < 3; frame++) await new Promise((next) => requestAnimationFrame(next));
}

/**
 * The checks to make. `axe`: roles, names and colors, in both themes. `sizes`: all sizes, or only the largest and the smallest.
 * `layer` is a selector of dialogs, menus and toasts. The screen below them is left out, because it is checked without them.
 */
export type Look = { axe: boolean; sizes: 'all' | 'two'; layer?: string };

/** The findings in the state that is shown at the width of a desktop, a line for each. */
export async function findFaults({ axe: withAxe, sizes, layer }: Look): Promise<string[]> {
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  const found = findHarm();
  if (withAxe) {
    found.push(...(await axeFindings('light', layer)));
    await setTheme('dark');
    found.push(...(await axeFindings('dark', layer)).map((finding) => `dark, ${finding}`));
    await setTheme('light');
  }
  found.push(...layoutFindings('1280 px', layer));
  if (sizes === 'all') {
    await resize(ZOOMED);
    found.push(...layoutFindings('200 %', layer));
    document.adoptedStyleSheets = [WIDE_TEXT];
    found.push(...layoutFindings('200 %, wide text', layer));
    document.adoptedStyleSheets = [];
  }
  for (const phone of sizes === 'all' ? PHONES : PHONES.slice(-1)) {
    await resize(phone);
    found.push(...layoutFindings(`${phone.width} px`, layer));
  }
  found.push(...[...moved].map((motion) => `moves, ${motion}`));
  moved.clear();
  return found;
}

/** The text spacing of WCAG 1.4.12, which users may choose. */
const WIDE_TEXT = new CSSStyleSheet();
WIDE_TEXT.replaceSync(
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } ' +
    'p { margin-block-end: 2em !important }',
);

function layoutFindings(when: string, layer: string | undefined): string[] {
  const shown = layer === undefined ? undefined : [...document.querySelectorAll(layer)].at(-1);
  return [...findSideways(), ...findLostText(), ...(shown ? findOutside(shown) : [])].map(
    (finding) => `${when}: ${finding}`,
  );
}

/** Whether the layer reaches beyond the window, and its parts that scroll sideways. */
function findOutside(layer: Element): string[] {
  const found: string[] = [];
  const { left, right, top, bottom } = layer.getBoundingClientRect();
  const isOutside = left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  // A menu follows its button, which another size of the window may have moved out of it.
  if (isOutside && !layer.matches('[role=menu]')) found.push('beyond the window');
  for (const part of [layer, ...layer.querySelectorAll('*')]) {
    // Rows of tabs scroll by design. So may any part that has a tab stop, because the keyboard can scroll it.
    if (part.matches('[role=tablist], [tabindex]')) continue;
    if (/auto|scroll/.test(getComputedStyle(part).overflowX) && part.scrollWidth > part.clientWidth + 1)
      found.push(`scrolls sideways: ${part.outerHTML.slice(0, 120)}`);
  }
  return found;
}

/** The light theme is checked by every rule, and the dark one by those about colors. */
async function axeFindings(theme: 'light' | 'dark', layer = 'html'): Promise<string[]> {
  const { violations } = await axe.run(layer, {
    ...(theme === 'light'
      ? {
          runOnly: { type: 'tag' as const, values: TAGS },
          // Off by default in axe, as all of WCAG 2.2.
          rules: { 'target-size': { enabled: true } },
        }
      : { runOnly: { type: 'rule' as const, values: COLOR_RULES } }),
    resultTypes: ['violations'],
    iframes: false,
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.flat().join(' ')}`),
  );
}
