import { createContext, useContext } from 'react';

// Apart from the forms, because the very first load forgets drafts and has no form.

const PREFIX = 'draft:';

const Owner = createContext<string | null>(null);

/** Whose drafts these are, such as an account's number: what one person typed is never shown to the next. */
export const DraftOwner = Owner.Provider;

/** Where a draft of the present owner is kept, for this tab of the browser. */
export function useDraftKey(): (draft: string) => string {
  const owner = useContext(Owner);
  if (owner === null) throw new Error('Drafts belong to somebody: a DraftOwner is missing');
  return (draft) => `${PREFIX}${owner}:${draft}`;
}

/** For what closes a form from outside: gives its draft up. */
export function useForgetDraft(): (draft: string) => void {
  const keyOf = useDraftKey();
  return (draft) => sessionStorage.removeItem(keyOf(draft));
}

/** After an explicit sign-out nothing typed is left in the tab. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
}
