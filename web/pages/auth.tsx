import { useState } from 'react';
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
import { WelcomePanel } from '#web/accounts/sign-in/welcome-panel.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Logo } from '#web/ui/brand/logo.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { AfterSignIn } from './after-sign-in.tsx';

type Mode =
  | { name: 'tabs' }
  | { name: 'verify'; email: string }
  | { name: 'verify-link'; token: string }
  | { name: 'reset-link'; token: string }
  | { name: 'restore-link'; token: string }
  | { name: 'forgot' }
  | { name: 'reset'; email: string };

/** What the history entry of '/auth' remembers, so that it outlives the change from a signed-in page to this one. */
type Arrival = {
  /** The sign-in tab was asked for. */
  signIn: true;
  wasReset?: boolean;
  /** The address that a link brought back. */
  restored?: string;
};

/** The links of mails: '/auth?verify={token}' and the like. They open for signed-in people, too. */
function linkOf(search: string): Mode | null {
  const query = new URLSearchParams(search);
  for (const use of ['verify', 'reset', 'restore'] as const) {
    const token = query.get(use);
    if (token) return { name: `${use}-link`, token };
  }
  return null;
}

/** One screen with several modes (specification section 2, '/auth'). */
export default function AuthPage() {
  const { user } = useCurrentUser();
  const cameByLink = linkOf(useSearch()) !== null;
  return (
    <div className="grid min-h-dvh bg-surface lg:grid-cols-2">
      <main id="content" tabIndex={-1} className="flex flex-col p-6 outline-none sm:p-10">
        <Link href="/" aria-label="Openslot, home" className="self-start rounded-tight">
          <Logo />
        </Link>
        <div className="grid flex-1 place-items-center py-10">
          {user && !cameByLink ? <AfterSignIn user={user} /> : <AuthModes />}
        </div>
      </main>
      <WelcomePanel />
    </div>
  );
}

function AuthModes() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const { user } = useCurrentUser();
  const arrival = useHistoryState<Arrival | null>();
  const [mode, setMode] = useState<Mode>(() => linkOf(search) ?? { name: 'tabs' });
  // Typed once, known in every mode.
  const [email, setEmail] = useState(arrival?.restored ?? '');

  function toSignIn(after: Omit<Arrival, 'signIn'>) {
    setMode({ name: 'tabs' });
    if (after.restored !== undefined) setEmail(after.restored);
    // Otherwise `?tab=signup`, or the link of the mail, would decide again.
    navigate('/auth', { replace: true, state: { signIn: true, ...after } satisfies Arrival });
  }
  function toForgot(address: string) {
    setEmail(address);
    setMode({ name: 'forgot' });
  }
  /** The server has ended every session, the one in this browser included. */
  function toSignInSignedOut(after: Omit<Arrival, 'signIn'>) {
    if (user) forgetUser();
    toSignIn(after);
  }
  const back = () => toSignIn({});
  const verify = (address: string) => {
    setEmail(address);
    setMode({ name: 'verify', email: address });
  };

  switch (mode.name) {
    case 'verify':
      return <VerifyForm email={mode.email} onBack={back} />;
    case 'verify-link':
      return (
        <VerifyByLink
          token={mode.token}
          onVerified={() => navigate('/auth', { replace: true })}
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
          onSent={(address) => {
            setEmail(address);
            setMode({ name: 'reset', email: address });
          }}
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
          back={{ label: 'Back to email entry', onClick: () => setMode({ name: 'forgot' }) }}
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
  const [referral] = useState(() => storedReferral());
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
          ? 'The ad space you chose is waiting for you. Sign in or create a free account, and put your ad in it.'
          : tab === 'signup'
            ? 'Join and start monetizing your website traffic.'
            : 'Sign in to your slots and campaigns.'
      }
    >
      {arrival?.wasReset && (
        <Banner tone="good">Password reset successful! You can now sign in with your new password.</Banner>
      )}
      {arrival?.restored !== undefined && (
        <Banner
          tone="good"
          title="Your address is restored"
          action={
            <Button size="sm" onClick={() => onForgot(email)}>
              Set a new password
            </Button>
          }
        >
          <span className="break-all">{arrival.restored}</span> is the address of your account again, and
          everybody was signed out. If somebody else changed it, they may know your password.
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
        <p className="text-sm text-ink-faint">
          Or join and start monetizing your website traffic: one account does both.
        </p>
      )}
    </AuthCard>
  );
}
