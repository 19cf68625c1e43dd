import { hasBuyerAccess, hasSellerAccess } from '#domain/accounts/roles.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { useSignedInUser } from './current-user.ts';

const NEEDS = {
  buyer: { access: hasBuyerAccess, text: 'This page is for advertisers, and your role is seller.' },
  seller: { access: hasSellerAccess, text: 'This page is for publishers, and your role is buyer.' },
} as const;

export function useHasAccess(needs: keyof typeof NEEDS): boolean {
  return NEEDS[needs].access(useSignedInUser().role);
}

/** Shown on a page that every role can open but only some can use. It explains how to change the role. [OP-004] */
export function AccessNote({ needs }: { needs: keyof typeof NEEDS }) {
  if (useHasAccess(needs)) return null;
  return (
    <Banner
      tone="warn"
      title={NEEDS[needs].text}
      action={
        <ButtonLink href="/settings" variant="secondary" size="sm">
          Change my role
        </ButtonLink>
      }
    >
      You can change your role in your settings at any time. Changing it doesn't delete anything.
    </Banner>
  );
}
