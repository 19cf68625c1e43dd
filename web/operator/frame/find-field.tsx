import { useEffect, useRef, useState } from 'react';
import { Search } from 'lucide-react';
import { useLocation } from 'wouter';
import { MAX_SEARCH } from '#domain/operator/forms.ts';
import { PrefixedInput } from '#web/ui/forms/input.tsx';

/** Finds anything, from every page of the console. ⌘K or Ctrl+K leads to it. */
export function FindField() {
  const [, navigate] = useLocation();
  const [words, setWords] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      form.current?.querySelector('input')?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <form
      ref={form}
      role="search"
      className="w-full max-w-sm"
      onSubmit={(event) => {
        event.preventDefault();
        navigate(`/operator/find?${new URLSearchParams({ q: words.trim() }).toString()}`);
      }}
    >
      <PrefixedInput
        prefix={<Search />}
        type="search"
        aria-label="Find people, websites, ads, documents and payments"
        placeholder="Find  ⌘K"
        maxLength={MAX_SEARCH}
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
    </form>
  );
}
