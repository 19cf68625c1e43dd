import type { Reason } from '#domain/delivery/reasons.ts';

/**
 * The cause of this reason on the publisher's own page, and what they change there; '' if the page is not the cause. `origin` is
 * null if the page doesn't name its website.
 */
export function nextStep(reason: Reason, origin: string | null): string {
  if (reason === 'wrong_site' && origin === null)
    return 'The code is in a sandboxed frame that doesn’t name its website. Copy the code ‘Sandboxed iframe’ from ‘Other ways’ and put it in place of that frame.';
  if (reason === 'no_proof')
    return 'A script on the page replaces functions of the browser that the tag needs. Use the code ‘Sandboxed iframe’ from ‘Other ways’: scripts of the page don’t reach into it.';
  return '';
}
