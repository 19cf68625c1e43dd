import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Search } from 'lucide-react';
import { useLocation } from 'wouter';
import { MAX_SEARCH } from '#domain/operator/forms.ts';
import { cn } from '#web/ui/cn.ts';
import { PrefixedInput } from '#web/ui/forms/input.tsx';
import { useMenuPages } from '../parts/menu-pages.ts';

/**
 * Finds anything, from every page of the console, and suggests pages while the operator types. ⌘K or Ctrl+K leads to it.
 */
export function FindField() {
  const [, navigate] = useLocation();
  const [words, setWords] = useState('');
  const [isOpen, setOpen] = useState(false);
  /** The suggestion that the arrow keys have reached; -1 for none, so that Enter searches. */
  const [at, setAt] = useState(-1);
  const list = useId();
  const form = useRef<HTMLFormElement>(null);
  useSearchKey(form);
  const pages = useMenuPages(words);
  const shown = isOpen ? pages : [];
  const optionId = (index: number) => `${list}-${index}`;

  function go(path: string) {
    setOpen(false);
    setAt(-1);
    navigate(path);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && shown.length > 0) {
      event.preventDefault();
      setOpen(false);
    }
    if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || pages.length === 0) return;
    event.preventDefault();
    setOpen(true);
    const steps = pages.length + 1;
    setAt((before) => ((before + 1 + (event.key === 'ArrowDown' ? 1 : steps - 1)) % steps) - 1);
  }

  return (
    <form
      ref={form}
      role="search"
      className="relative w-full max-w-sm"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        go(shown[at]?.path ?? `/operator/find?${new URLSearchParams({ q: words.trim() }).toString()}`);
      }}
    >
      <PrefixedInput
        prefix={<Search />}
        type="search"
        role="combobox"
        aria-label="Find people, websites, ads, documents and payments"
        aria-expanded={shown.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        {...(shown[at] && { 'aria-activedescendant': optionId(at) })}
        placeholder="Find  ⌘K"
        autoComplete="off"
        maxLength={MAX_SEARCH}
        value={words}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setWords(target.value);
          setOpen(true);
          setAt(-1);
        }}
      />
      <ul
        id={list}
        role="listbox"
        aria-label="Pages"
        hidden={shown.length === 0}
        className="absolute inset-x-0 top-full mt-1 grid gap-0.5 rounded-card border border-line bg-surface p-1 shadow-float [[hidden]]:hidden"
      >
        {shown.map(({ path, title }, index) => (
          <li
            key={path}
            id={optionId(index)}
            role="option"
            aria-selected={index === at}
            className={cn('cursor-pointer rounded-control px-3 py-2 text-sm', index === at && 'bg-sunken')}
            onMouseEnter={() => setAt(index)}
            // The field must keep the focus, or the list closes before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => go(path)}
          >
            {title}
          </li>
        ))}
      </ul>
    </form>
  );
}

/** ⌘K or Ctrl+K selects what is in the field. */
function useSearchKey(form: React.RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      form.current?.querySelector('input')?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [form]);
}
