import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { counted } from '#domain/format.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

/** Asks before a link or the closing of the tab leaves changes that are not saved. */
export function LeaveDialog({ changes }: { changes: number }) {
  const [, navigate] = useLocation();
  const [target, setTarget] = useState<string>();
  const isDirty = changes > 0;
  useEffect(() => {
    if (!isDirty) return;
    const onClick = (event: MouseEvent) => {
      const href = otherPage(event);
      if (href === null) return;
      // The link's own handler runs all the same, such as to close the menu, and does not follow it.
      event.preventDefault();
      setTarget(href);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener('click', onClick, { capture: true });
    window.addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick, { capture: true });
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [isDirty]);
  return (
    <ConfirmDialog
      open={target !== undefined}
      onOpenChange={() => setTarget(undefined)}
      title="Leave without saving?"
      confirmLabel="Leave"
      onConfirm={() => target !== undefined && navigate(target)}
    >
      {counted(changes, 'change')} {changes === 1 ? 'isn’t' : 'aren’t'} saved. You find{' '}
      {changes === 1 ? 'it' : 'them'} here again until you close this tab or sign out.
    </ConfirmDialog>
  );
}

/** The address of another page of the application to which a click leads; null if it leads to none in this tab. */
function otherPage(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || link.target === '_blank' || link.hasAttribute('download')) return null;
  const { origin, pathname, search, hash } = new URL(link.href);
  if (origin !== window.location.origin || pathname === window.location.pathname) return null;
  return `${pathname}${search}${hash}`;
}
