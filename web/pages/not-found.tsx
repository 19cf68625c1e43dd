import { useEffect } from 'react';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page } from '#web/ui/page.tsx';

export default function NotFoundPage() {
  useEffect(() => {
    document.title = 'Page Not Found';
  }, []);
  return (
    <Page narrow className="place-items-center py-20">
      <div className="slot-frame grid w-full justify-items-center gap-3 px-6 py-16 text-center">
        <h1 className="text-2xl font-semibold">Page Not Found</h1>
        <p className="max-w-sm text-ink-soft">There’s no page at this address, or it has moved.</p>
        <ButtonLink href="/" className="mt-3">
          Go home
        </ButtonLink>
      </div>
    </Page>
  );
}
