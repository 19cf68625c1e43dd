import { useId, useState, type ReactNode } from 'react';

/**
 * Tells on every page that no real money moves, if the server runs in the payment sandbox. The server writes the mode
 * into the document, and main.css shows the chip for it, so the chip needs no request and moves nothing. [OP-096]
 */
export function SandboxChip({ children }: { children?: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the events of the button and the link inside bubble here
    <div
      className="relative hidden sandbox:block"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') setOpen(false);
      }}
    >
      <button
        type="button"
        aria-label="Sandbox payments: no money moves"
        aria-expanded={isOpen}
        aria-controls={id}
        // A click with the mouse focuses the button as well. It must not open the text, or the click would close it.
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) setOpen(true);
        }}
        onClick={({ currentTarget }) => {
          // Safari doesn't focus a button on a click, and without focus nothing would close the text.
          currentTarget.focus();
          setOpen(!isOpen);
        }}
        className="flex h-6 items-center rounded-full border border-line-strong/60 px-2 text-xs font-medium text-ink-soft hover:border-line-strong hover:text-ink"
      >
        Sandbox
      </button>
      <div id={id}>
        {isOpen && (
          <div className="absolute top-full left-0 z-40 mt-2 w-60 animate-fade rounded-control border border-line bg-surface p-3 text-xs text-ink-soft shadow-float">
            <p>Sandbox payments: no money moves. Pay with a test card, and nothing is charged or paid out.</p>
            {children}
          </div>
        )}
      </div>
    </div>
  );
}
