import { useEffect, useState } from 'react';
import { Search } from 'lucide-react';
import { PrefixedInput } from './input.tsx';

type SearchFieldProps = {
  /** For screen readers. The placeholder says it to the others. */
  label: string;
  placeholder?: string;
  maxLength?: number;
  value: string;
  onChange: (search: string) => void;
  className?: string;
};

/** The search starts after this pause in typing. */
const TYPING_PAUSE_MS = 250;

/** A field that tells its text after a pause in typing. */
export function SearchField({
  label,
  placeholder = 'Name, topic or address',
  maxLength = 200,
  value,
  onChange,
  className,
}: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);

  // The page or the browser's Back button has changed the search.
  if (value !== lastValue) {
    setLastValue(value);
    if (value !== text.trim()) setText(value);
  }

  useEffect(() => {
    const search = text.trim();
    if (search === value) return;
    const timer = setTimeout(() => onChange(search), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);

  return (
    <PrefixedInput
      type="search"
      prefix={<Search />}
      placeholder={placeholder}
      maxLength={maxLength}
      aria-label={label}
      className={className}
      value={text}
      onChange={(event) => setText(event.target.value)}
      // If the visitor leaves the field before the pause is over, apply the search now. Otherwise it would change the
      // address of the next page.
      onBlur={() => text.trim() !== value && onChange(text.trim())}
    />
  );
}
