/**
 * The mailbox of an e-mail address, for limits: many providers deliver all spellings with a '+tag' or other dots to the
 * same one. Two mailboxes that differ in a dot only share their limits, which costs less than 24 limits for one. [DOOR-09]
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at).toLowerCase();
  const name = local.replace(/\+.*$/s, '').replaceAll('.', '');
  return `${name || local}${email.slice(at).toLowerCase()}`;
}
