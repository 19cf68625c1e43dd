/** The build runs this in Node. It renders the HTML of public pages with the components that the browser uses. */
import { StrictMode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { Router } from 'wouter';
import { App, loadPageAt } from './app/app.tsx';
import { PageHead, type PublicPage } from './app/public-pages.tsx';
import { WaitingFrame } from './app/waiting-frame.tsx';
import { queryClient } from '#web/http/query-client.ts';

export { PUBLIC_PAGES } from './app/public-pages.tsx';
export { ROUTES } from './app/routes.ts';
export { startAfterPaint } from './app/start-after-paint.ts';

/** The HTML inside #root as a visitor sees the page. Throws the first error that a component throws. */
export async function drawForVisitor(path: string): Promise<string> {
  await loadPageAt(path, false);
  const errors: unknown[] = [];
  const { prelude } = await prerender(
    <StrictMode>
      <Router ssrPath={path}>
        <App />
      </Router>
    </StrictMode>,
    {
      // By default React hides large parts and reveals them by an inline script, which our content security policy
      // forbids.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onError: (error) => void errors.push(error),
    },
  );
  const html = await new Response(prelude).text();
  // Cached queries hold timers of several minutes, which would keep Node running.
  queryClient.clear();
  if (errors.length > 0) throw errors[0];
  return html;
}

/** The HTML inside #root of the pages behind the sign-in, until the application takes its place. */
export function drawWaiting(): string {
  return renderToStaticMarkup(<WaitingFrame />);
}

/** The part of <head> that differs between pages. Without a page it is the head of the pages behind the sign-in. */
export function headOf(page: PublicPage | undefined): string {
  return renderToStaticMarkup(<PageHead page={page} />);
}
