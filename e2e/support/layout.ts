import type { BrowserContext, Page } from 'playwright-core';
import { findLostText, findSideways } from '../../web/testing/findings.ts';

/** Changes the size of the window, unless it is so already, and waits until the page has its new layout. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  const now = page.viewportSize();
  if (now?.width === size.width && now.height === size.height) return;
  await page.setViewportSize(size);
  await nextFrames(page);
}

async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise((next) => requestAnimationFrame(next));
  });
}

/** The elements that make the page scroll sideways. The list is empty when it does not. */
export async function sideways(page: Page): Promise<string[]> {
  return await page.evaluate(findSideways);
}

/**
 * Text that a user cannot read: it is cut off by an element that neither scrolls nor shows an ellipsis, begins left of
 * the page, to where it does not scroll, or overlaps other text.
 */
export async function lostText(page: Page): Promise<string[]> {
  return await page.evaluate(findLostText);
}

/** Sets the text spacing of WCAG 1.4.12, which users may choose. */
export async function spaceText(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } ' +
        'p { margin-block-end: 2em !important }',
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  await nextFrames(page);
}

export async function unspaceText(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1);
  });
}

/** Makes each page that is opened from now on record its animations and transitions, for `movements`. */
export async function recordLayoutShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    const note = ({ target }: Event) => {
      if (!(target instanceof Element)) return;
      for (const animation of target.getAnimations({ subtree: true })) {
        const ms = Number(animation.effect?.getComputedTiming().activeDuration ?? 0);
        const name = 'animationName' in animation ? String(animation.animationName) : 'a transition';
        if (ms > 1) moved.push(`${name} for ${ms} ms: ${target.tagName.toLowerCase()}.${target.className}`);
      }
    };
    addEventListener('animationstart', note, true);
    addEventListener('transitionrun', note, true);
  });
}

/** The animations and transitions of more than 1 ms on this page since it was opened. */
export async function movements(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...new Set((window as unknown as { moved: string[] }).moved)].slice(0, 5),
  );
}
