import { MARK } from '#web/ui/format/settings.ts';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { MainArea } from '#web/ui/main-area.tsx';

/**
 * The frame of signed-in pages while the current user is being determined. The build writes it into their documents, so that
 * the browser shows it before any script has arrived. The place of the menu's button is empty, so that the logo stays where it
 * is. It has no text, so the font of headings doesn't compete with the scripts. [ACC-15]
 */
export function WaitingFrame() {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b border-line bg-canvas/90">
        <div className="mx-auto flex h-header max-w-6xl items-center gap-2 px-4 sm:gap-3 sm:px-6">
          <span className="-ml-2 size-10 md:hidden" />
          <span className="contents text-accent" dangerouslySetInnerHTML={{ __html: MARK }} />
        </div>
      </header>
      <MainArea>
        <PageSpinner label="Loading your account" />
      </MainArea>
    </div>
  );
}
