import { useEffect, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { AuthCard } from '#web/accounts/sign-in/auth-card.tsx';
import { forgetUser, useCurrentUser } from '#web/accounts/current-user.ts';
import { ForgotForm } from '#web/accounts/sign-in/forgot-form.tsx';
import { storedReferral } from '#web/accounts/referral.ts';
import { ResetByLink } from '#web/accounts/sign-in/reset-by-link.tsx';
import { ResetFields } from '#web/accounts/reset-fields.tsx';
import { RestoreByLink } from '#web/accounts/sign-in/restore-by-link.tsx';
import { SignInForm } from '#web/accounts/sign-in/sign-in-form.tsx';
import { SignUpForm } from '#web/accounts/sign-in/sign-up-form.tsx';
import { VerifyByLink } from '#web/accounts/sign-in/verify-by-link.tsx';
import { VerifyForm } from '#web/accounts/sign-in/verify-form.tsx';
import { AdSpaceCard } from '#web/inventory/ad-space-card.tsx';
import { WelcomePanel } from '#web/accounts/sign-in/welcome-panel.tsx';
import { takeWantedRole } from '#web/accounts/wanted-role.ts';
import { SandboxChip } from '#web/payments/sandbox-chip.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Logo } from '#web/ui/brand/logo.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { AfterSignIn } from './after-sign-in.tsx';
import { MARKETPLACE_NAME } from '#web/ui/format/settings.ts';

type Mode =
  | { name: 'tabs' }
  | { name: 'verify'; email: string }
  | { name: 'verify-link'; token: string }
  | { name: 'reset-link'; token: string }
  | { name: 'restore-link'; token: string }
  | { name: 'forgot' }
  | { name: 'reset'; email: string };

/** Stored in the history entry of '/auth', so that it survives the change from a signed-in page to this one. */
type Arrival = {
  /** The user asked for the sign-in tab. */
  signIn: true;
  wasReset?: boolean;
  /** The e-mail address that a link restored. */
  restored?: string;
};

/**
 * The code form that waits for a mailed code. The history entry keeps it, because phones reload a page when the user
 * comes back from the mail program. It holds the address and no secret.
 */
type Awaited = { awaits: Extract<Mode, { name: 'verify' | 'reset' }> };

/** The mode for a mail's link, such as '/auth?verify={token}'. These links open for signed-in users as well. */
function linkOf(search: string): Mode | null {
  const query = new URLSearchParams(search);
  for (const use of ['verify', 'reset', 'restore'] as const) {
    const token = query.get(use);
    if (token) return { name: `${use}-link`, token };
  }
  return null;
}

/** Sign-in, verification and password reset are modes of this screen. [AUTH-01, AUTH-04, AUTH-05] */
export default function AuthPage() {
  const { user } = useCurrentUser();
  const cameByLink = linkOf(useSearch()) !== null;
  return (
    <div className="grid min-h-dvh bg-surface lg:grid-cols-2">
      <main id="content" tabIndex={-1} className="flex flex-col p-6 outline-none sm:p-10">
        <div className="flex items-center gap-3">
          <Link href="/" aria-label={`${MARKETPLACE_NAME}, home`} className="rounded-tight">
            <Logo />
          </Link>
          <SandboxChip />
        </div>
        <div className="grid flex-1 place-items-center py-10">
          {user && !cameByLink ? <AfterSignIn user={user} /> : <AuthModes />}
        </div>
      </main>
      <WelcomePanel />
    </div>
  );
}

/** The mode, the e-mail address that its forms share, and the history entry that keeps both. */
function useMode() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const { user } = useCurrentUser();
  const entry = useHistoryState<Arrival | Awaited | null>();
  const awaited = entry && 'awaits' in entry ? entry.awaits : null;
  const arrival = entry && 'signIn' in entry ? entry : null;
  const [mode, setMode] = useState<Mode>(() => awaited ?? linkOf(search) ?? { name: 'tabs' });
  useEffect(takeWantedRole, []);
  // Shared, so that the user types the address only once.
  const [email, setEmail] = useState(awaited?.email ?? arrival?.restored ?? '');

  function toSignIn(after: Omit<Arrival, 'signIn'>) {
    setMode({ name: 'tabs' });
    if (after.restored !== undefined) setEmail(after.restored);
    // Drop the query. Otherwise `?tab=signup` or the mail's token would choose the mode again.
    navigate('/auth', { replace: true, state: { signIn: true, ...after } satisfies Arrival });
  }
  function toForgot(address: string) {
    setEmail(address);
    setMode({ name: 'forgot' });
    setEntry(null);
  }
  function awaitCode(next: Awaited['awaits']) {
    setEmail(next.email);
    setMode(next);
    setEntry({ awaits: next });
  }
  /** Keeps the query, which may name the page to return to. */
  function setEntry(state: Awaited | null) {
    navigate(window.location.pathname + window.location.search, { replace: true, state });
  }
  /** For use after the server has ended every session, including the one in this browser. */
  function toSignInSignedOut(after: Omit<Arrival, 'signIn'>) {
    if (user) forgetUser();
    toSignIn(after);
  }
  return { mode, email, arrival, toSignIn, toSignInSignedOut, toForgot, awaitCode };
}

function AuthModes() {
  const { mode, email, arrival, toSignIn, toSignInSignedOut, toForgot, awaitCode } = useMode();
  const [, navigate] = useLocation();
  const back = () => toSignIn({});
  const verify = (address: string) => awaitCode({ name: 'verify', email: address });

  switch (mode.name) {
    case 'verify':
      return <VerifyForm email={mode.email} onBack={back} />;
    case 'verify-link':
      return (
        <VerifyByLink
          token={mode.token}
          onVerified={() => navigate('/auth', { replace: true })}
          onForgot={() => toForgot('')}
          onBack={back}
        />
      );
    case 'reset-link':
      return (
        <ResetByLink
          token={mode.token}
          onDone={() => toSignInSignedOut({ wasReset: true })}
          onForgot={() => toForgot('')}
          onBack={back}
        />
      );
    case 'restore-link':
      return (
        <RestoreByLink
          token={mode.token}
          onRestored={(restored) => toSignInSignedOut({ restored })}
          onBack={back}
        />
      );
    case 'forgot':
      return (
        <ForgotForm
          email={email}
          onBack={back}
          onSent={(address) => awaitCode({ name: 'reset', email: address })}
        />
      );
    case 'reset':
      return (
        <AuthCard
          title="Set a new password"
          description={
            <>
              If <strong className="font-medium break-all text-ink">{mode.email}</strong> has an account, a
              code is on its way.
            </>
          }
          back={{ label: 'Back to email entry', onClick: () => toForgot(mode.email) }}
        >
          <ResetFields email={mode.email} onDone={() => toSignIn({ wasReset: true })} />
        </AuthCard>
      );
    case 'tabs':
      return <SignInOrUp email={email} arrival={arrival} onUnverified={verify} onForgot={toForgot} />;
  }
}

type SignInOrUpProps = {
  email: string;
  arrival: Arrival | null;
  onUnverified: (email: string) => void;
  onForgot: (email: string) => void;
};

function SignInOrUp({ email, arrival, onUnverified, onForgot }: SignInOrUpProps) {
  const [, navigate] = useLocation();
  const search = useSearch();
  const isHydrated = useHydrated();
  // The build renders the page of a visitor without a referral (web/app/as-drawn.ts).
  const [referral] = useState(() => (isHydrated ? storedReferral() : null));
  const wantsSignUp =
    new URLSearchParams(search).get('tab') === 'signup' || (referral !== null && arrival?.signIn !== true);
  const tab = wantsSignUp ? 'signup' : 'signin';
  const show = (next: string) =>
    navigate(next === 'signup' ? '/auth?tab=signup' : '/auth', {
      replace: true,
      state: { ...arrival, signIn: true } satisfies Arrival,
    });

  const advertiser = referral !== null;
  return (
    <AuthCard
      title={advertiser ? 'Welcome, advertiser' : tab === 'signup' ? 'Create your account' : 'Welcome back'}
      description={
        advertiser
          ? 'The ad zone you chose is waiting for you. Sign in or create a free account to place your ad.'
          : tab === 'signup'
            ? 'Join and start monetizing your website traffic.'
            : 'Sign in to your ad zones and campaigns.'
      }
    >
      {referral && <AdSpaceCard website={referral.website} zone={referral.zone} />}
      {arrival?.wasReset && (
        <Banner tone="good">Password reset successful! You can now sign in with your new password.</Banner>
      )}
      {arrival?.restored !== undefined && (
        <Banner
          tone="good"
          title="Your email address is restored"
          action={
            <Button size="sm" onClick={() => onForgot(email)}>
              Set a new password
            </Button>
          }
        >
          Your account uses <span className="break-all">{arrival.restored}</span> again. All sessions were
          signed out, and the old password no longer works. We&apos;ve emailed you a link to set a new one.
        </Banner>
      )}
      <Tabs
        label="Sign in or sign up"
        value={tab}
        onChange={show}
        tabs={[
          {
            value: 'signin',
            label: 'Sign In',
            content: <SignInForm email={email} onUnverified={onUnverified} onForgot={onForgot} />,
          },
          { value: 'signup', label: 'Sign Up', content: <SignUpForm onRegistered={onUnverified} /> },
        ]}
      />
      {advertiser && tab === 'signup' && (
        <p className="text-xs text-ink-faint">
          Or join and start monetizing your website traffic. One account does both.
        </p>
      )}
    </AuthCard>
  );
}
