import { type ReactNode } from 'react';

/**
 * One line at the bottom of the first page, with the next steps of the operator of an installation without accounts. It is
 * there and not at the top, because it comes after the page is drawn and must not move it.
 */
export function FirstSteps() {
  return (
    <details className="sticky bottom-0 z-20 border-t border-line-strong bg-surface text-sm text-ink-soft shadow-float">
      <summary className="mx-auto max-w-6xl cursor-pointer px-4 py-3 font-medium text-ink sm:px-6">
        No accounts yet. Is this your marketplace?
      </summary>
      <dl className="mx-auto grid max-w-6xl gap-x-10 gap-y-4 px-4 pt-1 pb-5 sm:px-6 md:grid-cols-2">
        <Way title="Begin">
          Open the link that the terminal showed at the first start, or print a new one. It makes you the
          operator. <Command>openslot operator link</Command>
        </Way>
        <Way title="Bring back a backup">
          Stop the server, name an empty database and an empty DATA_DIR, and restore before you start it
          again:
          <Command>openslot restore --from BACKUP</Command>
        </Way>
      </dl>
    </details>
  );
}

function Way({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="font-medium text-ink">{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Command({ children }: { children: string }) {
  return (
    <code translate="no" className="mt-1 block wrap-anywhere text-ink">
      {children}
    </code>
  );
}
