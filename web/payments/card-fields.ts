import { z } from 'zod';
import { sandboxConfirm } from '#domain/payments/contract.ts';
import { sandboxOutcome } from '#domain/payments/sandbox-cards.ts';
import { bodyOf } from '#web/http/schema.ts';

const { cvc } = bodyOf(sandboxConfirm).shape;

/**
 * The card as typed. Any number that is not a listed test card is rejected here, before anything is sent, because a
 * real card's number must not leave the browser. [OP-096]
 */
export const cardSchema = z.object({
  number: z
    .string()
    .trim()
    .min(1, 'Your card number is incomplete.')
    .superRefine((number, context) => {
      const outcome = sandboxOutcome(number);
      if (outcome.result === 'declined' && NUMBER_ERRORS.has(outcome.code)) {
        context.addIssue({ code: 'custom', message: outcome.message });
      }
    }),
  expiry: z
    .string()
    .trim()
    .regex(/^\d{1,2}\s*\/\s*\d{2}(\d{2})?$/, "Your card's expiration date is incomplete.")
    .transform((text) => {
      const [month = 0, year = 0] = text.split('/').map(Number);
      return { expMonth: month, expYear: year < 100 ? 2000 + year : year };
    })
    .refine(({ expMonth }) => expMonth >= 1 && expMonth <= 12, "Your card's expiration date is incomplete.")
    .refine((expiry) => !isPast(expiry, new Date()), "Your card's expiration date is in the past."),
  cvc,
  name: z.string().trim().min(1, 'Please enter the name on the card.').max(200),
});

/** Only errors in the number itself are reported here. The sandbox provider reports declines of listed cards. */
const NUMBER_ERRORS = new Set(['sandbox_card_only', 'incorrect_number']);

/** A card is valid until the end of its expiry month. */
function isPast({ expMonth, expYear }: { expMonth: number; expYear: number }, now: Date): boolean {
  return expYear * 12 + expMonth < now.getFullYear() * 12 + now.getMonth() + 1;
}

export const NO_CARD = { number: '', expiry: '', cvc: '', name: '' };

/** A card number has at most 19 digits (ISO/IEC 7812). */
const MAX_DIGITS = 19;

/** Formats '4242424242424242' as '4242 4242 4242 4242', and drops all other characters. */
export function groupDigits(number: string): string {
  return digitsOf(number)
    .slice(0, MAX_DIGITS)
    .replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

/**
 * Formats '1234' as '12 / 34'. The slash comes with the first digit of the year, so that it can be deleted again. A month
 * that needs no second digit gets its zero: '7' becomes '07', and '7/34' becomes '07 / 34'.
 */
export function formatExpiry(typed: string): string {
  const [, single] = /^\D*(\d)\s*\//.exec(typed) ?? [];
  const digits = single === undefined ? digitsOf(typed) : `0${digitsOf(typed)}`;
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  const month = padded.slice(0, 2);
  const year = padded.slice(2, 6);
  return year === '' ? month : `${month} / ${/^20\d\d$/.test(year) ? year.slice(2) : year.slice(0, 4)}`;
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/**
 * Formats the text of a field while the user types, pastes or deletes, and keeps the caret at its digit. `forward` is true
 * after the Delete key: the caret then moves past a separator that it would otherwise never get over.
 */
export function formatField(
  input: Pick<HTMLInputElement, 'value' | 'selectionStart' | 'setSelectionRange'>,
  format: (text: string) => string,
  forward: boolean,
): void {
  const { value, selectionStart } = input;
  const caret = selectionStart ?? value.length;
  const formatted = format(value);
  if (formatted === value) return;
  input.value = formatted;
  // Formatting may put a zero before the month, so the digits after the caret are counted.
  const after = digitsOf(value.slice(caret)).length;
  let position = formatted.length;
  for (let left = after; left > 0; position--) if (/\d/.test(formatted.charAt(position - 1))) left--;
  while (!forward && position > 0 && after > 0 && /\D/.test(formatted.charAt(position - 1))) position--;
  input.setSelectionRange(position, position);
}
