import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { presumeSignedOut } from '#web/accounts/current-user.ts';
import { App } from './app/app.tsx';
import { quietHarmlessErrors } from './app/harmless-errors.ts';
import { linkInlineStyles } from './app/inline-styles.ts';
// Read the address before any page changes it.
import '#web/http/opened-at.ts';
import './styles/main.css';

quietHarmlessErrors();
linkInlineStyles();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
const app = (
  <StrictMode>
    <App />
  </StrictMode>
);
if (root.firstElementChild) {
  // The build rendered this page as a visitor sees it. React takes over its HTML.
  presumeSignedOut();
  hydrateRoot(root, app);
} else {
  createRoot(root).render(app);
}
