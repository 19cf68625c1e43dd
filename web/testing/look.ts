/** Short forms of what component tests do most. */
import { expect } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';

/** Waits until the element is shown. */
export async function see(locator: Locator): Promise<void> {
  await expect.element(locator).toBeVisible();
}

/** The element whose text has these words, also among others. */
export const saying = (words: string, within: Pick<Locator, 'getByText'> = page): Locator =>
  within.getByText(words, { exact: false });

/** Presses a button or link with the keyboard. */
export async function press(locator: Locator): Promise<void> {
  await see(locator);
  (locator.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
}

/** Chooses an item of the menu of a row by keyboard. */
export async function choose(item: string, row: Locator): Promise<void> {
  await press(row.getByRole('button', { name: /^More for/ }));
  await press(page.getByRole('menuitem', { name: item, exact: true }));
}

/** The items of the menu of a row, which is closed again. */
export async function itemsOf(row: Locator): Promise<string[]> {
  const trigger = row.getByRole('button', { name: /^More for/ });
  await press(trigger);
  const items = page.getByRole('menuitem');
  await see(items.first());
  const names = items.all().map(wordsOf);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  // The focus comes back later, and would take the next key to this row.
  await expect.element(trigger).toHaveFocus();
  return names;
}

/** Fills in the form of an ad. */
export async function fillContent(fields: Record<string, string> = {}): Promise<void> {
  const values = {
    Title: 'Fresh coffee, delivered',
    Description: 'Beans roasted on Monday.',
    'Target URL': 'https://coffee.example/start',
    ...fields,
  };
  for (const [label, value] of Object.entries(values))
    await page.getByLabelText(label, { exact: true }).fill(value);
}

/** The words that the element shows, with single spaces. */
export const wordsOf = (locator: Locator): string =>
  (locator.element() as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim();

const openToasts = () => [...document.querySelectorAll<HTMLElement>('[data-variant][data-state=open]')];
const linesOf = ({ innerText }: HTMLElement) => innerText.split('\n').filter(Boolean);

/** Waits until a toast with this title is open. Returns all that it says. */
export async function seeToast(title: string): Promise<string> {
  const shown = () => openToasts().find((toast) => linesOf(toast)[0] === title);
  await expect.poll(shown, { message: `no toast ‘${title}’` }).toBeDefined();
  return shown()?.innerText ?? '';
}

/** Waits until a red toast is open whose title is ‘Error’, and which says this. */
export async function seeErrorToast(text: string): Promise<void> {
  await expect
    .poll(() =>
      openToasts()
        .filter(({ dataset }) => dataset['variant'] === 'destructive')
        .map(linesOf),
    )
    .toContainEqual(['Error', text]);
}
