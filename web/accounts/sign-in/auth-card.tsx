import { useEffect, useRef, type ReactNode } from 'react';
import { ArrowLeft } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';

type AuthCardProps = {
  title: string;
  description?: ReactNode;
  back?: { label: string; onClick: () => void } | undefined;
  children: ReactNode;
};

/** The frame of one mode of the sign-in screen. A mode with a `back` button moves the focus to its first field. */
export function AuthCard({ title, description, back, children }: AuthCardProps) {
  const card = useRef<HTMLDivElement>(null);
  const takesFocus = back !== undefined;

  useEffect(() => {
    if (takesFocus) card.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [takesFocus]);

  return (
    // The first card is not animated, because the browser paints it before any script runs.
    <div ref={card} className={cn('grid w-full max-w-md gap-6', takesFocus && 'animate-rise')}>
      <header className="grid gap-1.5">
        <h1 className="text-2xl font-semibold">{title}</h1>
        {description && <p className="text-ink-soft">{description}</p>}
      </header>
      {children}
      {back && (
        <Button variant="quiet" className="justify-self-start" onClick={back.onClick}>
          <ArrowLeft aria-hidden="true" />
          {back.label}
        </Button>
      )}
    </div>
  );
}
