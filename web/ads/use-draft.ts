import { useEffect } from 'react';
import { NO_CONTENT, useAdForm, type AdForm } from './ad-form.ts';

/**
 * The wizard's form. What was typed outlives steps, reloads and other pages of this tab, until it is submitted or
 * discarded. Drafts are kept per user, because a tab may see several.
 */
export function useDraft(userId: number): { form: AdForm; discard: () => void } {
  const key = `ad-draft-${userId}`;
  const form = useAdForm(storedDraft(key));

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => sessionStorage.setItem(key, JSON.stringify(values)),
      }),
    [form, key],
  );

  function discard() {
    form.reset(NO_CONTENT);
    sessionStorage.removeItem(key);
  }

  return { form, discard };
}

function storedDraft(key: string): typeof NO_CONTENT {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<typeof NO_CONTENT>;
    return { ...NO_CONTENT, ...stored };
  } catch {
    return NO_CONTENT;
  }
}
