/** The schemas of this room's forms, made from those of the calls. `validatedBy` loads them. */
import { z } from 'zod';
import {
  changePassword as changePasswordCall,
  forgotPassword,
  login,
  register,
  resetPassword,
  updateSettings,
  verifyEmail,
  verifyEmailByLink,
} from '#domain/accounts/contract.ts';
import { emailAddress } from '#domain/email-address.ts';
import { bodyOf } from '#web/http/schema.ts';

/** Forms say 'Please enter a valid email address', the server's schema says 'Invalid email address'. [OP-023] */
export const email = emailAddress('Please enter a valid email address');

export const signIn = bodyOf(login).omit({ code: true }).extend({ email });
export const signInCode = bodyOf(login).pick({ code: true }).required();
export const signUp = bodyOf(register).extend({ email });
export const forgot = bodyOf(forgotPassword).extend({ email });
export const verification = bodyOf(verifyEmail).pick({ code: true });
export const verificationByLink = bodyOf(verifyEmailByLink).pick({ password: true }).required();
export const reset = withConfirmation(bodyOf(resetPassword).pick({ code: true, newPassword: true }));
export const changePassword = withConfirmation(bodyOf(changePasswordCall));
export const business = bodyOf(updateSettings).shape;

type Values = { newPassword: string; confirmPassword: string };

/** Adds the confirmation of a new password to a call's schema. It is not sent. [VAL-13] */
function withConfirmation<Shape extends { newPassword: z.ZodString }>(schema: z.ZodObject<Shape>) {
  return schema
    .extend({ confirmPassword: z.string() })
    .refine((values) => (values as Values).newPassword === (values as Values).confirmPassword, {
      path: ['confirmPassword'],
      message: "Passwords don't match",
      // Check this together with the other fields. By default zod checks it only when they are all valid.
      when: () => true,
    });
}
