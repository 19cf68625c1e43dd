/** Field schemas that several contracts share. */
import { z } from 'zod';

/** The largest PostgreSQL integer. A larger id counts as unknown and causes no error. */
export const MAX_ID = 2_147_483_647;

export const id = z.number().int().min(1).max(MAX_ID);

const isId = (value: string): boolean => /^[1-9]\d{0,9}$/.test(value) && Number(value) <= MAX_ID;

/** An id in a path: digits only, so that one row has one address. `Number` would also read '1e0', '0x1' and ' 1'. */
export const pathId = z.string().refine(isId, 'Not found').transform(Number);

/** An instant on the wire, as ISO 8601 in UTC. */
export const instant = z.iso.datetime();

/** Money on the wire, as a string with two decimals. [OP-100] */
export const money = z.string().regex(/^-?\d+\.\d{2}$/, 'Give an amount such as 12.50.');

/** Paths name a row by its number or by its uuid. [OP-046] [OP-047] */
export type Reference = { id: number } | { publicId: string };

const uuid = z.uuid();

/** A reference in a path. Any other form is answered with 404. */
export const reference = z.string().transform((value, context): Reference => {
  if (isId(value)) return { id: Number(value) };
  if (uuid.safeParse(value).success) return { publicId: value.toLowerCase() };
  context.addIssue({ code: 'custom', message: 'Not found' });
  return z.NEVER;
});

/** A reference in a body: a number, or either form as a string. */
export const bodyReference = z.union([id.transform((value): Reference => ({ id: value })), reference]);

export const referenceParams = z.object({ ref: reference });

/** The most characters of an address. */
export const MAX_ADDRESS = 2000;

/** An absolute http or https address without credentials and control characters. [OP-057] */
export function webAddress(message = 'Please enter a valid URL') {
  return z
    .string(message)
    .trim()
    .min(1, message)
    .max(MAX_ADDRESS, message)
    .refine((value) => isWebAddress(value), message);
}

/** Whether browsers can open the text as an http or https address. */
export function isWebAddress(value: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused here
  if (/[\u0000-\u0020\u007f\\]/.test(value)) return false;
  const parts = /^https?:\/\/(?:[^/?#]*@)?([^/?#:@]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?(?:[/?#]|$)/i.exec(value);
  if (!parts || /^https?:\/\/[^/?#]*@/i.test(value)) return false;
  const host = parts[1] as string;
  const port = parts[2];
  if (port !== undefined && Number(port) > 65_535) return false;
  if (host.startsWith('[')) return true;
  if (!fitsDns(host)) return false;
  if (host.startsWith('.') || host.includes('..') || !/^[\p{L}\p{N}.-]+$/u.test(host)) return false;
  // Browsers parse a host that ends in a number as an IPv4 address, and reject it if it is none
  // (https://url.spec.whatwg.org/#host-parsing).
  return !/(?:^|\.)\d+\.?$/.test(host) || isIpv4(host);
}

/** The limits of a host name (RFC 1035, 2.3.4). Letters beyond ASCII take more room there, which the server checks. */
export function fitsDns(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return name.length <= 253 && name.split('.').every((label) => label.length <= 63);
}

function isIpv4(host: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(host);
}

/** `?cursor=&limit=` of a paged list. The cursor is opaque. */
export const pageQuery = z.object({
  cursor: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
});

export const okReply = z.object({ success: z.literal(true) });

export const LINE_BREAKS = 'Remove line breaks and other control characters.';
export const CONTROL_CHARACTERS = 'Remove control characters.';
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused here
export const isOneLine = (text: string): boolean => !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text);
export const isPlainText = (text: string): boolean => isOneLine(text.replaceAll(/\r?\n/g, ' '));
