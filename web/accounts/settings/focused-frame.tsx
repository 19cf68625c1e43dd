import { useEffect, useRef, type ReactNode } from 'react';

/** Focuses the first control of a step, because the step replaced the control that had the focus. */
export function FocusedFrame({ takesFocus, children }: { takesFocus: boolean; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) frame.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [takesFocus]);
  return (
    <div ref={frame} className="mt-5 grid max-w-sm gap-5">
      {children}
    </div>
  );
}
