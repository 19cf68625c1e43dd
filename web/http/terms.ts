import { calls } from '#domain/calls.ts';
import { hasPage } from '#web/ui/page-links.ts';
import { call } from './request.ts';

/** The version of the terms that the page links; undefined without terms. [OWNS-130] */
export async function linkedTerms(): Promise<{ acceptedTerms?: number }> {
  if (!hasPage('terms')) return {};
  const { termsVersion } = await call(calls.getMarketplace);
  return termsVersion === null ? {} : { acceptedTerms: termsVersion };
}
