import { type Call, FILE, UNKNOWN } from '#server/platform/http/openapi.ts';

const EVENT_ANSWERS = {
  204: 'Recorded: counted, or filtered with a reason',
  400: 'The token is invalid or has expired',
  503: 'Not recorded; send the report again',
};

/** The calls that ad-server.ts routes. They are answered before Fastify, so they are declared here. */
export const DELIVERY_CALLS: readonly Call[] = [
  {
    method: 'get',
    path: '/m/{file}',
    summary: 'A creative as publishers’ pages show it; its name is the hash of its content',
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
      'The document of a sandboxed frame that shows one ad zone, for pages that allow no third-party script',
    access: 'anyone',
    answers: { 200: 'A page', 404: 'Not the id of an ad zone' },
  },
  {
    method: 'get',
    path: '/api/serve/ads',
    summary:
      'The ad for each of the ad zones `z={publicId},{publicId}`; the answer for an unknown zone is `none`. Limits of ads use the path of the page `p`, its topics `t={topic},{topic}` and the timezone `tz` of the visitor’s clock',
    access: 'anyone',
    answers: { 200: 'One entry per zone', 400: 'No zones, or too many' },
  },
  {
    method: 'post',
    path: '/api/serve/view/{token}',
    summary:
      'Reports that the creative was viewable; the query proves that a browser rendered it; each token counts once',
    access: 'anyone',
    answers: EVENT_ANSWERS,
  },
  {
    method: 'get',
    path: '/api/serve/view/{token}',
    summary: 'The same report from a video player; with `?rendered` it says that the video has begun to play',
    access: 'anyone',
    answers: EVENT_ANSWERS,
  },
  {
    method: 'get',
    path: '/api/serve/vast/{publicId}',
    summary: 'The ad for a video player (VAST 4.2); an empty document if there is none',
    access: 'anyone',
    answers: { 200: 'XML' },
  },
  {
    method: 'get',
    path: '/api/serve/vast-address/{publicId}',
    summary:
      'The VAST address for a video player with Google’s IMA, signed for pages of the ad zone’s own website',
    access: 'anyone',
    answers: { 200: 'Text' },
  },
  {
    method: 'get',
    path: '/api/serve/vast-error/{token}',
    summary: 'Reports that a player could not show the ad; `code` is its VAST error code',
    access: 'anyone',
    answers: { 204: 'Recorded', 400: 'The token is invalid or has expired' },
  },
  {
    method: 'get',
    path: '/api/serve/click/{token}',
    summary: 'Counts a click and redirects to the ad’s stored target URL',
    access: 'anyone',
    answers: {
      204: 'A prefetch, which is not counted',
      302: 'Recorded: counted, or filtered with a reason',
      307: 'Redirected, but not recorded',
    },
  },
  {
    method: 'get',
    path: '/api/serve/facts.js',
    summary:
      'The module by which the tag states facts of the page for ad zones whose ads are limited by them',
    access: 'anyone',
    answers: { 200: 'JavaScript', 304: 'Unchanged' },
  },
  {
    method: 'get',
    path: '/api/serve/placement.js',
    summary:
      'The module by which a few page views measure where an ad zone stands and how long it is in view',
    access: 'anyone',
    answers: { 200: 'JavaScript', 304: 'Unchanged' },
  },
  {
    method: 'get',
    path: '/api/serve/sample.js',
    summary: 'The module by which the tag asks for a sample ad while a publisher tests the ad zone',
    access: 'anyone',
    answers: { 200: 'JavaScript', 304: 'Unchanged' },
  },
  {
    method: 'post',
    path: '/api/serve/placement/{token}',
    summary:
      'The report of that module, nine numbers in the query; each token counts once, and nothing is billed',
    access: 'anyone',
    answers: { 204: 'Stored, or without effect', 400: 'No valid token or numbers', 503: 'Not stored' },
  },
  {
    method: 'get',
    path: '/api/serve/landing.js',
    summary: 'The script of an advertiser’s page that reports the landing of a measured click',
    access: 'anyone',
    answers: { 200: 'JavaScript', 304: 'Unchanged' },
  },
  {
    method: 'get',
    path: '/api/serve/posts.js',
    summary:
      'The script that puts ad zones into the marked elements of a page, for posts that may hold no script',
    access: 'anyone',
    answers: { 200: 'JavaScript', 304: 'Unchanged' },
  },
  {
    method: 'post',
    path: '/api/serve/landings/{token}',
    summary: 'The report of that script; each token counts once, and any other has no effect',
    access: 'anyone',
    answers: { 204: 'Recorded, or without effect', 503: 'Not recorded' },
  },
  {
    method: 'get',
    path: '/api/serve/why/{publicId}',
    summary: 'Why an ad is shown, who paid for it, and how to report it',
    access: 'anyone',
    answers: { 200: 'A page', ...UNKNOWN },
  },
];
