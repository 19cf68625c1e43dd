import { useState, type ComponentProps } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import { useHydrated } from '../use-hydrated.ts';
import { Input } from './input.tsx';

/** A password with a button that shows it. */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false);
  const isHydrated = useHydrated();
  const Icon = shown ? EyeOff : Eye;
  return (
    <span className="relative block">
      <Input {...props} type={shown ? 'text' : 'password'} className="pr-11" />
      <button
        type="button"
        aria-label={shown ? 'Hide characters' : 'Show characters'}
        aria-pressed={shown}
        disabled={!isHydrated}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-control text-ink-faint hover:text-ink"
      >
        <Icon aria-hidden="true" className="size-4" />
      </button>
    </span>
  );
}
