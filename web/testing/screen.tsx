/** Shows a screen or a part of one in the page of a component test. */
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { getCurrentUser, type User } from '#domain/accounts/contract.ts';
import { forgetUser } from '#web/accounts/current-user.ts';
import { App, loadPageAt } from '#web/app/app.tsx';
import { LateToaster } from '#web/app/late-toaster.tsx';
import { queryClient } from '#web/http/query-client.ts';
import { dismissToast, toasts } from '#web/ui/toast-store.ts';
import { answer } from './answers.ts';

let root: Root | undefined;
const testPage = window.location.href;

/** Opens the application at a path, for a visitor or as a signed-in user. Answer the calls of the page before. */
export async function openPage(
  path: string,
  { as, state = null }: { as?: User; state?: object | null } = {},
): Promise<void> {
  signIn(as);
  window.history.replaceState(state, '', path);
  await loadPageAt(window.location.pathname, as !== undefined);
  mount(<App />);
}

/** Renders a part of a screen, such as a dialog, for a signed-in user. */
export function render(part: ReactNode, { as }: { as?: User } = {}): void {
  signIn(as);
  mount(
    <QueryClientProvider client={queryClient}>
      {part}
      <LateToaster />
    </QueryClientProvider>,
  );
}

function signIn(user: User | undefined): void {
  document.documentElement.toggleAttribute('data-session', user !== undefined);
  if (user) answer(getCurrentUser, user);
}

function mount(content: ReactNode): void {
  const place = document.createElement('div');
  place.id = 'root';
  document.body.append(place);
  root = createRoot(place);
  root.render(<StrictMode>{content}</StrictMode>);
}

/** Removes the screen, and all that it has kept. */
export function closeScreen(): void {
  // Before the dialogs go, so that none of them takes its entry out of the history while the next page opens.
  window.history.replaceState(null, '', testPage);
  root?.unmount();
  root = undefined;
  document.body.replaceChildren();
  forgetUser();
  queryClient.clear();
  for (const { id } of toasts()) dismissToast(id);
  localStorage.clear();
  sessionStorage.clear();
}
