/**
 * The causes that keep a tag from requesting an ad, each with the next step. The server learns nothing from such a page, except
 * whether it has loaded the script.
 */
export function TagChecks({ isLoaded }: { isLoaded: boolean }) {
  return (
    <>
      <p>Not seeing anything? Check these:</p>
      <ul className="list-disc space-y-1 pl-5">
        {(isLoaded ? LOADED : NOT_LOADED).map((check) => (
          <li key={check}>{check}</li>
        ))}
      </ul>
    </>
  );
}

const ZONE_IN_VIEW = 'The ad zone must be in view, and not hidden by a style or a closed menu.';
const AD_BLOCKER = 'Turn off ad blockers for this page.';

const LOADED = [
  ZONE_IN_VIEW,
  'If the page has a content security policy, its connect-src must allow our server too: add the whole line under ‘Other ways’, ‘Strict CSP’.',
  AD_BLOCKER,
];
const NOT_LOADED = [
  'The embed code must be on the page, unmodified, and the page must be published.',
  ZONE_IN_VIEW,
  'If a cookie banner holds scripts back, agree to it, or list the tag as necessary: it sets no cookies.',
  'If the page has a content security policy, add the line under ‘Other ways’, ‘Strict CSP’. The browser’s console names what the policy blocks.',
  'If the code is in a sandboxed frame of your own, use ‘Sandboxed iframe’ under ‘Other ways’ in its place.',
  'If a script writes the code into the page, put the script line into the page itself. Browsers don’t run scripts that are inserted as text.',
  AD_BLOCKER,
];
