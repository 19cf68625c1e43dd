/**
 * Starter texts of the operator's pages. They say what this software does, and mark what only the operator or their lawyer
 * knows. A text with such a mark can't be published (docs/decisions/088-settings-in-the-database.md).
 */
import type { PageKey } from '#domain/pages.ts';
import { earnedPercent } from '#domain/payments/split.ts';
import type { Config } from '../settings/config.ts';

type Facts = { name: string; support: string; seller: string; fee: string; earned: string };

const STARTERS: Record<PageKey, (facts: Facts) => string> = {
  'how-it-works': ({ name, earned }) => `# How It Works

## For advertisers

1. **Choose a place.** [Browse the websites](/sites) by subject, size and price. Figures that ${name} measured stand apart from those that a publisher stated.
2. **Create an ad** for an ad zone. The publisher reviews it.
3. **Pay after the approval**, by card. What is not delivered is refunded.
4. **Watch it.** Each view and click that costs money is counted once. [How views are counted](/measurement) says what counts.

## For publishers

1. **Add your website** and its ad zones, with a price by the day, the view or the click.
2. **Paste the snippet** into your page.
3. **Approve or reject** each ad.
4. **Earn ${earned}%** of every sale.
`,
  pricing: ({ name, fee, earned }) => `# Pricing

Publishers set the prices. The website’s page shows what an ad zone costs.

| | |
|---|---|
| Advertisers | pay the price of the ad zone, and nothing on top of it but tax where it applies |
| Publishers | earn ${earned}% of the sale |
| ${name} | keeps ${fee}% of the sale |

There is no charge for an account, for a website or for an ad that waits for its review.

## Refunds

The part of a campaign that was not delivered is refunded to the card. The page of the campaign says the exact amount before you cancel.
`,
  'success-stories': ({ name }) => `# Success Stories

[TO FILL IN: two or three stories of publishers and advertisers who agreed to be named. Say what they wanted, what they did on ${name}, and figures that they can show.]
`,
  api: ({ name }) => `# API Documentation

Everything that the pages of ${name} do can be done by programs, too. The calls are described at [/api/openapi.json](/api/openapi.json) (OpenAPI).

- **Public data** needs no account: [/api/marketplace](/api/marketplace), the [catalogue](/sites), [sellers.json](/sellers.json) and the [ad archive](/ad-archive).
- **Your own data** needs your session. You can also download all of it in Settings.
- **Advertisers** report landings and conversions from their server. The page of a campaign shows the call.

A call that is refused answers with a \`message\` that says why.
`,
  help: ({ name, support }) => `# Help Center

## My ad does not show

Open the campaign and choose “Not showing?”. It checks the ad, the ad zone and the page, and names the reason.

## Views are fewer than my analytics say

A view counts if the ad was visible for a second and no rule found it invalid. [How views are counted](/measurement) lists the rules.

## How do I get a refund?

Cancel the campaign on its page. You see the amount first. What was not delivered goes back to your card.

## When am I paid out?

The page Earnings says what is available, what is on its way, and from when.

## Something else

Write to ${support}. Name the website or the campaign, so that ${name} can find it.
`,
  contact: ({ name, support, seller }) => `# Contact Us

Mail: ${support}

${seller}

[TO FILL IN: the hours in which ${name} answers, and a telephone number if there is one.]
`,
  status: ({ name, support }) => `# System Status

If you can read this page, the server of ${name} answers.

[TO FILL IN: the address of a status page on another server, and planned maintenance.]

If something does not work, write to ${support} and name the page and the time.
`,
  'report-issue': ({ support }) => `# Report Issue

## An ad

Open “Why this ad?” beside the ad and choose **Report this ad**. You need no account. You get an answer if you leave an address.

## A website

Write to ${support} with the address of the website and what is wrong with it.

## A security problem

[TO FILL IN: an address for security reports, and what you promise to those who send one.]
`,
  privacy: ({ name, support, seller }) => `# Privacy Policy

${seller}

Questions about your data: ${support}

## Visitors of websites that show our ads

- We set no cookie, store nothing in your browser, and build no profile.
- To show an ad, our server receives what every web server receives: the network address and the name of the browser. They are not stored. To count a visitor only once, and to keep out robots, the server keeps a number in memory that it computes from parts of them with a key that changes every day.
- Each view and click is kept as a row without the address, to answer questions about the bill: [TO FILL IN: 35 days, or what EVENTS_KEPT_DAYS says]. After that, only the sums by the hour stay.
- By ad zone and week, we store how many networks came with each country, language, device, hour, page and topic. Each is a sum by itself, so none says what one visitor was like.
- With the signal [Global Privacy Control](/global-privacy-control), we do not compute that number.

## People with an account

- **Account:** mail address, password as a hash, name and picture if you state them, settings, signed-in devices.
- **Business:** websites, ads, payments, documents and payouts. Documents and entries in the books stay after you delete your account, as far as the law asks for it: [TO FILL IN: the law and the years].
- **Security:** sign-ins and changes of your security with the name of the device and a keyed hash of the network, for a year.
- **Mail:** we send what your account needs. Other mail can be turned off in Settings.
- Cards and bank accounts are handled by the payment provider [TO FILL IN: name, seat and privacy policy of the provider]. We see the brand, the last four digits and the expiry of a card.

## Who else receives data

[TO FILL IN: the hosting company, the mail company, and the contracts with them.]

The other side of a campaign sees your name and business name. The [ad archive](/ad-archive) shows each ad with its advertiser for a year, because the Digital Services Act asks for it.

## Your rights

You can read, correct, download and delete your data in Settings. [TO FILL IN: the legal bases, and the authority to which people can complain.]

[TO FILL IN: a lawyer must confirm this page before ${name} publishes it.]
`,
  terms: ({ name, fee, support, seller }) => `# Terms of Service

${seller}

## What ${name} is

${name} is a marketplace. Publishers offer ad space on their websites, advertisers book it, and ${name} shows and counts the ads.

## Accounts

One person or business has one account. You are responsible for what happens with it, and state true facts about yourself and your websites.

## Publishers

- You offer only space on websites that are yours, and show the ads as they are.
- You decide about each ad. You may refuse it, with a reason.
- ${name} keeps ${fee}% of each sale unless you agreed something else. The fee of an ad is fixed when it is submitted.
- Traffic that is invalid by the [rules](/measurement) is not paid.

## Advertisers

The [advertiser terms](/pages/advertiser-terms) apply in addition.

## Suspension

${name} can suspend an account, a website or an ad for a stated reason. You can answer to that decision, and a person reads the answer.

## Liability, law and changes

[TO FILL IN: liability, applicable law and court, how changes are announced and from when they apply, and what consumers must be told. A lawyer must write this part.]

Questions: ${support}
`,
  cookies: ({ name }) => `# Cookie Policy

## Websites that show our ads

We set no cookie there and store nothing in the browser.

## ${name} itself

| what | for | how long |
|---|---|---|
| session cookie | knows that you are signed in | until you sign out, or for days without a visit |
| device cookie | knows a device on which you have signed in, so that we can mail you about a new one | until you forget the device |
| storage of the browser | keeps what you typed into a form, and choices such as an opened panel | until you send the form or close the tab |

All of them are needed for what you asked for. There is no cookie for advertising or for statistics.

[TO FILL IN: what the payment provider sets on the checkout page.]
`,
  'advertiser-terms': ({ name, support }) => `# Advertiser Terms

## What you book

A price by the day buys the days, one by the view buys counted views, and one by the click buys counted clicks. [How views and clicks are counted](/measurement) is part of the contract.

## What you promise

- You may use the texts, pictures and videos of your ad, and the advertised offer is legal where it is shown.
- The target leads where the publisher saw it when they approved the ad. If it changes, the ad can be paused.

## Payment and refund

- You pay by card when the publisher has approved the ad, or agree to be charged at the approval.
- You can cancel at any time. What was not delivered is refunded. The page says the amount, and a card fee if one is kept, before you cancel.
- What was counted and turns out to be invalid is delivered again or refunded.

## Liability

[TO FILL IN: liability, and what ${name} owes if a website disappears. A lawyer must write this part.]

Questions: ${support}
`,
  imprint: ({ support }) => `# Imprint

Name, address and tax number stand below this text, from the settings of the marketplace.

Mail: ${support}

[TO FILL IN: what the law of your country asks for, such as the register, the responsible person and the supervisory authority.]
`,
};

/** The starter text of a page, in Markdown. */
export function starterText(config: Config, key: PageKey): string {
  const { brand, supportAddress, seller, commissionPercent } = config;
  return STARTERS[key]({
    name: brand.name,
    support: supportAddress ?? '[TO FILL IN: an address for questions]',
    seller:
      seller.address === null
        ? '[TO FILL IN: who runs this marketplace, with the address]'
        : `${brand.name} is run by ${[seller.name, ...seller.address.split('\n')].join(', ')}.`,
    fee: String(commissionPercent),
    earned: String(earnedPercent(commissionPercent)),
  }).trim();
}
