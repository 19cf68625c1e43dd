/** The pages of the queues of ownership claims and of withdrawn traffic. */
import { counted } from '#domain/format.ts';
import { isMonthFinished } from '#domain/invalid-traffic/months.ts';
import { CLEARED_DAYS } from '#domain/invalid-traffic/signals.ts';
import { textOf } from '#domain/invalid-traffic/signal-texts.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import type { Page } from '#server/platform/http/route.ts';
import type { Withdrawal } from '#server/delivery/invalid-traffic/overrule.ts';
import type { ClaimedWebsite, OwnershipClaim } from '#server/market/inventory/ownership/decide-ownership.ts';
import type { WaitingWebsite } from '#server/market/inventory/admission/admission.ts';
import {
  ASK_WEBSITE,
  DECIDE_CLAIM,
  HIDE_WEBSITE,
  OVERRULE,
  SHOW_WEBSITE,
} from '../acts/acts-of-moderation.ts';
import type { ConsolePage } from './console.ts';
import { formOf } from '../acts/define-act.ts';
import { fact, facts, rows, tabs, time } from '#server/platform/http/page/parts.ts';
import { confirmFirst, foldedForm, nextPage, smallForm, type Viewer } from './markup.ts';

export function claimsPage(page: Page<OwnershipClaim>, viewer: Viewer): ConsolePage {
  return {
    title: 'Ownership claims',
    main: html`<h1>Ownership claims</h1>
<p class="quiet">Two accounts have proven the same site. You decide for one of them: its website is verified, and the claims of all other accounts are refused. Both sides get the reason by e-mail.</p>
${confirmFirst(viewer, formOf(DECIDE_CLAIM), 'decide')}
${rows(
  page.items.map(({ openedAt, claimant, holder }) => {
    const decide = (website: ClaimedWebsite, button: string) =>
      smallForm({ viewer, form: formOf(DECIDE_CLAIM), ids: { id: website.id }, button });
    return html`<strong><bdi>${claimant.url}</bdi></strong><span class="quiet">Claimed since ${time(openedAt)}</span>
${facts(
  fact(
    'Verified account',
    holder ? side(holder) : 'None any more. The next check verifies the other account.',
  ),
  fact('Other account', side(claimant)),
)}
${holder && decide(holder, 'Decide for the verified account')}
${decide(claimant, 'Decide for the other account')}`;
  }),
  'No ownership claim is open.',
)}
${nextPage('/operator/claims', page.next)}`,
  };
}

/** */
export function newWebsitesPage(page: Page<WaitingWebsite>, viewer: Viewer): ConsolePage {
  return {
    title: 'New websites',
    main: html`<h1>New websites</h1>
<p class="quiet">These websites are neither offered nor served until you show them. The publisher gets your words by e-mail in any case. If you ask, the answer comes by e-mail, and the website goes on waiting.</p>
${rows(
  page.items.map(({ id, name, url, category, description, ownerId, ownerEmail, since, question }) => {
    const place = { viewer, ids: { id } };
    return html`<a href="/operator/websites/${id}"><bdi>${name}</bdi></a><span class="quiet">Waits since ${time(since)}</span>
${facts(
  fact('Address', html`<a href="${url}" rel="noreferrer nofollow" target="_blank"><bdi>${url}</bdi></a>`),
  fact('Publisher', html`<a href="/operator/people/${ownerId}">${ownerEmail}</a>`),
  fact('Category', category),
  description !== null && fact('Description', html`<bdi>${description}</bdi>`),
  question !== null && fact('You asked', html`<bdi>${question}</bdi>`),
)}
${foldedForm({ ...place, form: formOf(SHOW_WEBSITE, 'newWebsites') })}
${foldedForm({ ...place, form: formOf(ASK_WEBSITE) })}
${foldedForm({ ...place, form: formOf(HIDE_WEBSITE) })}`;
  }),
  'No website waits for you. With the setting REVIEW_WEBSITES, new ones do.',
)}
${nextPage('/operator/new-websites', page.next)}`,
  };
}

function side({ id, name, userId, email, verifiedAt }: ClaimedWebsite): Markup {
  return html`<a href="/operator/people/${userId}">${email}</a>, website <a href="/operator/websites/${id}"><bdi>${name}</bdi></a>${verifiedAt && html`, verified since ${time(verifiedAt)}`}`;
}

export function withdrawalsPage(
  page: Page<Withdrawal>,
  { all, now, viewer }: { all: boolean; now: Date; viewer: Viewer },
): ConsolePage {
  return {
    title: 'Withdrawn traffic',
    main: html`<h1>Withdrawn traffic</h1>
${tabs('Which withdrawals', [
  { href: '/operator/withdrawals', text: 'Open', isHere: !all },
  { href: '/operator/withdrawals?all=1', text: 'All', isHere: all },
])}
<p class="quiet">The hourly check for invalid traffic withdrew these views and clicks: they look alike, or are beyond the fair share of a network. The others of these hours still count. Overrule a withdrawal if the visitors were real, such as those of a university behind one address. The website’s other open withdrawals with signals of the same kinds then count again as well, and for ${CLEARED_DAYS} days such signals withdraw nothing more from it. The publisher and the advertisers can read your reason.</p>
${confirmFirst(viewer, formOf(OVERRULE), 'overrule')}
${rows(
  page.items.map((withdrawal) => {
    const { id, zoneId, zoneName, websiteId, websiteName, publisherId } = withdrawal;
    const { fromHour, untilHour, signals, overruledAt, overruledBy, overruledReason } = withdrawal;
    const isFinished = isMonthFinished(fromHour, now);
    return html`<strong>Withdrawal ${id}: ${amount(withdrawal)}</strong>
${facts(
  fact('Hours', html`${time(fromHour)} to ${time(untilHour)}`),
  fact(
    'Ad zone',
    html`<a href="/operator/zones/${zoneId}"><bdi>${zoneName}</bdi></a>, website <a href="/operator/websites/${websiteId}"><bdi>${websiteName}</bdi></a>, <a href="/operator/people/${publisherId}">publisher</a>`,
  ),
  fact('Signals', signals.map(textOf).join('; ')),
  overruledAt !== null &&
    fact(
      'Overruled',
      html`${time(overruledAt)} by ${overruledBy ?? ''}: <bdi>${overruledReason ?? ''}</bdi>`,
    ),
  overruledAt === null && isFinished && fact('Final', 'The month of these hours is finished.'),
)}
${!overruledAt && !isFinished && smallForm({ viewer, form: formOf(OVERRULE), ids: { id } })}`;
  }),
  all ? 'No traffic was withdrawn yet.' : 'There is no withdrawal that you can overrule.',
)}
${nextPage(all ? '/operator/withdrawals?all=1' : '/operator/withdrawals', page.next)}`,
  };
}

export function amount({ views, clicks }: Pick<Withdrawal, 'views' | 'clicks'>): string {
  return `${counted(views, 'view')}, ${counted(clicks, 'click')}`;
}
