/** Acts about people, websites, ad zones and ads, and about the queues of reports, answers, ownership claims and withdrawals. */
import { counted } from '#domain/format.ts';
import { CLEARED_DAYS } from '#domain/invalid-traffic/signals.ts';
import { moneyText } from '#domain/money.ts';
import { type Act, type Subject, SUBJECT_WORDS, SUBJECTS } from '#domain/operator/acts.ts';
import { decideForm, reasonForm } from '#domain/operator/forms.ts';
import type { ClaimedWebsite } from '#server/market/inventory/ownership/decide-ownership.ts';
import { AD, FOLDERS, NUMBER, SUBJECT, USER, WEBSITE } from './act-targets.ts';
import { decideAppeal } from '../decisions/appeals.ts';
import { defineAct } from './define-act.ts';
import {
  askAboutWebsite,
  decideClaim,
  hideWebsite,
  overrule,
  showWebsite,
  verifySite,
} from '../decisions/queues.ts';
import { dismissReports, takeDownAd } from '../decisions/reports.ts';
import { findActById } from '../store.ts';
import type { Context } from '#server/platform/context.ts';
import type { SubjectRow } from '../store-find.ts';
import { type Cost, costOfSuspension, restore, suspend, type Target } from '../decisions/suspend.ts';

const SUSPEND_NOTES: Record<Subject, string> = {
  person:
    'They can’t sign in, and nothing of theirs is sold or served. The campaigns in their ad zones end for good, and the advertisers get a refund for the undelivered part. Restoring the person doesn’t bring the campaigns back. They get the reason by e-mail and can answer once.',
  website:
    'Its ad zones are neither sold nor served. The publisher gets the reason by e-mail and can answer once.',
  zone: 'It is neither sold nor served. The publisher gets the reason by e-mail and can answer once.',
  ad: 'It isn’t shown until you restore it. The advertiser gets the reason by e-mail and can answer once.',
};

/** The cost of a suspension, as one sentence. */
function costText(subject: Subject, { campaigns, advertisers, refunds }: Cost, { config }: Context): string {
  if (campaigns === 0) return 'No running campaign is affected.';
  return subject === 'person'
    ? `${counted(campaigns, 'campaign')}, ${moneyText(refunds, config.currency)} back to ${counted(advertisers, 'advertiser')}.`
    : `${counted(campaigns, 'campaign')} of ${counted(advertisers, 'advertiser')} paused, nothing refunded.`;
}

const suspended = ({ name, ...cost }: SubjectRow & Cost, { subject, id }: Target, ctx: Context) =>
  `Suspended ${subject} ${id}, ${name}. ${costText(subject, cost, ctx)}`;

/** As the affected person reads them. */
const SUSPEND_REASONS: Record<Subject, string[]> = {
  person: [
    'Several of your websites copy the pages of others.',
    'The payments of this account were reported as fraud.',
    'The traffic of your websites is not from people.',
    'Somebody else uses this account. Please contact us.',
  ],
  website: [
    'The website copies the pages of another one.',
    'The traffic of the website is not from people.',
    'Its content is illegal or not allowed by our terms.',
    'We can’t find out who owns the website.',
  ],
  zone: [
    'The ad zone is hidden or covered, so that nobody can see its ads.',
    'The ad zone reloads its ads too often.',
    'The ad zone is not where its description says.',
  ],
  ad: [
    'The ad leads to another page than the one that was approved.',
    'The ad is misleading.',
    'The ad uses a name or a picture without permission.',
    'We check a report about this ad.',
  ],
};

export const SUSPEND = defineAct({
  summary: 'Suspend it. Nothing of it is sold or served',
  right: 'moderation',
  of: SUBJECT,
  fields: reasonForm,
  run: suspend,
  forms: SUBJECTS.map((subject) => ({
    path: `/operator/${FOLDERS[subject]}/:id/suspend`,
    button: `Suspend the ${SUBJECT_WORDS[subject]}`,
    consequence: async (ctx: Context, { id }: { id: number }) =>
      `${costText(subject, await costOfSuspension(ctx, ctx.db, subject, id), ctx)} ${SUSPEND_NOTES[subject]}`,
    reasons: SUSPEND_REASONS[subject],
    dangerous: true,
  })),
  command: { words: 'suspend', says: suspended },
});

export const SUSPEND_USER = defineAct({
  summary: 'The same as `suspend person`',
  right: 'moderation',
  of: USER,
  fields: reasonForm,
  run: suspend,
  forms: [],
  command: { words: 'user suspend', says: suspended },
});

export const RESTORE = defineAct({
  summary: 'End a suspension',
  right: 'moderation',
  of: SUBJECT,
  fields: reasonForm,
  run: restore,
  forms: SUBJECTS.map((subject) => ({
    path: `/operator/${FOLDERS[subject]}/:id/restore`,
    button: `Restore the ${SUBJECT_WORDS[subject]}`,
    note: 'Per-day campaigns are extended by the time of the suspension.',
    reasons: [
      'We looked at it again, and it is fine.',
      'The cause is gone.',
      'It was our mistake. We’re sorry.',
    ],
  })),
  command: { words: 'restore', says: ({ name }, { subject, id }) => `Restored ${subject} ${id}, ${name}.` },
});

export const TAKE_DOWN = defineAct({
  summary: 'Take an ad down for good',
  right: 'moderation',
  of: AD,
  fields: reasonForm,
  run: takeDownAd,
  forms: [
    {
      path: '/operator/ads/:id/take-down',
      button: 'Take down the ad',
      note: 'The ad disappears from every page within two seconds. You can’t undo this. The advertiser gets a refund for the undelivered part. The reason is also shown in the ad archive and to the publisher.',
      dangerous: true,
      reasons: [
        'It advertises something illegal',
        'It misleads people about the offer',
        'It leads to a harmful page',
        'It uses the name or work of somebody else without permission',
      ],
      says: () => 'The ad is taken down. The advertiser gets the reason and the refund by e-mail.',
    },
  ],
  command: { words: 'ad take-down', says: (_, { id }) => `Took down ad ${id}.` },
});

export const DISMISS_REPORTS = defineAct({
  summary: 'Close the open reports of an ad',
  right: 'moderation',
  of: AD,
  fields: reasonForm,
  run: dismissReports,
  forms: [
    {
      path: '/operator/ads/:id/dismiss-reports',
      button: 'Dismiss the reports',
      note: 'The ad stays as it is. New reports open the case again.',
      reasons: [
        'The ad keeps our rules',
        'The reports say nothing that we can check',
        'The advertiser has corrected it',
      ],
      says: () => 'The reports are closed. The ad stays as it is.',
    },
  ],
  command: { words: 'reports dismiss', says: (_, { id }) => `Dismissed the reports of ad ${id}.` },
});

/** What the reversal of a decision does. */
const REVERSALS: Partial<Record<Act, string>> = {
  suspend: 'A reversed suspension ends now.',
  'take-down': 'An ad that was taken down can’t run again.',
  'refuse-claim': 'A reversed refusal gives the website to this account, which needs a valid proof.',
  'hide-website': 'A website whose refusal is reversed is offered now.',
};
const reversalText = (act: Act | undefined): string =>
  `${(act && REVERSALS[act]) ?? ''} The reason below is your answer, which we e-mail.`.trim();

export const DECIDE_APPEAL = defineAct({
  summary: 'Decide about an answer, once. The reason is mailed',
  right: 'moderation',
  of: NUMBER,
  fields: decideForm,
  run: decideAppeal,
  forms: [
    {
      path: '/operator/appeals/:id',
      title: 'Decide about the answer',
      button: 'Decide',
      consequence: async ({ db }, { id }) => reversalText((await findActById(db, id))?.act),
      reasons: ['We read it again, and the reasons still hold', 'Your answer explains it. Thank you.'],
      says: (_, { outcome }) =>
        outcome === 'upheld'
          ? 'The decision stands. The affected person gets your answer by e-mail.'
          : 'The decision is reversed. The affected person gets your answer by e-mail.',
      next: () => '/operator/appeals',
    },
  ],
  command: {
    words: 'appeals decide',
    takes: 'upheld|reversed',
    fields: ([, outcome]) => ({ outcome }),
    says: (_, { id, outcome }) => `The decision ${id} is ${outcome}.`,
    json: (_, { id: actId, ...form }) => ({ actId, ...form }),
  },
});

const verified = ({ id, email, url }: ClaimedWebsite) => `Website ${id} of ${email} is verified, ${url}.`;

export const DECIDE_CLAIM = defineAct({
  summary: 'Decide an ownership claim for the account of this website',
  right: 'moderation',
  of: WEBSITE,
  fields: reasonForm,
  run: decideClaim,
  forms: [
    {
      path: '/operator/websites/:id/decide-ownership',
      title: 'Decide the ownership claim',
      button: 'Decide for this account',
      note: 'The website of this account is verified, and the claims of all other accounts are refused. Both sides get the reason by e-mail, and a refused account can answer once.',
      dangerous: true,
      harmful: false,
      reasons: [
        'Both sides agree',
        'The imprint of the website names this account',
        'The other account has not answered our questions',
      ],
    },
  ],
  command: { words: 'claims decide', says: verified },
});

export const VERIFY_SITE = defineAct({
  summary: 'Verify a website that cannot prove its owner',
  right: 'moderation',
  of: WEBSITE,
  fields: reasonForm,
  run: verifySite,
  forms: [],
  command: { words: 'site verify', says: verified },
});

export const OVERRULE = defineAct({
  summary: 'Count withdrawn views and clicks again. Both sides can read the reason',
  right: 'moderation',
  of: NUMBER,
  fields: reasonForm,
  run: overrule,
  forms: [
    {
      path: '/operator/withdrawals/:id/overrule',
      title: 'Overrule the withdrawal',
      button: 'Overrule',
      note: `These views and clicks count again, and so do the website’s other open withdrawals with signals of the same kinds. For ${CLEARED_DAYS} days such signals withdraw nothing more from it. The publisher and the advertisers can read your reason.`,
      dangerous: true,
      harmful: false,
      reasons: [
        'These visitors are real: they share the network of a university or a company',
        'The publisher explained the visits, and we checked it',
      ],
    },
  ],
  command: {
    words: 'withdrawals overrule',
    says: ({ zoneId, zoneName }, { id }) => `Overruled withdrawal ${id} of ad zone ${zoneId}, ${zoneName}.`,
  },
});

const SHOWN = 'It is offered, and its ad zones show ads. The publisher gets your words by e-mail.';
const SHOWN_REASONS = ['Welcome to the marketplace', 'Thank you for your answer'];

export const SHOW_WEBSITE = defineAct({
  summary: 'Offer a website that waits for you, or that you refused',
  right: 'moderation',
  of: WEBSITE,
  fields: reasonForm,
  run: showWebsite,
  forms: [
    {
      path: '/operator/new-websites/:id/show',
      title: 'Show the website',
      button: 'Show',
      note: SHOWN,
      reasons: SHOWN_REASONS,
    },
    {
      path: '/operator/websites/:id/show',
      button: 'Show the website',
      note: SHOWN,
      reasons: SHOWN_REASONS,
    },
  ],
  command: { words: 'website show', says: ({ id, name }) => `Website ${id}, ${name}, is offered.` },
});

export const HIDE_WEBSITE = defineAct({
  summary: 'Refuse a website that waits for you. The publisher can answer once',
  right: 'moderation',
  of: WEBSITE,
  fields: reasonForm,
  run: hideWebsite,
  forms: [
    {
      path: '/operator/new-websites/:id/hide',
      title: 'Keep the website out',
      button: 'Hide',
      note: 'It is neither offered nor served. The publisher gets the reason by e-mail and can answer once.',
      harmful: true,
      reasons: [
        'The website has no content yet',
        'Its content does not fit the marketplace',
        'Its content breaks our rules',
      ],
    },
  ],
  command: { words: 'website hide', says: ({ id, name }) => `Website ${id}, ${name}, stays hidden.` },
});

export const ASK_WEBSITE = defineAct({
  summary: 'Mail a question to the publisher of a website that waits for you',
  right: 'moderation',
  of: WEBSITE,
  fields: reasonForm,
  run: askAboutWebsite,
  forms: [
    {
      path: '/operator/new-websites/:id/ask',
      title: 'Ask the publisher',
      button: 'Ask',
      note: 'The publisher gets your question by e-mail and answers by e-mail. The website goes on waiting.',
      reasons: [
        'Who runs this website? We found no imprint.',
        'Where do your visitors come from?',
        'Is this website finished?',
      ],
    },
  ],
  command: { words: 'website ask', says: ({ id, name }) => `Asked the publisher of website ${id}, ${name}.` },
});

export const MODERATION_ACTS = [
  SHOW_WEBSITE,
  HIDE_WEBSITE,
  ASK_WEBSITE,
  SUSPEND,
  SUSPEND_USER,
  RESTORE,
  TAKE_DOWN,
  DISMISS_REPORTS,
  DECIDE_APPEAL,
  DECIDE_CLAIM,
  VERIFY_SITE,
  OVERRULE,
];
