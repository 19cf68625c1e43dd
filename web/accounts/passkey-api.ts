import { useEffect, useEffectEvent } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { passkeySignIn } from '#domain/accounts/passkeys-contract.ts';
import { CHALLENGE_LIFETIME_MS } from '#domain/accounts/passkeys.ts';
import { calls } from '#domain/calls.ts';
import type { Reply } from '#domain/endpoint.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { renewSession } from '#web/http/reauthenticate.ts';
import { messageOf } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';
import { storeUser } from './current-user.ts';
import {
  askPasskey,
  canOfferPasskeys,
  createPasskey,
  offerPasskeys,
  PasskeyError,
  stopAsking,
} from './webauthn.ts';

/** The message of a failure of the browser or of the server. */
export function passkeyMessage(error: unknown): string {
  return error instanceof PasskeyError
    ? error.message
    : messageOf(error, 'That didn’t work. Please try again.');
}

function failed(title: string) {
  return (error: unknown) =>
    error instanceof PasskeyError
      ? toast({ title, description: error.message, variant: 'destructive' })
      : failureToast(error, title, 'Please try again.');
}

/** The passkeys of the signed-in user. */
export function usePasskeys() {
  return useQuery(read(calls.listPasskeys));
}

async function refreshPasskeys(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: read(calls.listPasskeys).queryKey });
}

export function useAddPasskey() {
  return useMutation({
    mutationFn: async () => {
      const credential = await createPasskey(await call(calls.beginPasskey));
      return await call(calls.addPasskey, { body: { credential } });
    },
    onSuccess: () => toast({ title: 'Passkey Added', description: 'You can now sign in with it.' }),
    onError: failed('Passkey Not Added'),
    onSettled: refreshPasskeys,
  });
}

/** The dialog shows the errors. */
export function useRenamePasskey() {
  return useMutation({
    mutationFn: ({ id, name }: { id: number; name: string }) =>
      call(calls.renamePasskey, { params: { id: String(id) }, body: { name } }),
    onSettled: refreshPasskeys,
  });
}

export function useRemovePasskey() {
  return useMutation({
    mutationFn: (id: number) => call(calls.removePasskey, { params: { id: String(id) } }),
    onSuccess: () => toast({ title: 'Passkey Removed' }),
    onError: failed('Passkey Not Removed'),
    onSettled: refreshPasskeys,
  });
}

/** Confirms the session with a passkey. The dialog shows the errors. */
export function useReauthenticateByPasskey() {
  return useMutation({
    mutationFn: async () => {
      const credential = await askPasskey(await call(calls.beginPasskeyReauthenticate));
      return await renewSession(() => call(calls.passkeyReauthenticate, { body: { credential } }));
    },
    gcTime: 0,
  });
}

/** A new challenge is fetched before the old one expires. */
const OFFER_MS = CHALLENGE_LIFETIME_MS - 60_000;

type Picked = Awaited<ReturnType<typeof askPasskey>>;

/**
 * Signs in with the passkey that the user picked below the e-mail field, or asks for one. `onUnverified` gets the address
 * that a code was sent to.
 */
export function usePasskeySignIn(onUnverified: (email: string) => void) {
  return useMutation({
    mutationFn: async (picked: Picked | null) =>
      await call(calls.passkeySignIn, {
        body: { credential: picked ?? (await askPasskey(await call(calls.beginPasskeySignIn))) },
      }),
    onSuccess: (reply: Reply<typeof passkeySignIn>) => {
      if (reply.user) {
        toast({ title: 'Login Successful', description: 'Welcome back!' });
        storeUser(reply.user);
      } else if (reply.email !== undefined) {
        toast({
          title: 'Email Verification Required',
          description: 'Please verify your email before logging in.',
        });
        onUnverified(reply.email);
      }
    },
    onError: failed('Login Failed'),
    gcTime: 0,
  });
}

/**
 * While the component is shown, the browser offers passkeys below the e-mail field. `onOver` is called when the challenge
 * is about to expire, and the component has to be replaced.
 */
export function usePasskeyOffer(onPicked: (credential: Picked) => void, onOver: () => void): void {
  const picked = useEffectEvent(onPicked);
  const over = useEffectEvent(onOver);
  useEffect(() => {
    let isOver = false;
    let isOffered = false;
    void (async () => {
      if (!(await canOfferPasskeys())) return;
      // Show no message, because the user did not ask for this offer. The button reports its own failures.
      const options = await call(calls.beginPasskeySignIn).catch(() => null);
      if (isOver || options === null) return;
      isOffered = true;
      const credential = await offerPasskeys(options);
      if (!isOver && credential) picked(credential);
    })();
    const renewal = setTimeout(() => over(), OFFER_MS);
    return () => {
      isOver = true;
      clearTimeout(renewal);
      if (isOffered) void stopAsking();
    };
  }, []);
}
