/** The calls of the page for sign-up and sign-in. They are apart, because no page of a signed-in user loads most of them. */
import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  forgotPassword,
  login,
  register,
  resendCode,
  resetPassword,
  verifyEmail,
  verifyEmailByLink,
} from '#domain/accounts/contract.ts';
import { PASSWORD_NEEDED } from '#domain/accounts/password-needed.ts';
import { calls } from '#domain/calls.ts';
import type { Input, Reply } from '#domain/endpoint.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { messageOf, NetworkError, RequestError } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';
import { refreshCurrentUser, storeUser } from './current-user.ts';

type Body<E> = Input<E> extends { body: infer B } ? B : never;

type LoginSteps = {
  /** The password is right, and the e-mail address isn't verified yet. [ERR-26] */
  onUnverified: () => void;
  /** The password is right, and the call needs a code as well. [SEC-02] */
  onSecondFactor: () => void;
};

export function useLogin({ onUnverified, onSecondFactor }: LoginSteps) {
  return useMutation({
    mutationFn: (body: Body<typeof login>) => call(calls.login, { body }),
    onSuccess: (reply) => {
      if (reply.user) {
        toast({ title: 'Login Successful', description: 'Welcome back!' });
        storeUser(reply.user);
      } else if (reply.requiresSecondFactor) {
        onSecondFactor();
      } else if (reply.requiresVerification) {
        toast({
          flow: 'sign-up',
          title: 'Email Verification Required',
          description: 'Please verify your email before logging in.',
        });
        onUnverified();
      }
    },
    onError: (error) => failureToast(error, 'Login Failed', 'Invalid email or password'),
  });
}

export function useRegister() {
  return useMutation({
    mutationFn: (body: Body<typeof register>) => call(calls.register, { body }),
    onSuccess: () =>
      toast({
        flow: 'sign-up',
        title: 'Registration Successful',
        description: 'Please check your email for a verification code.',
      }),
    onError: (error) => failureToast(error, 'Registration Failed', 'An error occurred during registration'),
  });
}

const WELCOME = 'Your account is now active! Welcome to the product!';

function onVerified(reply: Reply<typeof verifyEmail>, description: string): void {
  if (!reply.user) {
    toast({
      flow: 'sign-up',
      title: 'Email Verified',
      description: 'Sign in with your password and a code.',
    });
    return;
  }
  toast({ flow: 'sign-up', title: 'Email Verified', description });
  storeUser(reply.user);
  void refreshCurrentUser();
}

/** Shows no toast on failure: the form shows the error on the code field. [ERR-31] */
export function useVerifyEmail(description = WELCOME) {
  return useMutation({
    mutationFn: (body: Body<typeof verifyEmail>) => call(calls.verifyEmail, { body }),
    onSuccess: (reply) => onVerified(reply, description),
  });
}

/**
 * Verifies by the one-time link of the mail. `onDone` is called before the user is stored, because storing the user
 * replaces the page.
 */
export function useVerifyByLink(onDone: () => void) {
  return useMutation({
    mutationFn: (body: Body<typeof verifyEmailByLink>) => call(calls.verifyEmailByLink, { body }),
    onSuccess: (reply) => {
      onDone();
      onVerified(reply, WELCOME);
    },
  });
}

/** Whether the link also needs the account's password. [SEC-14] */
export function needsPassword(error: unknown): boolean {
  return error instanceof RequestError && (error.body as { code?: unknown } | null)?.code === PASSWORD_NEEDED;
}

/** The e-mail address and reset code behind the link of a password mail, loaded once. */
export function useResetLink(token: string) {
  return useQuery({
    queryKey: ['reset-link', token],
    queryFn: () => call(calls.openResetLink, { body: { token } }),
    gcTime: 0,
  });
}

/** Restores the old e-mail address by the link of the notice that was sent to it. [ACCT-07] */
export function useRestoreEmail(onRestored: (email: string) => void) {
  return useMutation({
    mutationFn: (token: string) => call(calls.restoreEmail, { body: { token } }),
    onSuccess: ({ email }) => onRestored(email),
  });
}

/** The message for the code field. [ERR-27, ERR-28] */
export function verificationMessage(error: unknown): string {
  const message = messageOf(error, '');
  if (message.includes('Invalid verification code'))
    return 'Invalid verification code. Please check and try again.';
  if (message.includes('expired')) return 'Verification code has expired. Please request a new one.';
  return message || 'Verification failed. Please try again.';
}

export function useResendCode() {
  return useMutation({
    mutationFn: (body: Body<typeof resendCode>) => call(calls.resendCode, { body }),
    onSuccess: () =>
      toast({
        flow: 'sign-up',
        title: 'Code Sent',
        description: 'A new verification code has been sent to your email.',
      }),
    onError: (error) => failureToast(error, 'Failed to Send Code', 'Please try again in a moment.'),
  });
}

export function useForgotPassword() {
  return useMutation({
    mutationFn: (body: Body<typeof forgotPassword>) => call(calls.forgotPassword, { body }),
  });
}

export function useResetPassword() {
  return useMutation({
    mutationFn: (body: Body<typeof resetPassword>) => call(calls.resetPassword, { body }),
  });
}

/** The message that a form shows when one of the two password-reset calls fails. [ERR-34, ERR-35, ERR-37] */
export function resetFailure(error: unknown, fallback: string): string {
  if (error instanceof NetworkError) return 'Network error: Please check your connection and try again';
  return messageOf(error, fallback);
}

/** Whether an e-mail address is available. Throws an `Error` whose message the field can show. [ERR-38] */
export async function isEmailAvailable(email: string): Promise<boolean> {
  try {
    return (await call(calls.checkEmail, { body: { email } })).available;
  } catch (error) {
    throw new Error(
      messageOf(error, '').includes('Too many')
        ? 'Too many requests. Please wait before checking again.'
        : 'Unable to verify email. Please try again.',
      { cause: error },
    );
  }
}
