import { useEffect } from 'react';
import { beforeReload } from '../late-code.ts';
import { useDraftKey } from './drafts.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** A changed text: the name of its control on the page, the value before the change, and the text. */
type Kept = { name: string; before: string; text: string };

const CONTROLS = 'textarea, select, input:not([type=password], [type=file], [type=checkbox], [type=radio])';
/** A form that asks browsers to store nothing, such as that of a card, is not stored here either. */
const SECRET = 'form[autocomplete=off] *, [autocomplete*=password], [autocomplete=one-time-code]';

/**
 * Keeps what the user has typed into any form over the reload after an upgrade. Passwords, codes and cards are never
 * stored. The text of a form in a dialog is put back when the user opens the dialog again.
 */
export function useKeptText(): void {
  const key = useDraftKey()('reload');
  useEffect(() => {
    const values = new WeakMap<EventTarget, string>();
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(CONTROLS) && !values.has(target))
        values.set(target, (target as Control).value);
    };
    document.addEventListener('focusin', remember);
    beforeReload(() => {
      const kept = namedControls().flatMap(([name, control]): Kept[] => {
        const before = values.get(control) ?? control.value;
        return control.value === before ? [] : [{ name, before, text: control.value }];
      });
      if (kept.length > 0) sessionStorage.setItem(key, JSON.stringify(kept));
    });
    const stop = putBack(key);
    return () => {
      document.removeEventListener('focusin', remember);
      stop();
    };
  }, [key]);
}

/** Puts each text back when its control appears with the value that it had before. Returns how to stop. */
function putBack(key: string): () => void {
  let kept = JSON.parse(sessionStorage.getItem(key) ?? '[]') as Kept[];
  const look = () => {
    const found = namedControls().flatMap(([name, control]) =>
      kept.filter((each) => each.name === name).map((each) => ({ control, each })),
    );
    if (found.length === 0) return;
    kept = kept.filter((each) => !found.some((one) => one.each === each));
    if (kept.length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(kept));
    // Another value is a draft that the form has restored itself, or belongs to another object.
    for (const { control, each } of found) if (control.value === each.before) type(control, each.text);
  };
  const observer = new MutationObserver(look);
  if (kept.length > 0) observer.observe(document.body, { childList: true, subtree: true });
  look();
  return () => observer.disconnect();
}

/** The controls of the page with a name for each: its address, its dialog, its label, and its number among equal ones. */
function namedControls(): [string, Control][] {
  const counts = new Map<string, number>();
  return [...document.querySelectorAll<Control>(CONTROLS)]
    .filter((control) => !control.matches(SECRET))
    .map((control) => {
      const dialog = control.closest('[role=dialog]')?.querySelector('h2')?.textContent;
      const label = control.labels?.[0]?.textContent ?? control.ariaLabel ?? control.name;
      const name = JSON.stringify([window.location.pathname, dialog, label]);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [`${name} ${count}`, control];
    });
}

function type(control: Control, text: string): void {
  // React compares a change with the value that was set on the element itself, so this sets it on the prototype.
  Reflect.set(Object.getPrototypeOf(control) as object, 'value', text, control);
  control.dispatchEvent(
    new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
  );
}
