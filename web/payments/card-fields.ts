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

/** Formats '4242424242424242' as '4242 4242 4242 4242'. */
export function groupDigits(number: string): string {
  return number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}
