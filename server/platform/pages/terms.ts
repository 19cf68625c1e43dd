import type { Config } from '../settings/config.ts';
import { conflict, invalid } from '../http/errors.ts';

/**
 * For a sign-up. Throws 400 if the marketplace has terms and none were accepted, and 409 if others are published now.
 * [OWNS-130]
 */
export function requireAcceptedTerms(config: Config, accepted: number | undefined): void {
  if (config.pages.terms !== undefined && accepted === undefined)
    throw invalid(
      'Please accept the terms of service. Reload the page to read them, then send again.',
      'acceptedTerms',
    );
  refuseOldTerms(config, accepted);
}

/**
 * Throws 409 if the accepted terms are not those that are published now. Other programs need not accept any. [OWNS-130]
 */
export function refuseOldTerms({ pages }: Config, accepted: number | undefined): void {
  if (accepted !== undefined && accepted !== pages.terms)
    throw conflict('The terms of service have changed. Read them, then send again.', { reason: 'terms' });
}
