/** Uses a page by keyboard only, and expects that the focused element is visible at each step. */
import type { ElementHandle, Page } from 'playwright-core';

export type Keyboard = {
  /** Presses Tab until the element with this role and name has the focus. */
  tabTo: (role: string, name: string | RegExp) => Promise<void>;
  /** Tabs to the element and presses Enter. */
  enter: (role: string, name: string | RegExp) => Promise<void>;
  /** Tabs to the text field with this label and replaces its text. */
  write: (label: string | RegExp, text: string) => Promise<void>;
  /** Tabs to the select with this label and chooses an option by typing. */
  choose: (label: string | RegExp, option: string) => Promise<void>;
  press: (key: string) => Promise<void>;
};

/** No page has more tab stops than this. */
const MAX_STOPS = 150;

type Stop = { role: string; name: string; ring: boolean; inView: boolean };

export function keyboardOf(page: Page): Keyboard {
  const press = (key: string) => page.keyboard.press(key);

  async function tabTo(role: string, name: string | RegExp): Promise<void> {
    const passed: string[] = [];
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      await press('Tab');
      const here = await focused(page);
      if (!here) continue;
      if (!here.ring) throw new Error(`${here.role} '${here.name}' has the focus without a focus ring`);
      if (!here.inView)
        throw new Error(`${here.role} '${here.name}' has the focus outside the visible part of the page`);
      const fits = typeof name === 'string' ? here.name === name : name.test(here.name);
      if (here.role === role && fits) return;
      passed.push(`${here.role} '${here.name}'`);
    }
    throw new Error(`Tab does not reach ${role} ${String(name)}, only ${[...new Set(passed)].join(', ')}`);
  }

  return {
    press,
    tabTo,
    enter: async (role, name) => {
      await tabTo(role, name);
      await press('Enter');
    },
    write: async (label, text) => {
      await tabTo('textbox', label);
      await press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    choose: async (label, option) => {
      await tabTo('combobox', label);
      await page.keyboard.type(option);
    },
  };
}

/** Role, name and visibility of the focused element, or null when no element has the focus. */
export async function focused(page: Page): Promise<Stop | null> {
  for (;;) {
    const active = await page.evaluateHandle(() => document.activeElement);
    const element = active.asElement();
    const stop = element && (await describe(page, element));
    // Style and name are read in two steps. A toast that closes in between moves the focus.
    const isStill = await active.evaluate((one) => one === document.activeElement);
    await active.dispose();
    if (isStill) return stop;
  }
}

async function describe(page: Page, element: ElementHandle): Promise<Stop | null> {
  const seen = await element.evaluate((node) => {
    const part = node as Element;
    if (part === document.body) return null;
    // A label shows the focus for a control that is hidden in it, such as a file input.
    const shows = (one: Element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
    };
    const label = part.closest('label');
    const box = (label && shows(label) ? label : part).getBoundingClientRect();
    const middle = {
      x: box.left + Math.min(box.width, innerWidth) / 2,
      y: box.top + Math.min(box.height, 20) / 2,
    };
    const top = document.elementFromPoint(middle.x, middle.y);
    return {
      ring: shows(part) || (label !== null && shows(label)),
      inView:
        (box.bottom > 0 && box.top < innerHeight && !top?.closest('header.sticky, [data-toasts]')) ||
        Boolean(part.closest('header, [data-toasts]')),
    };
  });
  if (!seen) return null;
  // Role and name as assistive technology reads them. The snapshot is YAML, which quotes a line with a colon.
  const snapshot = await page
    .locator(':focus')
    .first()
    .ariaSnapshot({ timeout: 2000 })
    // The focus has moved, so read it again.
    .catch(() => '');
  const [first = ''] = snapshot.split('\n');
  const [, role = '', name = ''] = /^- '?(\w+)(?: "((?:[^"\\]|\\.)*)")?/.exec(first) ?? [];
  return { role, name: name.replaceAll(/\\(.)/g, '$1'), ...seen };
}
