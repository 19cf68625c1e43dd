/** Uses a page by keyboard only, and expects that the focused element is visible at each step. */
import type { Page } from 'playwright-core';
import { lookAtFocus, type FocusSight } from '../../web/testing/focus-sight.ts';

export type Keyboard = {
  /** Waits for the element with this role and name, and presses Tab until it has the focus. */
  tabTo: (role: string, name: string | RegExp) => Promise<void>;
  /** Tabs to the element and presses Enter. */
  enter: (role: string, name: string | RegExp) => Promise<void>;
  /** Tabs to the text field with this label and replaces its text. */
  write: (label: string | RegExp, text: string) => Promise<void>;
  /** Tabs to the select with this label and chooses an option by typing. */
  choose: (label: string | RegExp, option: string) => Promise<void>;
  press: (key: string) => Promise<void>;
};

type Role = Parameters<Page['getByRole']>[0];

/** No page has more tab stops than this. */
const MAX_STOPS = 150;

type Stop = FocusSight & { role: string; name: string };

export function keyboardOf(page: Page): Keyboard {
  const press = (key: string) => page.keyboard.press(key);

  async function tabTo(role: string, name: string | RegExp): Promise<void> {
    // A part of the page that is still loading has no stops, and moves those after it.
    await page
      .getByRole(role as Role, { name, exact: typeof name === 'string' })
      .first()
      .waitFor({ state: 'attached' });
    const passed: string[] = [];
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      await press('Tab');
      const here = await page.evaluate(lookAtFocus);
      if (!here) continue;
      const text = here.texts.join(' | ');
      if (!here.ring) throw new Error(`'${text}' has the focus without a focus ring`);
      if (!here.inView) throw new Error(`'${text}' has the focus outside the visible part of the page`);
      passed.push(text);
      // Reading the role and name takes longer than all the rest.
      if (!here.texts.some((one) => mayBeNamed(one, name))) continue;
      const found = await focused(page);
      if (found?.role === role && isNamed(found.name, name)) return;
    }
    throw new Error(
      `Tab does not reach ${role} ${String(name)}, only '${[...new Set(passed)].join(`', '`)}'`,
    );
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

const isNamed = (text: string, name: string | RegExp) =>
  typeof name === 'string' ? text === name : name.test(text);

/** Whether an element with this text may have the wanted name, whose spaces may differ. */
function mayBeNamed(text: string, name: string | RegExp): boolean {
  const bare = (one: string) => one.replaceAll(/\s/g, '');
  return typeof name === 'string' ? bare(text).includes(bare(name)) : name.test(text);
}

/** Role, name and visibility of the focused element, or null when no element has the focus. */
export async function focused(page: Page): Promise<Stop | null> {
  for (;;) {
    const seen = await page.evaluate(lookAtFocus);
    if (!seen) return null;
    // Role and name as assistive technology reads them. The snapshot is YAML, which quotes a line with a colon.
    const snapshot = await page
      .locator(':focus')
      .first()
      .ariaSnapshot({ timeout: 2000 })
      // The focus has moved, so read it again.
      .catch(() => '');
    // Style and name are read in two steps. A toast that closes in between moves the focus.
    if (!(await page.evaluate(() => Reflect.get(window, 'looked') === document.activeElement))) continue;
    const [first = ''] = snapshot.split('\n');
    const [, role = '', name = ''] = /^- '?(\w+)(?: "((?:[^"\\]|\\.)*)")?/.exec(first) ?? [];
    return { role, name: name.replaceAll(/\\(.)/g, '$1'), ...seen };
  }
}
