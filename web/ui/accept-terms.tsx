import { hasPage } from './page-links.ts';

/** The sentence above a button by which somebody accepts the terms; nothing while none are published. [OWNS-130, OWNS-131] */
export function AcceptTerms({ by, forAds = false }: { by: string; forAds?: boolean }) {
  if (!hasPage('terms')) return null;
  return (
    <p className="text-sm text-ink-soft">
      {by}, you accept the <PageLink page="terms">Terms of Service</PageLink>
      {forAds && hasPage('advertiser-terms') && (
        <>
          {' '}
          and the <PageLink page="advertiser-terms">Advertiser Terms</PageLink>
        </>
      )}
      .
      {!forAds && hasPage('privacy') && (
        <>
          {' '}
          The <PageLink page="privacy">Privacy Policy</PageLink> says what happens to your data.
        </>
      )}
    </p>
  );
}

/** In a tab of its own, so that nothing typed is lost. */
function PageLink({ page, children }: { page: 'terms' | 'advertiser-terms' | 'privacy'; children: string }) {
  return (
    <a href={`/pages/${page}`} target="_blank" rel="noopener" className="rounded-tight text-accent underline">
      {children}
    </a>
  );
}
