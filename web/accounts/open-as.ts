import { forgetDrafts } from '#web/ui/forms/drafts.ts';

/** Opens the pages of another account anew, so that nothing of this one stays. */
export function openAs(path: string): void {
  forgetDrafts();
  window.location.assign(path);
}
