/** Uses a page by keyboard only, and expects that the focused element is visible at each step. */
import { expect } from 'vitest';
import { userEvent, type Locator } from 'vitest/browser';
import { lookAtFocus } from './focus-sight.ts';

/** No page has more tab stops than this. */
const MAX_STOPS = 150;

/** Waits for the element, and presses Tab until it has the focus. */
export async function tabTo(locator: Locator): Promise<void> {
  // A part of the page that is still loading has no stops, and moves those after it.
  await expect.element(locator.first()).toBeInTheDocument();
  const passed: string[] = [];
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    await userEvent.keyboard('{Tab}');
    const here = lookAtFocus();
    if (!here) continue;
    const text = here.texts.join(' | ');
    if (!here.ring) throw new Error(`'${text}' has the focus without a focus ring`);
    if (!here.inView) throw new Error(`'${text}' has the focus outside the visible part of the page`);
    passed.push(text);
    if (locator.elements().some((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach the element, only '${[...new Set(passed)].join(`', '`)}'`);
}

/** Tabs to the element and presses Enter. */
export async function enter(locator: Locator): Promise<void> {
  await tabTo(locator);
  await userEvent.keyboard('{Enter}');
}

/** Tabs to the text field and replaces its text. */
export async function write(locator: Locator, text: string): Promise<void> {
  await tabTo(locator);
  await userEvent.keyboard(`{ControlOrMeta>}a{/ControlOrMeta}${text}`);
}

/** Tabs to the select and chooses an option by typing. */
export async function choose(locator: Locator, option: string): Promise<void> {
  await tabTo(locator);
  await userEvent.keyboard(option);
}
