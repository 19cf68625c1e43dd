/** The fields of the operator's forms and of the answer to a decision. The command line parses its options with them, too. */
import { z } from 'zod';
import { emailAddress } from '../email-address.ts';
import { isOneLine, LINE_BREAKS, MAX_ID } from '../fields.ts';
import { MAX_REASON, MAX_SEARCH, MAX_SETTING_REASON } from './limits.ts';
import { OPERATOR_ROLES } from './rights.ts';
import { centsOf } from '../money.ts';
import { commissionIn } from '../payments/split.ts';
import { rateOfText } from '../payments/tax.ts';
import { COUNTRY_CODES } from '../countries.ts';
import { SUSPENSE_OUTCOMES } from '../payments/suspense.ts';

export const MAX_APPEAL = 2000;

// PostgreSQL's text cannot hold U+0000.
const text = z
  .string()
  .optional()
  .transform((value = '') => value.replaceAll('\0', '').replaceAll('\r\n', '\n').trim());

/** Every act needs a reason, which the affected person can read. */
export const reasonForm = z.object({
  reason: text.pipe(
    z
      .string()
      .min(1, 'Please give a reason. The affected person can read it.')
      .max(MAX_REASON, `Please use at most ${MAX_REASON} characters`),
  ),
});

/**
 * An act of a setting also has the value before and after, so its reason is shorter, and may be left out. So may that
 * of a page.
 */
export const settingForm = z.object({
  reason: text.pipe(
    z.string().max(MAX_SETTING_REASON, `Please use at most ${MAX_SETTING_REASON} characters`),
  ),
  version: z.string().optional(),
});

export const MAX_ANNOUNCEMENT = 300;
/** `until` is an instant in UTC, as a form or a command writes it; null without an end. */
export const announceForm = settingForm.omit({ version: true }).extend({
  text: text.pipe(
    z
      .string()
      .min(1, 'Please write a text')
      .max(MAX_ANNOUNCEMENT, `Please use at most ${MAX_ANNOUNCEMENT} characters`)
      .refine(isOneLine, LINE_BREAKS),
  ),
  until: text
    .transform((value) => value.replace(' ', 'T'))
    .transform((value) => (value === '' ? null : /Z$|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`))
    .refine(
      (value) =>
        value === null || (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value))),
      'Please enter a day and a time, such as 2027-01-31 18:00',
    )
    .transform((value) => (value === null ? null : new Date(value))),
  mail: text.transform((value) => value !== ''),
});
/** A form without a field, in which the button itself says what to do. */
export const endForm = settingForm.omit({ version: true }).extend({
  end: text.pipe(z.literal('yes', 'Please send the form of the page')),
});

/** An act without a field and without a reason, in which the button itself says what to do. */
export const goForm = z.object({ go: text.pipe(z.literal('yes', 'Please use the button of the page')) });

export const mailedCodeForm = z.object({
  code: text.pipe(z.string().regex(/^\d{6}$/, 'Enter the 6 digits of the mail')),
});

export const decideForm = reasonForm.extend({
  outcome: z.enum(['upheld', 'reversed'], 'Please choose whether the decision stands'),
});
export type Outcome = z.output<typeof decideForm>['outcome'];

/** Of the page with the form, so that a form that is sent twice is booked once. */
const formRef = z.uuid('Reload the page, then try again').optional();

/** The act of a payment also has its amount and day, so its reason is shorter. */
export const MAX_PAYMENT_REFERENCE = 200;

/** Tax that was paid to a state: its country, the rate in percent, the amount and the day. */
export const payTaxForm = z.object({
  reason: text.pipe(
    z
      .string()
      .min(1, 'Please give a reference, such as the month and the number of the transfer')
      .max(MAX_PAYMENT_REFERENCE, `Please use at most ${MAX_PAYMENT_REFERENCE} characters`),
  ),
  country: z.enum(COUNTRY_CODES, 'Please name the country by two capital letters, such as DE'),
  rate: text.transform((value, context) => {
    const rate = rateOfText(value.replace(',', '.'));
    if (rate !== null) return rate;
    context.addIssue('Please enter a rate such as 19.00');
    return z.NEVER;
  }),
  paid: text.transform((value, context) => {
    const cents = centsIn(value, 9);
    if (cents !== null) return cents;
    context.addIssue('Please enter an amount such as 120.50');
    return z.NEVER;
  }),
  /** When it was paid; null for now. */
  day: text.transform((value, context) => {
    if (value === '') return null;
    const day = z.iso.date().safeParse(value);
    if (day.success) return day.data;
    context.addIssue('Please enter a day such as 2027-03-31');
    return z.NEVER;
  }),
  ref: formRef,
});

/** '5', or 'default' for the commission of the marketplace. */
export const commissionForm = reasonForm.extend({
  percent: text.transform((value, context) => {
    if (value === 'default') return null;
    const percent = commissionIn(value.replace(',', '.'));
    if (percent !== null) return percent;
    context.addIssue('Please enter a percentage from 0 to 50, such as 12.5, or the word default');
    return z.NEVER;
  }),
});

/** The act also has a value, such as an amount or the role before and after, so its reason is shorter. */
const shortReason = reasonForm.shape.reason.pipe(
  z.string().max(MAX_SETTING_REASON, `Please use at most ${MAX_SETTING_REASON} characters`),
);

/** An act of the tax table also says what has changed. `version` is that which the page showed. */
export const taxTableForm = z.object({ reason: shortReason, version: z.string().optional() });

/** The recorded reason of a refund begins with its amount, so what is typed is shorter. */
export const MAX_REFUND_REASON = MAX_REASON - 20;

/** '1.50' and '1,50' as 150; null for anything else, and for nothing. */
function centsIn(value: string, digits: number): number | null {
  const plain = value.replace(',', '.');
  if (!new RegExp(String.raw`^\d{1,${digits}}(?:\.\d{1,2})?$`).test(plain)) return null;
  const cents = centsOf(plain);
  return cents > 0 ? cents : null;
}

/** An empty amount means everything that can still be refunded. */
export const refundForm = reasonForm.extend({
  reason: reasonForm.shape.reason.pipe(
    z.string().max(MAX_REFUND_REASON, `Please use at most ${MAX_REFUND_REASON} characters`),
  ),
  amount: text.transform((value, context) => {
    if (value === '') return null;
    const cents = centsIn(value, 8);
    if (cents !== null) return cents;
    context.addIssue({ code: 'custom', message: 'Please enter an amount such as 1.00' });
    return z.NEVER;
  }),
  ref: formRef,
});

/** An empty amount means the whole debt. */
export const debtForm = refundForm.extend({ reason: shortReason });

export const suspenseForm = reasonForm.extend({
  outcome: z.enum(SUSPENSE_OUTCOMES, 'Please choose what happens to the money'),
});

export const operatorForm = reasonForm.extend({
  email: text.pipe(emailAddress('Please enter a valid email address')),
});

const role = z.enum(OPERATOR_ROLES, `Please choose a role: ${OPERATOR_ROLES.join(', ')}`);
export const addOperatorForm = operatorForm.extend({ role: role.default('owner') });
export const operatorRoleForm = operatorForm.extend({ role, reason: shortReason });

export const appealForm = z.object({
  body: text.pipe(
    z
      .string()
      .min(1, 'Please say why you disagree with the decision')
      .max(MAX_APPEAL, `Please use at most ${MAX_APPEAL} characters`),
  ),
});

/** The text of a search. Unlike other fields, a text that is too long is cut. */
export const searchText = text.transform((value) => value.slice(0, MAX_SEARCH));

/** A row's number in a path or on the command line; null if it cannot exist. */
export function rowNumber(value: string): number | null {
  return /^[1-9]\d{0,9}$/.test(value) && Number(value) <= MAX_ID ? Number(value) : null;
}
