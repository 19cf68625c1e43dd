import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { presumeSignedOut } from '#web/accounts/current-user.ts';
import { App } from './app/app.tsx';
import { isAsDrawn } from './app/as-drawn.ts';
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
const isDrawn = root.firstElementChild !== null;
// The build rendered this page as a visitor sees it.
if (isDrawn) presumeSignedOut();
if (isDrawn && isAsDrawn()) {
  // React takes over the HTML.
  hydrateRoot(root, app);
} else {
  createRoot(root).render(app);
}
