/**
 * The calls that are no JSON endpoints: pages a browser is sent to, files, and the ad server's answers, which come
 * before the framework. Described by hand, so that the API's description leaves nothing out.
 */
type OtherCall = {
  method: 'get' | 'post' | 'put';
  path: string;
  summary: string;
  access: 'anyone' | 'user';
  /** What each status means. */
  answers: Record<number, string>;
};

const UNKNOWN = { 404: 'Unknown' };
const FILE = { 200: 'The file', 206: 'The part that Range asks for', 416: 'No such part', ...UNKNOWN };

export const OTHER_CALLS: readonly OtherCall[] = [
  {
    method: 'get',
    path: '/api/health',
    summary: 'Whether the server can serve',
    access: 'anyone',
    answers: { 200: 'It can', 503: 'It cannot: the database is away' },
  },
  {
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This description',
    access: 'anyone',
    answers: { 200: 'OpenAPI 3.1' },
  },
  {
    method: 'get',
    path: '/api/logout',
    summary: 'Sign out by visiting; works without a session, too',
    access: 'anyone',
    answers: { 302: 'To the landing page' },
  },
  {
    method: 'get',
    path: '/measurement',
    summary: 'What is counted, what is not, and why, in plain words',
    access: 'anyone',
    answers: { 200: 'A page' },
  },
  {
    method: 'get',
    path: '/api/billing/portal',
    summary: 'The payment provider’s billing portal',
    access: 'user',
    answers: { 200: 'A page: there is no billing account yet', 302: 'To the provider', 401: 'No session' },
  },
  {
    method: 'get',
    path: '/api/sandbox/billing-portal',
    summary: 'Stands in for the provider’s portal while the sandbox is the provider',
    access: 'anyone',
    answers: { 200: 'A page', ...UNKNOWN },
  },
  {
    method: 'put',
    path: '/api/uploads/{name}',
    summary:
      'The one file of an upload address, as the body; knowing the address is the right to use it, once',
    access: 'anyone',
    answers: {
      200: 'What was stored',
      400: 'Empty, or not whole',
      ...UNKNOWN,
      409: 'Used already',
      413: 'Too large',
      415: 'Neither JPEG, PNG, GIF nor MP4',
      429: 'Too much of the account is on its way',
    },
  },
  {
    method: 'put',
    path: '/api/user/picture',
    summary: 'One’s own profile picture: the image itself is the body',
    access: 'user',
    answers: {
      200: 'The user with the new picture',
      400: 'Empty, or not whole',
      401: 'No session',
      413: 'Too large',
      415: 'No image',
      429: 'Too much of the account is on its way',
    },
  },
  {
    method: 'get',
    path: '/ad-images/{name}',
    summary: 'An uploaded file, byte for byte',
    access: 'anyone',
    answers: FILE,
  },
  {
    method: 'get',
    path: '/avatars/{name}',
    summary: 'Somebody’s profile picture',
    access: 'anyone',
    answers: FILE,
  },
  {
    method: 'get',
    path: '/m/{file}',
    summary: 'A creative as publishers’ pages show it; its name is its content’s hash',
    access: 'anyone',
    answers: FILE,
  },
  {
    method: 'get',
    path: '/api/serve/zone/{publicId}',
    summary: 'The script of the embedded snippet: the same static bytes for every zone',
    access: 'anyone',
    answers: { 200: 'JavaScript', 304: 'Unchanged' },
  },
  {
    method: 'get',
    path: '/z/{publicId}',
    summary:
      'The document of a sandboxed frame that shows one zone, for pages that allow no third-party script',
    access: 'anyone',
    answers: { 200: 'A page', 404: 'No zone’s name' },
  },
  {
    method: 'get',
    path: '/api/serve/ads',
    summary: 'What each of the zones `z={publicId},{publicId}` shows now; an unknown one shows none',
    access: 'anyone',
    answers: { 200: 'One entry per zone', 400: 'No zones, or too many' },
  },
  {
    method: 'post',
    path: '/api/serve/view/{token}',
    summary: 'The creative has been viewable; the token works once',
    access: 'anyone',
    answers: { 204: 'Kept, counted or with a reason', 400: 'Forged or expired', 503: 'Not kept' },
  },
  {
    method: 'get',
    path: '/api/serve/view/{token}',
    summary: 'The same, as video players report it; with `?rendered`, that the film has begun',
    access: 'anyone',
    answers: { 204: 'Kept, counted or with a reason', 400: 'Forged or expired', 503: 'Not kept' },
  },
  {
    method: 'get',
    path: '/api/serve/vast/{publicId}',
    summary: 'What a video player shows in a zone now (VAST 4.2); without an ad an empty document',
    access: 'anyone',
    answers: { 200: 'XML' },
  },
  {
    method: 'get',
    path: '/api/serve/vast-error/{token}',
    summary: 'A player could not show the ad; `code` is its VAST error code',
    access: 'anyone',
    answers: { 204: 'Noted', 400: 'Forged or expired' },
  },
  {
    method: 'get',
    path: '/api/serve/click/{token}',
    summary: 'Counts a click and leads to the stored address, and to no other',
    access: 'anyone',
    answers: {
      204: 'Asked for ahead of a click, which is not counted',
      302: 'Kept, counted or with a reason',
      307: 'Not kept',
    },
  },
  {
    method: 'get',
    path: '/api/serve/why/{publicId}',
    summary: 'Why an ad is shown, who paid for it, and how to report it',
    access: 'anyone',
    answers: { 200: 'A page', ...UNKNOWN },
  },
  {
    method: 'get',
    path: '/ad-archive',
    summary: 'The ads that were shown, newest first; `q` searches, `after` is the cursor of the next page',
    access: 'anyone',
    answers: { 200: 'A page', 400: 'Unknown cursor' },
  },
  {
    method: 'get',
    path: '/ad-archive/{publicId}',
    summary: 'One ad that was shown: content, on whose behalf, who paid, where, when and how many it reached',
    access: 'anyone',
    answers: { 200: 'A page', ...UNKNOWN },
  },
  {
    method: 'get',
    path: '/report-ad/{publicId}',
    summary: 'The form to report an ad with',
    access: 'anyone',
    answers: { 200: 'A page', ...UNKNOWN },
  },
  {
    method: 'post',
    path: '/report-ad/{publicId}',
    summary: 'Reports an ad; the body is the form’s (application/x-www-form-urlencoded)',
    access: 'anyone',
    answers: {
      303: 'To the page that says thank you',
      400: 'The form again, with what is missing',
      403: 'Sent from another site',
      ...UNKNOWN,
      429: 'Too many from this network',
    },
  },
  {
    method: 'get',
    path: '/moderate-ad',
    summary: 'A reported ad for whoever has the `key` of the operator’s mail',
    access: 'anyone',
    answers: { 200: 'A page', ...UNKNOWN },
  },
  {
    method: 'post',
    path: '/moderate-ad',
    summary: 'Takes the ad down; the body is the form’s (application/x-www-form-urlencoded)',
    access: 'anyone',
    answers: {
      303: 'Back to the page',
      400: 'The form again, with what is missing',
      403: 'Sent from another site',
      ...UNKNOWN,
      409: 'It is over already',
    },
  },
];
