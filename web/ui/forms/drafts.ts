import { createContext, useContext } from 'react';

// Separate from the forms, because the first bundle deletes drafts but contains no form.

const PREFIX = 'draft:';

const Owner = createContext<string | null>(null);

/** The owner of the drafts below it, such as the user's id. A draft is never shown to another user. */
export const DraftOwner = Owner.Provider;

/** Returns the key of a draft in this tab's session storage. Throws outside a `DraftOwner`. */
export function useDraftKey(): (draft: string) => string {
  const owner = useContext(Owner);
  if (owner === null) throw new Error('A draft needs an owner: wrap the form in a DraftOwner.');
  return (draft) => `${PREFIX}${owner}:${draft}`;
}

/** Deletes a draft from outside its form, such as when a dialog closes. */
export function useForgetDraft(): (draft: string) => void {
  const keyOf = useDraftKey();
  return (draft) => sessionStorage.removeItem(keyOf(draft));
}

/** Deletes all drafts of this tab. Called when the user signs out. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
}
