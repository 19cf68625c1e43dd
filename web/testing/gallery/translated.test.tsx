/**
 * Each screen, and each dialog, menu and toast, in a browser that translates pages, as most readers of other languages use:
 * nothing breaks, and nothing shows a text of before. [decision 039]
 */
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { findStaleTexts, translate } from '#web/testing/findings.ts';
import { openPage } from '#web/testing/screen.tsx';
import { DESKTOP, resize, setTheme, settle } from './checks.ts';
import { LAYER, seen } from './hand.ts';
import { LAYERS } from './layers.ts';
import { SCREENS } from './screens.ts';
import { answerAs } from './states.ts';

/** These change texts of the page, and nothing on the server. */
const isSafe = (control: HTMLElement) =>
  control.matches('[role=tab], summary, [aria-expanded], [aria-haspopup], [aria-pressed]') ||
  /^(?:Copy|Show as)/.test(control.textContent);

let endTranslation: () => void;
const errors = vi.spyOn(console, 'error');

beforeAll(async () => await setTheme('light'));
beforeEach(() => {
  errors.mockClear();
  endTranslation = translate();
});
afterEach(() => endTranslation());

/** The application names a refused call, which is no error of the page. */
const isRefusal = (error: string) => error.startsWith('Loading failed');

/** Fails unless the page is alive and translated, except its code, and shows no text of before. */
async function expectWhole(where: string): Promise<void> {
  await settle();
  expect([
    where,
    ...findStaleTexts(),
    ...errors.mock.calls.map(String).filter((error) => !isRefusal(error)),
  ]).toEqual([where]);
  expect(document.body.textContent).not.toContain('Something went wrong');
  expect(document.querySelectorAll('font > font').length).toBeGreaterThan(0);
  expect([where, ...document.querySelectorAll('code font')]).toEqual([where]);
}

/** Presses what is safe to press in the last element that `scope` matches, and closes what opens. */
async function pressAll(scope: string): Promise<void> {
  const layers = () => document.querySelectorAll(LAYER).length;
  const before = layers();
  const within = [...document.querySelectorAll(scope)].at(-1);
  for (const control of within?.querySelectorAll<HTMLElement>('button, [role=tab], summary') ?? []) {
    if (
      !isSafe(control) ||
      !control.isConnected ||
      !control.checkVisibility() ||
      control.matches(':disabled')
    )
      continue;
    const name = control.textContent;
    control.focus();
    await userEvent.keyboard('{Enter}');
    await expectWhole(name);
    if (layers() > before) {
      await userEvent.keyboard('{Escape}');
      await expectWhole(`${name}, closed`);
    }
  }
}

it.each(SCREENS.map((screen) => [screen.name, screen] as const))(
  'works on when translated: %s',
  async (name, screen) => {
    answerAs(screen, 'one');
    await resize(DESKTOP);
    await openPage(screen.path, { as: screen.as });
    await expectWhole(name);
    await pressAll('main');
  },
);

it.each(LAYERS.map((layer) => [layer.name, layer] as const))(
  'works on when translated, a layer: %s',
  async (name, layer) => {
    answerAs(layer, 'one');
    await resize(layer.isNarrow ? { width: 375, height: 900 } : DESKTOP);
    await openPage(layer.path, { as: layer.as });
    await layer.open();
    await seen(LAYER);
    await expectWhole(name);
    await pressAll(LAYER);
    await userEvent.keyboard('{Escape}');
    await expectWhole(`${name}, closed`);
  },
);
