/** The hand that opens dialogs in the gallery. It has no tools of tests, because a person opens the gallery, too. */

const WAIT_MS = 10_000;

/** Waits until `find` finds something. */
async function found<Found>(what: string, find: () => Found | undefined): Promise<Found> {
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const here = find();
    if (here !== undefined) return here;
    if (Date.now() > until) throw new Error(`There is no ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Every dialog, menu and toast. */
export const LAYER = '[role=dialog], [role=alertdialog], [role=menu], [data-variant]';

/** The dialog or menu on top, or the page. */
const topLayer = (): Element =>
  [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')].at(-1) ?? document.body;

const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true });
const labelled = (element: Element) =>
  (element.getAttribute('aria-labelledby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')
    .trim();
const labelsOf = (element: Element) =>
  'labels' in element
    ? [...((element as HTMLInputElement).labels ?? [])].map(({ textContent }) => textContent).join(' ')
    : '';
const nameOf = (element: Element): string =>
  (
    labelled(element) ||
    element.getAttribute('aria-label') ||
    labelsOf(element) ||
    element.textContent ||
    ''
  ).trim();
const matches = (text: string, wanted: string | RegExp) =>
  typeof wanted === 'string' ? text === wanted : wanted.test(text);

const ROLES = {
  button: 'button, [role=button]',
  menuitem: '[role=menuitem]',
  tab: '[role=tab]',
  radio: '[role=radio]',
  switch: '[role=switch]',
};

/** Presses the first control of this name in the layer on top. */
export async function press(name: string | RegExp, role: keyof typeof ROLES = 'button'): Promise<void> {
  const control = await found(`${role} ‘${String(name)}’`, () =>
    [...topLayer().querySelectorAll<HTMLButtonElement>(ROLES[role])].find(
      (each) => isShown(each) && !each.disabled && matches(nameOf(each), name),
    ),
  );
  pressOn(control);
}

/** Presses the first element that this selector matches. */
export async function pressAt(selector: string): Promise<void> {
  pressOn(await found(selector, () => [...document.querySelectorAll<HTMLElement>(selector)].find(isShown)));
}

/** As a mouse does. Menus open when it goes down, and buttons act when it comes up. */
function pressOn(control: HTMLElement): void {
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup'] as const) {
    const Kind = type.startsWith('pointer') ? PointerEvent : MouseEvent;
    control.dispatchEvent(new Kind(type, { bubbles: true, cancelable: true, button: 0 }));
  }
  control.click();
}

/** Writes into the field with this label in the layer on top. */
export async function write(label: string | RegExp, text: string): Promise<void> {
  const field = await found(`field ‘${String(label)}’`, () =>
    [...topLayer().querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].find((each) =>
      matches(nameOf(each), label),
    ),
  );
  // React listens to the event, and has replaced the property of the element.
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Waits until the page, or a layer over it, has an element that this selector matches. */
export async function seen(selector: string): Promise<void> {
  await found(selector, () => [...document.querySelectorAll(selector)].find(isShown));
}

/** Waits until the layer on top, or a toast, says this. */
export async function said(text: string): Promise<void> {
  await found(`text ‘${text}’`, () => (document.body.innerText.includes(text) ? true : undefined));
}
