import { storedReferral } from '#web/accounts/referral.ts';

/**
 * Whether this visit shows what the build rendered. The sign-in page also depends on its history entry, which keeps the
 * form that waits for a mailed code, and on the advertising-space link that the visitor followed. A translator may already
 * have changed the page. React would report a hydration error for such a visit.
 */
export function isAsDrawn(): boolean {
  if (document.querySelector('#root font')) return false;
  if (window.location.pathname !== '/auth') return true;
  return window.history.state === null && storedReferral() === null;
}
