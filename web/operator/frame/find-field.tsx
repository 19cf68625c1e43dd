import { useEffect, useRef } from 'react';
import { Search } from 'lucide-react';
import { Link } from 'wouter';
import { FindForm } from '../parts/find-form.tsx';

/** The keys that focus the field. */
const KEYS = /Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl K';

/** The search of every page. ⌘K or Ctrl+K leads to it. A phone's header has room for a link to it only. */
export function FindField() {
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
    <>
      <FindForm ref={form} hint={`Find  ${KEYS}`} className="w-full max-w-sm max-sm:hidden" />
      <Link
        href="/operator/find"
        aria-label="Find"
        className="grid size-10 shrink-0 place-items-center rounded-control text-ink-soft hover:bg-sunken sm:hidden [&_svg]:size-5"
      >
        <Search aria-hidden="true" />
      </Link>
    </>
  );
}
