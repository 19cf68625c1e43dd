/**
 * The landing script: one line on the advertiser's landing page reports that a measured click has arrived. It sets no
 * cookie, stores nothing, and sends nothing but the token of the click. Visitors who have asked not to be tracked are not
 * reported; their clicks carry no token in the first place. [EVID-03]
 */
const { src } = document.currentScript as HTMLScriptElement;
// If the target address has a parameter of this name itself, ours is the last one.
const token = /.*[?&]osid=([\w-]+)/.exec(location.search)?.[1];

if (token && navigator.doNotTrack !== '1' && !navigator.globalPrivacyControl)
  fetch(new URL(`landings/${token}`, src), {
    method: 'POST',
    keepalive: true,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    // A visitor of the page must not see that the report failed.
  }).catch(() => {});
