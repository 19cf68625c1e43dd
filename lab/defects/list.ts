/** Forty small faults, one in each room, of the kinds that a reviewer overlooks and a user notices. */

export type Defect = {
  /** Begins with the tree and the room. */
  name: string;
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replace: string;
  /** The damage to a user, or to the marketplace. */
  harm: string;
  /** The tests of the room, as vitest filters them by path. The closest ones come first. */
  tests: readonly string[];
};

const SERVER: readonly Defect[] = [
  {
    name: 'server-accounts-unconfirmed',
    file: 'server/people/accounts/sessions.ts',
    find: `  await requireRecentSignIn(ctx, request);
  if ((await deleteSessionOf`,
    replace: '  if ((await deleteSessionOf',
    harm: 'A stranger at an open browser signs the owner out of other devices without the password.',
    tests: ['server/people/accounts/sessions.test.ts', 'server/people/accounts/keys/recent-sign-in.test.ts'],
  },
  {
    name: 'server-access-older-key',
    file: 'server/people/access/end-access.ts',
    find: 'await endConversionKey(tx, user.id, since);',
    replace: 'await endConversionKey(tx, user.id, null);',
    harm: 'An owner who takes an account back also loses the conversion key from before the theft.',
    tests: ['server/people/access'],
  },
  {
    name: 'server-ads-block-by-anybody',
    file: 'server/ads/submit/review.ts',
    find: `const ad = await findAd(tx, body.ad);
    if (!ad || ad.publisherId !== who.id)`,
    replace: `const ad = await findAd(tx, body.ad);
    if (!ad)`,
    harm: 'Anybody learns whether an ad of other people exists, and blocks its advertiser.',
    tests: ['server/ads/submit/review'],
  },
  {
    name: 'server-analytics-withdrawn-twice',
    file: 'server/results/analytics/store-range.ts',
    find: 'select h.hour, h.kind, -h.n',
    replace: 'select h.hour, h.kind, h.n',
    harm: 'Withdrawn traffic is added to the figures of a report instead of taken away.',
    tests: [
      'server/results/analytics/by-delivery.test.ts',
      'server/results/analytics/sums.test.ts',
      'server/delivery/invalid-traffic/withdraw.test.ts',
    ],
  },
  {
    name: 'server-catalogue-unverified',
    file: 'server/market/catalogue/store.ts',
    find: `      where w.verified_at is not null and is_website_listed(w, publisher)
        and w.id >= \${number * IDS}`,
    replace: `      where is_website_listed(w, publisher)
        and w.id >= \${number * IDS}`,
    harm: 'Search engines are sent to websites whose ownership nobody has proven.',
    tests: ['server/market/catalogue/catalogue.test.ts'],
  },
  {
    name: 'server-delivery-privacy-signal',
    file: 'server/delivery/decision/frequency-cap.ts',
    find: "if (request.headers['sec-gpc'] === '1') return null;",
    replace: "if (request.headers['sec-gpc'] === '0') return null;",
    harm: 'Visitors who send Global Privacy Control are recognized all the same.',
    tests: ['server/delivery/decision/frequency-cap.test.ts'],
  },
  {
    name: 'server-http-empty-page',
    file: 'server/platform/http/cursor.ts',
    find: 'next: rows.length > limit && last',
    replace: 'next: rows.length >= limit && last',
    harm: 'A list that just fills its page offers more, and the next page is empty.',
    tests: ['server/platform/http/cursor.test.ts'],
  },
  {
    name: 'server-inventory-underscore',
    file: 'server/market/inventory/store-marketplace.ts',
    find: String.raw`text.replaceAll(/[\\%_]/g,`,
    replace: String.raw`text.replaceAll(/[\\%]/g,`,
    harm: 'A search with an underscore also finds websites that have any other character there.',
    tests: ['server/market/inventory/browse.test.ts'],
  },
  {
    name: 'server-jobs-every-minute',
    file: 'server/app/jobs/once-an-hour.ts',
    find: ".where('hour', '>=', hour)",
    replace: ".where('hour', '>', hour)",
    harm: 'Hourly jobs run each minute, so a publisher is told the same thing again and again.',
    tests: ['server/operator/rehearsal/register.test.ts', 'server/app/jobs/worker.test.ts'],
  },
  {
    name: 'server-media-last-page',
    file: 'server/platform/media/library.ts',
    find: 'before: decodeCursor(cursor), limit: limit + 1 }',
    replace: 'before: decodeCursor(cursor), limit }',
    harm: 'The media library ends after its first page, and older images cannot be reached.',
    tests: ['server/platform/media/library.test.ts'],
  },
  {
    name: 'server-members-of-any-account',
    file: 'server/people/members/store.ts',
    find: `deleteMember(tx: Tx, accountId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('accountMembers')
    .where('accountId', '=', accountId)`,
    replace: `deleteMember(tx: Tx, _accountId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('accountMembers')`,
    harm: 'The owner of an account removes members of any other account by their numbers.',
    tests: ['server/people/members/members.test.ts'],
  },
  {
    name: 'server-notifications-merged-strangers',
    file: 'server/notify/store.ts',
    find: `    .where('recipient', '=', message.recipient)
    .where('heldUntil', 'is not', null)`,
    replace: "    .where('heldUntil', 'is not', null)",
    harm: 'A mail that sums up notices has those of other people in it.',
    tests: ['server/notify/mail-budget.test.ts'],
  },
  {
    name: 'server-operator-alone',
    file: 'server/operator/requests/requests.ts',
    find: '(await countOperatorsWith(tx, right)) >= 2',
    replace: '(await countOperatorsWith(tx, right)) > 2',
    harm: 'One of two operators refunds a large sum, or makes another operator, without the second one.',
    tests: ['server/operator/requests/requests.test.ts'],
  },
  {
    name: 'server-payments-documents-of-others',
    file: 'server/money/documents/store.ts',
    find: `  { userId, book, number }: { userId: number; book: PaymentBook; number: string },
): Promise<(Document & { id: number }) | null> {
  const { rows } = await sql<Row>\`select \${COLUMNS} from documents
    where number = \${number} and book = \${book} and user_id = \${userId}\``,
    replace: `  { book, number }: { userId: number; book: PaymentBook; number: string },
): Promise<(Document & { id: number }) | null> {
  const { rows } = await sql<Row>\`select \${COLUMNS} from documents
    where number = \${number} and book = \${book}\``,
    harm: 'Anybody who counts up the numbers of receipts reads the names, addresses and amounts of others.',
    tests: ['server/money/documents/documents.test.ts'],
  },
];

const WEB: readonly Defect[] = [
  {
    name: 'web-ads-approve-enabled',
    file: 'web/ads/review-dialog.tsx',
    find: '<Button why={whyNot} busy={isBusy} onClick={() => onApprove(false)}>',
    replace: '<Button why={whyNot} onClick={() => onApprove(false)}>',
    harm: 'A publisher who presses twice sends the approval twice, and reads an error after it worked.',
    tests: ['web/ads/review-dialog.test.tsx', 'web/pages/dashboard-seller.test.tsx'],
  },
  {
    name: 'web-ads-hidden-card-fee',
    file: 'web/ads/cancel-dialog.tsx',
    find: '...(Number(data.cancelFee) > 0',
    replace: '...(Number(data.cancelFee) < 0',
    harm: 'An advertiser who cancels reads no line about the card fee that is kept.',
    tests: ['web/ads/cancel-dialog.test.tsx', 'e2e/cancel-campaign.test.ts'],
  },
  {
    name: 'web-accounts-own-session-last',
    file: 'web/accounts/settings/open-sessions.tsx',
    find: 'Number(other.isCurrent) - Number(one.isCurrent)',
    replace: 'Number(one.isCurrent) - Number(other.isCurrent)',
    harm: 'The session in use stands last, behind the button that shows all.',
    tests: ['web/pages/settings-security.test.tsx', 'e2e/settings.test.ts'],
  },
  {
    name: 'web-accounts-taken-address',
    file: 'web/accounts/sign-in/sign-up-form.tsx',
    find: "disabled={availability.state === 'taken' || availability.state === 'checking'}",
    replace: "disabled={availability.state === 'checking'}",
    harm: 'A visitor can send the sign-up with an address that the form calls registered.',
    tests: ['web/pages/auth.test.tsx', 'e2e/sign-in.test.ts'],
  },
  {
    name: 'web-analytics-impossible-step',
    file: 'web/analytics/report-range.tsx',
    find: 'disabled: problem !== null,',
    replace: 'disabled: false,',
    harm: 'A report of seven days can be set to months, which gives a chart of one bar.',
    tests: ['web/analytics/report.test.tsx'],
  },
  {
    name: 'web-analytics-eight-days',
    file: 'web/analytics/results/use-period.ts',
    find: 'addDays(today, 1 - period)',
    replace: 'addDays(today, -period)',
    harm: 'The last seven days of the results are eight, and differ from the dashboard.',
    tests: ['web/pages/results.test.tsx'],
  },
  {
    name: 'web-inventory-endless-list',
    file: 'web/inventory/marketplace/marketplace.tsx',
    find: 'disabled={!websites.hasMore || websites.isOutdated}',
    replace: 'disabled={websites.isOutdated}',
    harm: 'Load More stays enabled after the last website, and does nothing.',
    tests: ['web/pages/marketplace.test.tsx', 'e2e/marketplace.test.ts'],
  },
  {
    name: 'web-inventory-silent-pricing',
    file: 'web/inventory/my-zones/pricing-form.tsx',
    find: "setHint('Enter a price for at least one option.');",
    replace: 'setHint(undefined);',
    harm: 'Save Pricing without a price does nothing, and says nothing.',
    tests: ['web/inventory/my-zones/zone-dialogs.test.tsx', 'e2e/ad-zones.test.ts'],
  },
  {
    name: 'web-payments-refund-states',
    file: 'web/payments/my-payments.tsx',
    find: `  owed: 'Refund pending since',
  sent: 'Refund on its way to your card since',`,
    replace: `  owed: 'Refund on its way to your card since',
  sent: 'Refund pending since',`,
    harm: 'An advertiser reads that a refund is on its way which nobody has sent.',
    tests: ['web/payments/my-payments.test.tsx', 'e2e/cancel-campaign.test.ts'],
  },
  {
    name: 'web-payments-card-again',
    file: 'web/payments/payment.tsx',
    find: 'if (!isUnpaid(failure)) return;',
    replace: 'if (isUnpaid(failure)) return;',
    harm: 'After a charge whose confirmation failed, the card form comes back and invites to pay again.',
    tests: ['web/pages/checkout.test.tsx'],
  },
  {
    name: 'web-plans-wrong-total',
    file: 'web/plans/plan-report.tsx',
    find: 'note={`of ${formatMoney(plan.total)}`}',
    replace: 'note={`of ${formatMoney(plan.delivered)}`}',
    harm: 'The report of a plan compares what is paid with what is delivered, and calls that the total.',
    tests: ['web/pages/plans.test.tsx', 'e2e/plans.test.ts'],
  },
  {
    name: 'web-notifications-swapped-switch',
    file: 'web/accounts/settings/notification-settings.tsx',
    find: 'label: SWITCH_LABELS.campaignUpdates,',
    replace: 'label: SWITCH_LABELS.paymentAlerts,',
    harm: 'Two switches of the notifications have one name, and turn off different mails.',
    tests: ['web/pages/settings.test.tsx', 'e2e/settings.test.ts'],
  },
  {
    name: 'web-ui-invalid-unsaid',
    file: 'web/ui/forms/field.tsx',
    find: "    ...(wiring.invalid && { 'aria-invalid': true as const }),\n",
    replace: '',
    harm: 'Screen readers do not say which field of a form is invalid.',
    tests: ['web/http/field-issues.test.tsx', 'web/pages/auth.test.tsx'],
  },
  {
    name: 'web-app-focus-ring',
    file: 'web/app/page-focus.ts',
    find: '...(!hasPressedKey && { focusVisible: false })',
    replace: '...(hasPressedKey && { focusVisible: false })',
    harm: 'A visitor sees a ring around the heading, and the focus of the keyboard is invisible.',
    tests: ['web/app/page-focus.test.tsx', 'e2e/built-app.test.ts'],
  },
];

const DOMAIN: readonly Defect[] = [
  {
    name: 'domain-accounts-repeated-password',
    file: 'domain/accounts/passwords.ts',
    find: 'letters.length >= 2 * length &&',
    replace: 'letters.length > 2 * length &&',
    harm: 'A password that is one group of four twice passes as hard to guess.',
    tests: ['domain/accounts'],
  },
  {
    name: 'domain-ads-pace-from-zero',
    file: 'domain/ads/pace.ts',
    find: 'const left = (goal - done) *',
    replace: 'const left = goal *',
    harm: 'A campaign that is nearly delivered is expected to take as long as a whole one.',
    tests: ['domain/ads'],
  },
  {
    name: 'domain-analytics-day-twice',
    file: 'domain/analytics/days.ts',
    find: 'to: addDays(from, -1) };',
    replace: 'to: from };',
    harm: 'The period before contains the first day of the present one, so every comparison is wrong.',
    tests: ['domain/analytics', 'server/results/analytics/series.test.ts', 'server/operator/overview'],
  },
  {
    name: 'domain-delivery-one-view-more',
    file: 'domain/delivery/judge.ts',
    find: 'activity.ofAdToday >= MAX_OF_AN_AD_PER_DAY[kind]',
    replace: 'activity.ofAdToday > MAX_OF_AN_AD_PER_DAY[kind]',
    harm: 'An advertiser pays for one event of each visitor and day above the limit.',
    tests: ['domain/delivery'],
  },
  {
    name: 'domain-inventory-volume-price',
    file: 'domain/inventory/quantity.ts',
    find: '({ fromQuantity }) => fromQuantity <= quantity',
    replace: '({ fromQuantity }) => fromQuantity < quantity',
    harm: 'An advertiser who buys exactly the quantity of a lower price pays the higher one.',
    tests: ['domain/inventory', 'server/ads/quantity.test.ts'],
  },
  {
    name: 'domain-payments-debt-order',
    file: 'domain/payments/payouts.ts',
    find: `  const availableCents = net(sum(unpaid.map(({ available }) => available)));
  const pendingCents = net(sum(unpaid.map(({ pending }) => pending)));`,
    replace: `  const pendingCents = net(sum(unpaid.map(({ pending }) => pending)));
  const availableCents = net(sum(unpaid.map(({ available }) => available)));`,
    harm: 'A publisher who owes money is paid out first, and the debt is taken from later earnings.',
    tests: ['domain/payments'],
  },
  {
    name: 'domain-targeting-region',
    file: 'domain/targeting/matches.ts',
    find: '(narrowed.has(country) && parts.has(facts.region))',
    replace: '(narrowed.has(country) || parts.has(facts.region))',
    harm: 'An ad for California is shown, and billed, in all of the United States.',
    tests: ['domain/targeting'],
  },
  {
    name: 'domain-notifications-other-switch',
    file: 'domain/notifications/notices.ts',
    find: "{ side: 'publisher', switch: 'paymentAlerts' },",
    replace: "{ side: 'publisher', switch: 'campaignUpdates' },",
    harm: 'A publisher who turns payment alerts off goes on to get a mail for each sale.',
    tests: ['domain/notifications'],
  },
];

const TAG: readonly Defect[] = [
  {
    name: 'tag-seen-in-pieces',
    file: 'tag/seen.ts',
    find: 'good = seen && !change ? good + 1 : 0;',
    replace: 'good = seen && !change ? good + 1 : good;',
    harm: 'An ad that is on screen for a second in pieces is billed as seen.',
    tests: ['e2e/tag-viewable.test.ts'],
  },
  {
    name: 'tag-render-nameless-image',
    file: 'tag/render.ts',
    find: '      alt: ad.title,\n',
    replace: '',
    harm: 'A visitor with a screen reader hears the address of an image instead of the title of the ad.',
    tests: ['e2e/tag-page.test.ts'],
  },
  {
    name: 'tag-landing-foreign-link',
    file: 'tag/landing.ts',
    find: '        link.host === location.host &&\n',
    replace: '',
    harm: 'Links to other websites take the token of the click along.',
    tests: ['e2e/landing-links.test.ts'],
  },
  {
    name: 'tag-placement-while-scrolled',
    file: 'tag/placement.ts',
    find: '    above + scrollY,',
    replace: '    above,',
    harm: 'An ad zone on a page that opens scrolled counts as standing higher than it does.',
    tests: ['e2e/tag-delivery.test.ts'],
  },
];

export const DEFECTS: readonly Defect[] = [...SERVER, ...WEB, ...DOMAIN, ...TAG];
