import { countText } from '#domain/format.ts';
import type { FastifyInstance } from 'fastify';
import { CAPS, WEBSITE_VIEWS_PER_DAY } from '#domain/delivery/caps.ts';
import {
  CLICK_INTERVAL_MS,
  MAX_CLICK_WAIT_MS,
  MIN_CLICK_MS,
  MAX_CLICKS_PER_HOUR,
  MAX_UNREPORTED_CLICKS_PER_DAY,
  MAX_OF_AN_AD_PER_DAY,
  TOKEN_LIFETIME_MS,
} from '#domain/delivery/judge.ts';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import { REASONS } from '#domain/delivery/reasons.ts';
import {
  LARGE_DISPLAY_PIXELS,
  PROOF_BOXES,
  VIEWABLE_MS,
  VIEWABLE_SHARE,
  VIEWABLE_SHARE_LARGE,
  VIEWABLE_VIDEO_MS,
} from '#domain/delivery/wire.ts';
import {
  AGREEING_GROUPS,
  CLEARED_DAYS,
  COMPARED_HOURS,
  FAIR_CLICKS,
  fairViewsWithin,
  MAX_CLICKS_OF_FAIR_VIEWS,
  MAX_SHARE_OF_A_NETWORK,
  MIN_COMPARED_VIEWS,
  NETWORKS_PER_FAIR_VIEW,
  WEEK_HOURS,
} from '#domain/invalid-traffic/signals.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/time.ts';
import { html } from '#server/platform/http/html.ts';
import type { CallDescription } from '#server/platform/http/openapi.ts';
import { type ServerPage, sendPage } from '#server/platform/http/page/page.ts';
import { fact, facts } from '#server/platform/http/page/parts.ts';

const MEASUREMENT: CallDescription = {
  summary: 'What is counted, what is filtered, and why',
  access: 'anyone',
  answers: { 200: 'A page' },
};

/** `GET /measurement`: explains to advertisers and publishers what docs/measurement.md specifies. [DEL-41] */
export function registerMeasurementPage(app: FastifyInstance): void {
  app.get('/measurement', { config: { call: MEASUREMENT } }, (_request, reply) => sendPage(reply, PAGE));
}

const percent = (share: number) => `${share * 100}%`;
const seconds = (ms: number) => (ms === SECOND_MS ? 'one second' : `${ms / SECOND_MS} seconds`);
const pixels = countText(LARGE_DISPLAY_PIXELS);
/** '60 views and 6 clicks' */
const both = ({ view, click }: { view: number; click: number }) =>
  `${countText(view)} views and ${countText(click)} clicks`;

const PAGE: ServerPage = {
  title: 'What is counted, and why',
  isPublic: true,
  found: {
    description:
      'Which views and clicks of ads are counted and billed, which are not and for which reason, and what an attacker can still do.',
  },
  main: html`<h1>What is counted, and why</h1>
<p>Advertisers pay for views and clicks, and publishers earn from them. This page explains what a view and a click are, what
is not counted, and how far you can trust the figures.</p>

<h2>What is counted</h2>
<ul>
<li><strong>A view</strong> (viewable impression) is counted when, after the ad was rendered, at least
${percent(VIEWABLE_SHARE)} of its ad zone was on screen in the active tab for ${seconds(VIEWABLE_MS)} without a break. For
ad zones of ${pixels} pixels or more (970 × 250), ${percent(VIEWABLE_SHARE_LARGE)} is enough. For a <strong>video</strong>,
${percent(VIEWABLE_SHARE)} must be on screen during ${seconds(VIEWABLE_VIDEO_MS)} of playback. These are the rules of the
Media Rating Council (MRC) for viewable impressions. The share is measured against the size at which the ad zone was sold,
even if the page displays it smaller.</li>
<li><strong>A click</strong> is counted when a visitor opens the ad’s link, and the page reports that the ad was rendered or
viewed, at most ${seconds(MAX_CLICK_WAIT_MS)} after the click. Video players may not report this, so at most
${MAX_UNREPORTED_CLICKS_PER_DAY} clicks of a video in a day count without such a report. A visitor who clicks has seen the
ad, so a click is also counted as a view unless that view was already counted.</li>
<li>Apart from the days of ads paid by the day, nothing else is billed. Neither an ad request nor a rendered ad is billed unless it leads to a view or a click.</li>
</ul>

<h2>Ads paid by the day</h2>
<p>A day of such an ad is 24 hours from the moment of its payment on. The advertiser pays for it if its counted views reach
half of the lower number of views a day that the advertiser was shown before the payment, and at least one. If several ads
share the ad zone, the number is for the ad’s part. Otherwise the day is a silent day: the publisher earns nothing, and the
campaign runs one day longer. After two silent days in a row, both sides get an email, and the advertiser can end the campaign
for a refund. If views of a day are withdrawn later, the day is judged again. A server with the traffic rules of development
counts each day with an ad request.</p>

<h2>What is not counted</h2>
<p>A view or click that is reported but not counted is recorded with one of these reasons. The visitor still sees the ad, and
the click still opens its link. Advertisers and publishers see the same figures, day by day, under “How this was
counted”.</p>
${facts(REASONS.map((reason) => fact(REASON_TEXTS[reason].name, REASON_TEXTS[reason].meaning)))}
<p>The limits are:</p>
<ul>
<li>A view is accepted no sooner than ${seconds(VIEWABLE_MS)} after the ad was selected (${seconds(VIEWABLE_VIDEO_MS)} for a
video) and no later than ${TOKEN_LIFETIME_MS.view / MINUTE_MS} minutes after.</li>
<li>A click is accepted no sooner than ${MIN_CLICK_MS / SECOND_MS} seconds after the ad was selected and no later than
${TOKEN_LIFETIME_MS.click / HOUR_MS} hours after.</li>
<li>For one visitor, at most one click on an ad is counted in ${CLICK_INTERVAL_MS / MINUTE_MS} minutes,
${MAX_OF_AN_AD_PER_DAY.click} clicks and ${MAX_OF_AN_AD_PER_DAY.view} views of an ad in a day, and ${MAX_CLICKS_PER_HOUR}
clicks on a website in an hour.</li>
<li>For one visitor, at most ${both(CAPS.visitor.perMinute)} on a website are counted in a minute. Visitors of a network
whose browser sends Global Privacy Control count as one visitor.</li>
<li>For one network (256 addresses of IPv4, or an IPv6 /48), at most ${both(CAPS.network.perMinute)} on a website are counted
in a minute and ${both(CAPS.network.perDay)} in a day; for the wider network around it (IPv4 /16, IPv6 /32),
${both(CAPS.wideNetwork.perMinute)} in a minute and ${both(CAPS.wideNetwork.perDay)} in a day.</li>
<li>For one kind of browser in one network, at most ${both(CAPS.browser.perDay)} of an ad are counted in a day. The kind is
the browser’s name and system, so that new names and versions change nothing.</li>
<li>For one ad, at most ${both(CAPS.ad.perMinute)} are counted in a minute and ${both(CAPS.ad.perDay)} in a day; for all
websites of a publisher, ${both(CAPS.publisher.perMinute)} in a minute and ${both(CAPS.publisher.perDay)} in a day.</li>
<li>Ad zones with more than ${countText(WEBSITE_VIEWS_PER_DAY)} counted views on a usual day have proportionally higher limits,
except for a visitor.</li>
<li>A request counts only if it has the headers that the browser it names would send: where the request comes from
(<code>Sec-Fetch-*</code>), the browser’s brand and version (<code>Sec-CH-UA</code>), and the language
(<code>Accept-Language</code>). Older browsers need only what they can send.</li>
<li>A view or rendered ad counts only with a proof that a browser rendered it: the positions of ${PROOF_BOXES} hidden boxes,
which the tag lays out and which differ for each ad request. The server computes the same positions and compares. They say
nothing about the visitor or the browser.</li>
<li>A video player runs no script, so it needs no proof. Therefore at most ${both(CAPS.player.perDay)} of a network’s video
players on a website are counted in a day.</li>
</ul>

<h2>What is withdrawn later</h2>
<p>After each hour, the last ${COMPARED_HOURS} hours of each ad zone with at least ${MIN_COMPARED_VIEWS} reported views are
compared with human traffic, with the other publishers and with the zone’s past. An ad zone with fewer views is compared over
a week. Two rules withdraw views and clicks that were counted at first:</p>
<ul>
<li><strong>The fair share of a network.</strong> A network counts for at most ${fairViewsWithin(COMPARED_HOURS)} views of an
ad zone in ${COMPARED_HOURS} hours (${fairViewsWithin(WEEK_HOURS)} in a week), and for no more than one view for each
${NETWORKS_PER_FAIR_VIEW} networks that visited the ad zone. For ad zones with visitors from many networks,
it counts for up to 1/${Math.round(1 / MAX_SHARE_OF_A_NETWORK)} of the views, of which each network adds at most
${fairViewsWithin(COMPARED_HOURS)}. The views beyond are withdrawn, and all clicks of that network. Clicks of a network beyond
${FAIR_CLICKS}, or beyond 1/${Math.round(1 / MAX_CLICKS_OF_FAIR_VIEWS)} of the views that it counts for, are withdrawn, too. Until an
ad zone has ${MIN_COMPARED_VIEWS} views in a week, a network counts for ${fairViewsWithin(COMPARED_HOURS)}.</li>
<li><strong>Traffic that looks alike.</strong> If ${AGREEING_GROUPS} independent groups of signals say that the traffic is not
human (networks, browsers, times, viewability, click-through rate, landings, loads of the tag), the views and clicks that look
alike are withdrawn. The others of these hours still count. One group alone withdraws nothing.</li>
</ul>
<p>Advertisers don’t pay for withdrawn traffic, and campaigns with a goal run until they reach it. Both sides get an email, and
see the hours, the signals and their bounds under “How this was counted”. A university or a company behind one address looks
like a script on one network. So the operator can overrule a withdrawal, and signals of its kinds then withdraw nothing from the
website for ${CLEARED_DAYS} days.</p>

<h2>The ceiling of a publisher</h2>
<p>A publisher’s views and clicks are billed up to a ceiling each day, over all ad zones. A new publisher begins with a
thirtieth of the monthly visitors that they declare, at least 100 and at most 1,000 views, and with 2 clicks for each 100
views, at least 5. If the measured ad requests are lower, the ceiling follows them. It grows with paid history that was not
withdrawn: in seven days, twice the views and clicks of the best seven days that ended at least a week ago. Nothing else
raises it, and a withdrawal does not lower it. Ads beyond the ceiling are shown and not billed.</p>

<h2>Why you can trust the figures</h2>
<ul>
<li>Each time the server selects an ad, it signs a token for that ad, that ad zone and that moment. A view or a click needs
such a token, which works once and for nothing else. Times are taken from the server’s clock only.</li>
<li>The server confirms a report only after storing it permanently, and counts it together with the campaign’s goal. Nothing
is counted twice, and nothing is billed beyond what was bought, no matter how many servers count at the same time.</li>
<li>Public lists identify bots that declare themselves and the data centers of large cloud providers (general invalid
traffic, GIVT). Visitors who use a VPN or a privacy relay are counted like any other visitor.</li>
<li>This software is open source. The rules on this page are the rules in the code, and anyone can read them.</li>
</ul>

<h2>What is remembered about visitors</h2>
<p>The server sets no cookie and stores nothing in the browser. To tell visitors apart, it keeps a number in memory, which it
derives from the network (not the full address), the browser’s name and the website, using a key that is discarded every day.
The number is never stored. Visitors of a network whose browser sends Global Privacy Control are not told apart. For the
published shares, it also keeps a number in memory that it derives from the network and the ad zone, using a key that is
discarded every week. To say how many views an ad gets in one country, by phones or at one hour, it stores sums by ad zone
and week: how many networks came with each country, language, device, hour, page and topic. Each of these is a sum by itself,
so none says what one visitor was like.</p>

<h2>What an attacker can still do</h2>
<ul>
<li>A script that copies all headers of a browser, waits as long as a person, and lays the boxes out as our source does, looks
like that browser. The limits above bound what it can cause.</li>
<li>A real browser that a program controls on a home connection looks like a person. So do people who are paid to click
(sophisticated invalid traffic, SIVT). Their traffic is withdrawn if they come from few networks or look alike. If they are
spread over hundreds of networks, they are billed up to the publisher’s ceiling.</li>
<li>The published viewability and invalid traffic of a website count each network once a week, and are not shown while one
network could move them. A script on many networks can move them.</li>
<li>A network counts for its fair share even if a script causes it. A script on many networks is billed for up to
${fairViewsWithin(COMPARED_HOURS)} views a day of each of them and of each ad zone.</li>
<li>A rival with thousands of networks can cause a withdrawal of another publisher’s traffic, until the operator overrules
it. An audience behind few networks loses most of its views until the operator clears it. The operator gets an email about
it.</li>
<li>When an ad zone is clicked far more or far less often in an hour than in the four weeks before, its publisher sees this
hour in the figures and the operator in the log. This alone withdraws nothing.</li>
<li>Smaller hosting companies are not on the list of data centers until the operator adds them.</li>
<li>A page can cover an ad in ways that browsers do not report. An ad that is transparent, hidden or too small is
detected.</li>
<li>Where several servers work together, each of them applies the limits of a visitor and of a minute separately. The other
limits of a day hold within a factor of two.</li>
</ul>`,
};
