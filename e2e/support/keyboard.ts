/** A person without a pointer: every step is a key, and where the focus is can be seen at each. */
import type { ElementHandle, Page } from 'playwright-core';

export type Keyboard = {
  /** Tab, until what has this role and name has the focus. */
  tabTo: (role: string, name: string | RegExp) => Promise<void>;
  /** The same, and Enter. */
  enter: (role: string, name: string | RegExp) => Promise<void>;
  /** Tab to the field of this label and type; what stood there is replaced. */
  write: (label: string | RegExp, text: string) => Promise<void>;
  /** Tab to the select of this label, and choose by typing. */
  choose: (label: string | RegExp, option: string) => Promise<void>;
  press: (key: string) => Promise<void>;
};

/** No page has more stops than this. */
const STOPS = 150;

type Stop = { role: string; name: string; ring: boolean; inView: boolean };

export function keyboardOf(page: Page): Keyboard {
  const press = (key: string) => page.keyboard.press(key);

  async function tabTo(role: string, name: string | RegExp): Promise<void> {
    const passed: string[] = [];
    for (let stop = 0; stop < STOPS; stop++) {
      await press('Tab');
      const here = await focused(page);
      if (!here) continue;
      if (!here.ring) throw new Error(`Nobody sees that ${here.role} '${here.name}' has the focus`);
      if (!here.inView) throw new Error(`${here.role} '${here.name}' has the focus out of sight`);
      const fits = typeof name === 'string' ? here.name === name : name.test(here.name);
      if (here.role === role && fits) return;
      passed.push(`${here.role} '${here.name}'`);
    }
    throw new Error(`Tab never reaches ${role} ${String(name)}, but ${[...new Set(passed)].join(', ')}`);
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

/** Role, name and looks of what has the focus; null while nothing has it. */
export async function focused(page: Page): Promise<Stop | null> {
  for (;;) {
    const active = await page.evaluateHandle(() => document.activeElement);
    const element = active.asElement();
    const stop = element && (await describe(page, element));
    // Looks and name are asked one after the other; a toast that ends in between takes the focus along.
    const isStill = await active.evaluate((one) => one === document.activeElement);
    await active.dispose();
    if (isStill) return stop;
  }
}

async function describe(page: Page, element: ElementHandle): Promise<Stop | null> {
  const seen = await element.evaluate((node) => {
    const part = node as Element;
    if (part === document.body) return null;
    // A part may show the focus on behalf of what it contains, such as a hidden file input.
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
  // Role and name as assistive technology is told them. It is YAML, which quotes a line with a colon in it.
  const snapshot = await page
    .locator(':focus')
    .first()
    .ariaSnapshot({ timeout: 2000 })
    // The focus has gone, and is looked for again.
    .catch(() => '');
  const [first = ''] = snapshot.split('\n');
  const [, role = '', name = ''] = /^- '?(\w+)(?: "((?:[^"\\]|\\.)*)")?/.exec(first) ?? [];
  return { role, name: name.replaceAll(/\\(.)/g, '$1'), ...seen };
}
