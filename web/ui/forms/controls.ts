/** The classes that all text inputs and selects share. */
export const controlLooks =
  'w-full min-w-0 rounded-control border border-line-strong bg-surface px-3 text-base text-ink shadow-rest transition-[border-color,box-shadow] duration-150 placeholder:text-ink-faint hover:border-ink-faint focus-visible:border-accent focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-accent/40 aria-invalid:border-bad aria-invalid:focus-visible:outline-bad/40 disabled:bg-sunken disabled:text-ink-faint sm:text-sm';
