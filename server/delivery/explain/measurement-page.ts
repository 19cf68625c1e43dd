import type { FastifyInstance } from 'fastify';
import {
  CLICK_INTERVAL_MS,
  MIN_CLICK_MS,
  MAX_CLICKS_PER_HOUR,
  MAX_FROM_A_NETWORK_PER_MINUTE,
  MAX_OF_AN_AD_PER_DAY,
  TOKEN_LIFETIME_MS,
} from '#domain/delivery/judge.ts';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import { REASONS } from '#domain/delivery/reasons.ts';
import {
  LARGE_DISPLAY_PIXELS,
  VIEWABLE_MS,
  VIEWABLE_SHARE,
  VIEWABLE_SHARE_LARGE,
  VIEWABLE_VIDEO_MS,
} from '#domain/delivery/wire.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/time.ts';
import { escapeHtml } from '#server/http/html.ts';
import type { CallDescription } from '#server/http/openapi.ts';
import { type ServerPage, sendPage } from '#server/http/page.ts';

const MEASUREMENT: CallDescription = {
  summary: 'What is counted, what is filtered, and why',
  access: 'anyone',
  answers: { 200: 'A page' },
};

/** `GET /measurement` says the same as docs/measurement.md, for advertisers and publishers. [DEL-41] */
export function registerMeasurementPage(app: FastifyInstance): void {
  app.get('/measurement', { config: { call: MEASUREMENT } }, (_request, reply) => sendPage(reply, PAGE));
}

const reasons = REASONS.map((reason) => {
  const { name, meaning } = REASON_TEXTS[reason];
  return `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(meaning)}</dd></div>`;
}).join('\n');

const percent = (share: number) => `${share * 100} %`;
const seconds = (ms: number) => (ms === SECOND_MS ? 'one second' : `${ms / SECOND_MS} seconds`);
const pixels = new Intl.NumberFormat('en-US').format(LARGE_DISPLAY_PIXELS);

const PAGE: ServerPage = {
  title: 'What is counted, and why',
  found: {
    description:
      'Which views and clicks of ads are counted and billed, which are not and for which reason, and what an attacker can still do.',
  },
  main: `<h1>What is counted, and why</h1>
<p>Buyers pay for views and clicks, and publishers earn from them. This page says what a view and a click are here, what is
left out, and how far the numbers can be trusted.</p>

<h2>What is counted</h2>
<ul>
<li><strong>A view</strong> is an ad that could really be seen: at least ${percent(VIEWABLE_SHARE)} of its place was on
screen, in the tab in front, for ${seconds(VIEWABLE_MS)} without a break, after it had been drawn. For places of ${pixels}
pixels and more (970 × 250) it is ${percent(VIEWABLE_SHARE_LARGE)}. Of a <strong>video</strong>, ${percent(VIEWABLE_SHARE)}
was on screen during ${seconds(VIEWABLE_VIDEO_MS)} of play. These are the rules of the Media Rating Council (MRC) for
viewable impressions. The share is taken of the place as it was sold, whatever a page makes of it.</li>
<li><strong>A click</strong> is a link that was opened. Who clicks has seen: a click counts as a view, too, unless that view
was counted already.</li>
<li>Nothing else is billed: not that a page asked for an ad, and not that the ad was drawn.</li>
</ul>

<h2>What is not counted</h2>
<p>Whatever is reported and not counted is kept with one of these reasons. The ad is shown all the same, and a click leads
on. Buyer and publisher see the same numbers, day by day, under “How this was counted”.</p>
<dl class="facts">
${reasons}
</dl>
<p>In numbers: a view comes no sooner than ${seconds(VIEWABLE_MS)} after the ad was chosen (${seconds(VIEWABLE_VIDEO_MS)}
for a video) and no later than ${TOKEN_LIFETIME_MS.view / MINUTE_MS} minutes; a click no sooner than
${MIN_CLICK_MS / SECOND_MS} seconds and no later than ${TOKEN_LIFETIME_MS.click / HOUR_MS} hours. One visitor counts for one
click on an ad in ${CLICK_INTERVAL_MS / MINUTE_MS} minutes, ${MAX_OF_AN_AD_PER_DAY.click} clicks and
${MAX_OF_AN_AD_PER_DAY.view} views of it in a day, and ${MAX_CLICKS_PER_HOUR} clicks on a website in an hour. One network
counts for ${MAX_FROM_A_NETWORK_PER_MINUTE.view} views and ${MAX_FROM_A_NETWORK_PER_MINUTE.click} clicks on a website in a
minute.</p>

<h2>Why you can believe it</h2>
<ul>
<li>Each time an ad is chosen, the server signs a ticket for this ad, this place and this moment. A view or a click needs
one; it works once, and for nothing else. Only the server’s own clock is believed.</li>
<li>A report is answered when it is kept for good, and it is counted together with the goal of the campaign. Nothing counts
twice, and nothing is billed beyond what was bought, however many servers count at the same time.</li>
<li>Robots that say what they are, and addresses of the big clouds’ data centers, are recognized by public lists. Relays and
VPNs of people are not held against them.</li>
<li>Openslot is open source: the rules above are the ones that run, and can be read.</li>
</ul>

<h2>What is remembered of visitors</h2>
<p>No cookie, and nothing in the browser. To tell one visitor from another, the server keeps a number in memory that it makes
of the network (not the whole address), the browser’s name and the website, with a key that is thrown away every day.
Nothing of it is stored. Who sends Global Privacy Control is not told apart at all: then only the network counts.</p>

<h2>What an attacker can still do</h2>
<ul>
<li>A real browser that a program drives at home, on a usual connection, looks like a person. So do people who are paid to
click. The caps above bound what one of them is worth; they do not find them out. Hours in which a place is clicked far more,
or far less, than in the four weeks before are shown to its publisher and reported to the operator.</li>
<li>Smaller hosting companies are not on the list of data centers until the operator adds them.</li>
<li>A page can lay something over an ad that browsers do not report. An ad that is made transparent, hidden, or too small is
noticed.</li>
<li>Where several servers work together, each counts a visitor’s caps for itself.</li>
</ul>`,
};
