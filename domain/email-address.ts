/** E-mail addresses as people type them. Every schema of one comes from here. */
import { z } from 'zod';
import { asciiHost } from './public-host.ts';

/** Zod's own pattern, and a last label in Punycode, such as that of .рф. */
const PATTERN = /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z\d][a-z\d-]*\.)+(?:[a-z]{2,}|xn--[a-z\d-]+)$/i;

/** Mail to other local parts needs SMTPUTF8 (RFC 6531) at every relay on the way, and many lack it. */
const ONLY_ASCII =
  'Before the @, use only letters a to z, digits and signs such as . and +. Many mail servers do not deliver to other addresses.';

/** The address with its domain in Punycode, so that 'ann@münchen.de' and 'ann@xn--mnchen-3ya.de' are one. */
export function asciiEmail(typed: string): string {
  const at = typed.lastIndexOf('@') + 1;
  return at === 0 ? typed : typed.slice(0, at) + asciiHost(typed.slice(at));
}

/** An address of which letters stay as they were typed, such as that of a setting. */
export function emailText(message: string) {
  return (
    z
      .string(message)
      .trim()
      // The length comes first, because a body can hold a text that takes long to convert. Punycode can lengthen it.
      .max(254, { error: message, abort: true })
      .overwrite(asciiEmail)
      .max(254, { error: message, abort: true })
      .refine((email) => !/[^ -~]/.test(email.slice(0, email.lastIndexOf('@') + 1)), {
        error: ONLY_ASCII,
        abort: true,
      })
      .pipe(z.email({ error: message, pattern: PATTERN }))
  );
}

/** Every call trims and lower-cases addresses. They are unique in this form. [OP-025] */
export function emailAddress(message = 'Invalid email address') {
  return z.string(message).toLowerCase().pipe(emailText(message));
}
