import { hasPage } from './page-links.ts';

/**
 * The sentence above a button by which somebody accepts the operator's terms; nothing while none are published.
 * [OWNS-130]
 */
export function AcceptTerms({ by, forAds = false }: { by: string; forAds?: boolean }) {
  const accepted = [
    ...(hasPage('terms') ? [<PageLink key="terms" page="terms" />] : []),
    ...(forAds && hasPage('advertiser-terms') ? [<PageLink key="ads" page="advertiser-terms" />] : []),
  ];
  if (accepted.length === 0) return null;
  return (
    <p className="text-sm text-ink-soft">
      {by}, you accept the {accepted[0]}
      {accepted.length > 1 && <> and the {accepted[1]}</>}.
      {!forAds && hasPage('privacy') && (
        <>
          {' '}
          The <PageLink page="privacy" /> says what happens to your data.
        </>
      )}
    </p>
  );
}

const NAMES = {
  terms: 'Terms of Service',
  'advertiser-terms': 'Advertiser Terms',
  privacy: 'Privacy Policy',
} as const;

/** In a tab of its own, so that nothing typed is lost. */
function PageLink({ page }: { page: keyof typeof NAMES }) {
  return (
    <a href={`/pages/${page}`} target="_blank" rel="noopener" className="rounded-tight text-accent underline">
      {NAMES[page]}
    </a>
  );
}
