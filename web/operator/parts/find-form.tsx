import { useId, useState, type Ref } from 'react';
import { Search } from 'lucide-react';
import { useLocation } from 'wouter';
import { MAX_SEARCH } from '#domain/operator/limits.ts';
import { PrefixedInput } from '#web/ui/forms/input.tsx';
import { useAllPages } from './menu-pages.ts';

type FindFormProps = { ref?: Ref<HTMLFormElement>; hint: string; value?: string; className: string };

/** Finds anything. The titles of pages are suggested, and open their page. */
export function FindForm({ ref, hint, value = '', className }: FindFormProps) {
  const [, navigate] = useLocation();
  const [words, setWords] = useState(value);
  const suggestions = useId();
  const pages = useAllPages();
  return (
    <form
      ref={ref}
      role="search"
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        const q = words.trim();
        const page = pages.find(({ title }) => title.toLowerCase() === q.toLowerCase());
        navigate(page?.path ?? `/operator/find?${new URLSearchParams({ q }).toString()}`);
      }}
    >
      <PrefixedInput
        prefix={<Search />}
        type="search"
        aria-label="Find people, websites, ads, documents, payments and pages"
        placeholder={hint}
        autoComplete="off"
        list={suggestions}
        maxLength={MAX_SEARCH}
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      <datalist id={suggestions}>
        {pages.map(({ path, title }) => (
          <option key={path} value={title}>
            {title}
          </option>
        ))}
      </datalist>
    </form>
  );
}
