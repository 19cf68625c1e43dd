import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { hadSession } from '#web/accounts/current-user.ts';
import { MARKETPLACE_NAME } from '#web/ui/format/settings.ts';
import { reloadAfterUpgrade } from '#web/ui/late-code.ts';
import { App, loadPageAt } from './app/app.tsx';
import { isAsDrawn } from './app/as-drawn.ts';
import { quietHarmlessErrors } from './app/harmless-errors.ts';
import { linkInlineStyles } from './app/inline-styles.ts';
import { restoreTranslatedTexts } from './app/translated-texts.ts';
// Read the address before any page changes it.
import '#web/http/opened-at.ts';
import './styles/main.css';

restoreTranslatedTexts();
reloadAfterUpgrade(MARKETPLACE_NAME);
quietHarmlessErrors();
linkInlineStyles();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
const app = (
  <StrictMode>
    <App />
  </StrictMode>
);
// If the code doesn't arrive, the page itself reports it when it is shown.
const isLoaded = loadPageAt(window.location.pathname, hadSession()).catch(() => {});
if (root.firstElementChild !== null && !hadSession() && isAsDrawn()) {
  // React takes over the HTML that the build rendered, unless a translator has changed it meanwhile.
  void isLoaded.then(() => (isAsDrawn() ? hydrateRoot(root, app) : createRoot(root).render(app)));
} else {
  createRoot(root).render(app);
}
