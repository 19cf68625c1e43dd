import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { AuthCard } from '#web/accounts/auth-card.tsx';
import { useCurrentUser } from '#web/accounts/current-user.ts';
import { ForgotForm } from '#web/accounts/forgot-form.tsx';
import { storedReferral } from '#web/accounts/referral.ts';
import { ResetFields } from '#web/accounts/reset-fields.tsx';
import { SignInForm } from '#web/accounts/sign-in-form.tsx';
import { SignUpForm } from '#web/accounts/sign-up-form.tsx';
import { VerifyByLink } from '#web/accounts/verify-by-link.tsx';
import { VerifyForm } from '#web/accounts/verify-form.tsx';
import { WelcomePanel } from '#web/accounts/welcome-panel.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { AfterSignIn } from './after-sign-in.tsx';

type Mode =
  | { name: 'tabs' }
  | { name: 'verify'; email: string }
  | { name: 'verify-link'; token: string }
  | { name: 'forgot' }
  | { name: 'reset'; email: string };

/** One screen with several modes (specification section 2, '/auth'). */
export default function AuthPage() {
  const { user } = useCurrentUser();
  return (
    <div className="grid min-h-dvh bg-surface lg:grid-cols-2">
      <main id="content" tabIndex={-1} className="flex flex-col p-6 outline-none sm:p-10">
        <Link href="/" aria-label="Openslot, home" className="self-start rounded-tight">
          <Logo />
        </Link>
        <div className="grid flex-1 place-items-center py-10">
          {user ? <AfterSignIn user={user} /> : <AuthModes />}
        </div>
      </main>
      <WelcomePanel />
    </div>
  );
}

function AuthModes() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const [mode, setMode] = useState<Mode>(() => {
    const token = new URLSearchParams(search).get('verify');
    return token ? { name: 'verify-link', token } : { name: 'tabs' };
  });
  // Typed once, known in every mode.
  const [email, setEmail] = useState('');
  const [wasReset, setWasReset] = useState(false);

  function toSignIn(after: { reset: boolean }) {
    setWasReset(after.reset);
    setMode({ name: 'tabs' });
    // Otherwise `?tab=signup`, or the link of the mail, would decide again.
    navigate('/auth', { replace: true, state: SIGN_IN });
  }
  const back = () => toSignIn({ reset: false });
  const verify = (address: string) => {
    setEmail(address);
    setMode({ name: 'verify', email: address });
  };

  switch (mode.name) {
    case 'verify':
      return <VerifyForm email={mode.email} onBack={back} />;
    case 'verify-link':
      return <VerifyByLink token={mode.token} onBack={back} />;
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
          <ResetFields email={mode.email} onDone={() => toSignIn({ reset: true })} />
        </AuthCard>
      );
    case 'tabs':
      return (
        <SignInOrUp
          email={email}
          wasReset={wasReset}
          onUnverified={verify}
          onForgot={(address) => {
            setEmail(address);
            setMode({ name: 'forgot' });
          }}
        />
      );
  }
}

/** Marks a history entry on which the sign-in tab was asked for. */
const SIGN_IN = 'sign-in';

type SignInOrUpProps = {
  email: string;
  wasReset: boolean;
  onUnverified: (email: string) => void;
  onForgot: (email: string) => void;
};

function SignInOrUp({ email, wasReset, onUnverified, onForgot }: SignInOrUpProps) {
  const [, navigate] = useLocation();
  const search = useSearch();
  const asked = useHistoryState<unknown>();
  const [referral] = useState(() => storedReferral());
  const wantsSignUp =
    new URLSearchParams(search).get('tab') === 'signup' || (referral !== null && asked !== SIGN_IN);
  const tab = wantsSignUp ? 'signup' : 'signin';
  const show = (next: string) =>
    navigate(next === 'signup' ? '/auth?tab=signup' : '/auth', { replace: true, state: SIGN_IN });

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
      {wasReset && (
        <Banner tone="good">Password reset successful! You can now sign in with your new password.</Banner>
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
