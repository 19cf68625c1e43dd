import { hasBuyerAccess, hasSellerAccess } from '#domain/accounts/roles.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { useSignedInUser } from './current-user.ts';

const NEEDS = {
  buyer: { access: hasBuyerAccess, text: 'This page is for ad buyers, and your role is seller.' },
  seller: { access: hasSellerAccess, text: 'This page is for publishers, and your role is buyer.' },
} as const;

export function useHasAccess(needs: keyof typeof NEEDS): boolean {
  return NEEDS[needs].access(useSignedInUser().role);
}

/** On a page that opens for every role and is of use to some only (OP-004): says so, and how to change it. */
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
      You can change your role at any time in your settings; nothing you have is lost by it.
    </Banner>
  );
}
