/** Pages that restrict what the tag may do by a policy, a sandbox or a shadow root. */
import { type EarningPage, html, type SilentPage, withPolicy } from './hostile-page.ts';

const sources = (server: string) => `connect-src ${server}; img-src ${server}; media-src ${server}`;

export const POLICIES: EarningPage[] = [
  {
    name: 'Trusted Types',
    host: 'trusted-types',
    files: ({ pasted }) => ({
      '/': withPolicy(html(pasted), `require-trusted-types-for 'script'; trusted-types 'none'`),
    }),
  },
  {
    name: 'a strict policy with a nonce',
    host: 'nonce',
    files: ({ zone, script, server }) => ({
      '/': withPolicy(
        html(zone + script.replace('<script', '<script nonce="r4nd0m"')),
        `default-src 'none'; base-uri 'none'; script-src 'nonce-r4nd0m' 'strict-dynamic'; style-src 'nonce-r4nd0m'; ${sources(server)}`,
      ),
    }),
  },
];

export const REFUSING: SilentPage[] = [
  {
    name: 'a strict policy that does not allow our scripts',
    host: 'refused-script',
    files: ({ pasted }) => ({
      '/': withPolicy(html(pasted), `default-src 'self'; style-src 'unsafe-inline'`),
    }),
    sentence: 'If the page has a content security policy, add the line under ‘Other ways’, ‘Strict CSP’',
  },
  {
    name: 'a strict policy that allows our script and not our requests',
    host: 'refused-requests',
    files: ({ pasted, server }) => ({
      '/': withPolicy(html(pasted), `default-src 'self'; script-src ${server}; style-src 'unsafe-inline'`),
    }),
    sentence: 'If the page has a content security policy, its connect-src must allow our server too',
  },
];

const SANDBOX = 'sandbox="allow-scripts allow-popups" style="width:320px;height:270px;border:0"';

/** A component that writes the code into its own closed shadow root, as site builders do with 'custom HTML'. */
const closed = (markup: string) => `<div data-ad style="display:inline-block"></div><script>
  document.querySelector('[data-ad]').attachShadow({ mode: 'closed' }).innerHTML = ${JSON.stringify(markup).replaceAll('</', '<\\/')};
</script>`;

const attribute = (markup: string) => markup.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

export const FRAMES: EarningPage[] = [
  {
    name: 'our code ‘Sandboxed iframe’',
    host: 'framed',
    files: ({ frame }) => ({ '/': html(frame.replace('<iframe', '<iframe data-ad')) }),
  },
  {
    name: 'a closed shadow root that holds the ad zone, and the script in the page',
    host: 'closed',
    files: ({ zone, script }) => ({ '/': html(closed(zone) + script) }),
  },
];

export const ENCLOSED: SilentPage[] = [
  {
    name: 'a sandboxed frame of the site’s own that holds the embed code',
    host: 'own-sandbox',
    files: ({ pasted }) => ({ '/': html(`<iframe ${SANDBOX} srcdoc="${attribute(pasted)}"></iframe>`) }),
    sentence: 'The code is in a sandboxed frame',
    counted: { 'decision wrong_site': 1, 'view wrong_site': 1 },
  },
  {
    name: 'a sandboxed frame without scripts',
    host: 'no-scripts',
    files: ({ pasted }) => ({
      '/': html(`<iframe ${SANDBOX.replace('allow-scripts ', '')} srcdoc="${attribute(pasted)}"></iframe>`),
    }),
    sentence: 'If the code is in a sandboxed frame of your own, use ‘Sandboxed iframe’',
  },
  {
    name: 'a closed shadow root into which a script writes the whole code',
    host: 'written',
    files: ({ pasted }) => ({ '/': html(closed(pasted)) }),
    sentence: 'If a script writes the code into the page, put the script line into the page itself',
  },
];
