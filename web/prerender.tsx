/** For the build, which runs it in Node: the HTML of public pages, drawn by the very components of the browser. */
import { StrictMode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { Router } from 'wouter';
import { App } from './app/app.tsx';
import { PageHead, type PublicPage } from './app/public-pages.tsx';
import { presumeNobody } from '#web/accounts/current-user.ts';
import { queryClient } from '#web/http/query-client.ts';

export { PUBLIC_PAGES } from './app/public-pages.tsx';
export { ROUTES } from './app/routes.ts';

/** What #root holds for a visitor of the page. Throws what a component throws. */
export async function drawForVisitor(path: string): Promise<string> {
  presumeNobody();
  const errors: unknown[] = [];
  const { prelude } = await prerender(
    <StrictMode>
      <Router ssrPath={path}>
        <App />
      </Router>
    </StrictMode>,
    {
      // React would hide larger parts and uncover them by an inline script, which our pages do not allow.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onError: (error) => void errors.push(error),
    },
  );
  const html = await new Response(prelude).text();
  // Its queries wait for minutes to be collected, and Node would wait with them.
  queryClient.clear();
  if (errors.length > 0) throw errors[0];
  return html;
}

/** The page's part of <head>; without a page, that of the application's own pages. */
export function headOf(page: PublicPage | undefined): string {
  return renderToStaticMarkup(<PageHead page={page} />);
}
