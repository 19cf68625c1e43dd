/**
 * The settings that the environment or the database holds, never both (docs/decisions/088-settings-in-the-database.md). A new one
 * is one row here. The console, the command line, `openslot config` and the guide follow.
 */
import { z } from 'zod';
import { centsOf, CURRENCIES, decimalOf, DEFAULT_CURRENCY } from '#domain/money.ts';
import { COUNTRY_CODES } from '#domain/countries.ts';
import { emailText } from '#domain/email-address.ts';
import { DEFAULT_NAME, DEFAULT_TAGLINE } from '#domain/marketplace.ts';
import { MAXIMUM_CENTS, MINIMUM_CENTS } from '#domain/payments/limits.ts';
import { CANCEL_FEES, CANCEL_WAITS_DAYS } from '#domain/payments/cancels.ts';
import { PUBLISHER_REPORTS } from '#domain/payments/publisher-reports.ts';
import { PUBLISHER_TAXES } from '#domain/payments/input-tax.ts';
import { TAX_SPLITS } from '#domain/payments/tax.ts';
import { commissionIn, DEFAULT_COMMISSION_PERCENT } from '#domain/payments/split.ts';
import { presentTimezone } from '#domain/timezones.ts';
import { type Chart, chartIn } from '#domain/payments/charts.ts';
import { categoriesIn, DEFAULT_CATEGORIES } from '#domain/inventory/categories.ts';
import type { SettingInput } from '#domain/operator/console/settings-contract.ts';
import type { SettingGroup } from '#domain/operator/limits.ts';
import { type Picture, pictureIn } from '../brand/pictures.ts';
import { accentProblem, type AccentProblem, accentSays } from '#domain/theme.ts';
import { ConfigError, amount, documentText, line, oneOf, onOff, wholeNumber } from './kinds.ts';
import { fieldsOf, type Row, schemasOf, textsOf, type Values } from './row.ts';

/** A setting of the marketplace. */
type MarketplaceRow = Row & {
  /** Where the console shows it. */
  group: SettingGroup;
  /** For the console, and the beginning of the text of the guide. */
  title: string;
  help: string;
  /** The console's field. Without it: a line, or the choices of the kind. */
  input?: Exclude<SettingInput, 'line' | 'choice' | 'switch'>;
  /** Documents print it, so it needs a font that has its letters. */
  isPrinted?: true;
  /** The environment is stricter than the console. */
  inEnvironment?: z.ZodType;
  /** The rule for a new value, if it is stricter than the one for a value that an earlier release has stored. */
  whenSet?: z.ZodType;
};

/** Checks the rows, and keeps the type of each. */
const rowsOf = <const Of extends Record<string, MarketplaceRow>>(rows: Of): Of => rows;

/** The name of a file of the table brand_files, from which the width and the height follow. */
const storedPicture = z
  .string()
  .refine(
    (file) => pictureIn(file) !== null,
    'must be an SVG or a PNG file, set in the console or by openslot settings set',
  )
  .optional();

const ACCENT_SAYS = 'must be a color of six hexadecimal digits, such as #0f5e70';

/** A color without these problems. */
const accent = (problems: readonly AccentProblem['kind'][]) =>
  z
    .string()
    .regex(/^#[\da-f]{6}$/i, ACCENT_SAYS)
    .toLowerCase()
    .superRefine((color, context) => {
      const problem = /^#[\da-f]{6}$/.test(color) ? accentProblem(color) : null;
      if (problem !== null && problems.includes(problem.kind)) context.addIssue(accentSays(color, problem));
    })
    .optional();

// The card provider's minimum depends on the currency. This is the highest of them.
const LEAST_MINIMUM_PRICE = Math.max(...Object.values(MINIMUM_CENTS));
const MINIMUM_PRICE_SAYS = `must be an amount from ${decimalOf(LEAST_MINIMUM_PRICE)} to ${decimalOf(MAXIMUM_CENTS)}, such as 5.00`;

/** systemd makes this of `Weg 1\n10115 Berlin` that is not in quotes. Receipts never change, so that it would stand on them. */
const LOST_BREAK = /[\d.,;:)]n[A-Z\d]|[a-z]n\d{4}/;
const withoutLostBreak = (longest: number, example: string) =>
  documentText(longest)
    .optional()
    .refine(
      (text) => !LOST_BREAK.test(text ?? ''),
      `has an “n” where a line break was: in the file that systemd reads, write the whole in quotes, as in ${example}`,
    );

/** Printed on each self-billing document. An adviser may want other words. */
const SELF_BILLING_TEXT =
  'Self-billing (Gutschrift): the recipient issues this invoice in the name and for the account of the supplier, as both have agreed.';

/** The rows, in the order of the lists. */
export const MARKETPLACE = rowsOf({
  MARKETPLACE_NAME: {
    schema: line(60).default(DEFAULT_NAME),
    group: 'Brand',
    title: 'Name',
    help: 'The name of your marketplace in every page, mail and document, with at most 60 characters.',
    isPrinted: true,
  },
  TAGLINE: {
    schema: line(120).default(DEFAULT_TAGLINE),
    default: 'the sentence in the footer',
    group: 'Brand',
    title: 'Tagline',
    help: 'One sentence below the name in the footer of every page, with at most 120 characters.',
  },
  LOGO: {
    schema: storedPicture,
    group: 'Brand',
    title: 'Logo',
    help: 'An SVG or a PNG of up to 256 KB, at most six times as wide as high. It stands in place of the name above every page and mail, on light and on dark ground.',
    input: 'file',
    guide:
      'Upload it in the console, or `openslot settings set LOGO FILE`. It is the picture of link previews, which a marketplace with a name of its own and no logo does not have. Documents have the name only.',
  },
  ICON: {
    schema: storedPicture,
    default: 'that of Openslot',
    group: 'Brand',
    title: 'Icon',
    help: 'A square SVG, or a square PNG of at least 180 × 180 pixels, of up to 256 KB. Browsers and phones show it, and pages do without a logo.',
    input: 'file',
    guide: 'Set it like the logo.',
  },
  ACCENT: {
    schema: accent(['contrast']),
    inEnvironment: accent(['contrast', 'signal']),
    whenSet: accent(['contrast', 'signal']),
    default: '`#0f5e70`',
    group: 'Brand',
    title: 'Accent',
    help: 'The color of links, buttons and what is chosen, such as #0f5e70. Text in it must be readable on light pages. On dark pages it is lightened until it is. It must not look like the colors of errors, warnings and success.',
    input: 'color',
    guide: 'On light pages it needs a contrast of 4.5 : 1.',
  },
  MAIL_FROM: {
    field: 'mailFrom',
    schema: z
      .string()
      .max(254, 'must have at most 254 characters')
      // oxlint-disable-next-line no-control-regex -- a line break would begin another header of the mail
      .regex(/^[^\u0000-\u001f\u007f]*@[^\u0000-\u001f\u007f]*$/, 'must contain an email address')
      .optional(),
    default: 'the name, and `no-reply` at the host of `PUBLIC_URL`',
    group: 'Mail',
    title: 'Sender of mail',
    help: 'A name and an address, such as Ads <ads@example.com>. Your mail relay must accept the address.',
  },
  /** sellers.json names it, and mail for the operator goes to it. */
  OPERATOR_MAIL: {
    field: 'contactEmail',
    schema: emailText('must be an email address').optional(),
    default: 'address of `MAIL_FROM`',
    group: 'Mail',
    title: 'Your address',
    help: 'Everything that waits for you is mailed here, and /sellers.json names it. By default it is the address of the sender.',
    guide:
      'What waits for you: reported ads, phishing hosts, disputes, money and cancels that wait, failed payouts, answers to your decisions, ownership claims, and the [alarms](run.md#alarms).',
  },
  /** Null: replies go to the sender. */
  SUPPORT_ADDRESS: {
    field: 'supportAddress',
    schema: emailText('must be an email address').optional(),
    default: 'none: the sender’s address',
    group: 'Mail',
    title: 'Support address',
    help: 'Replies to mail of the marketplace go here. By default they go to the sender.',
    guide: '`GET /api/marketplace` names it.',
  },
  /** Every price, charge and posting is in this currency. The first sale fixes it. */
  CURRENCY: {
    field: 'currency',
    ...oneOf(CURRENCIES, DEFAULT_CURRENCY, `must be one of ${CURRENCIES.join(', ')}`),
    group: 'Money',
    title: 'Currency',
    help: 'The currency of every price and charge. Prices keep their numbers. The first payment or saved card fixes it.',
  },
  /** Those that a publisher can choose for a website. `retiredCategories` are also on websites. */
  CATEGORIES: {
    field: 'categories',
    schema: z
      .string()
      .default(DEFAULT_CATEGORIES.join(', '))
      .transform((text, context) => {
        const list = categoriesIn(text);
        if (!('problem' in list) && list.renames.length === 0) return list.names;
        context.addIssue(
          'problem' in list
            ? list.problem
            : 'must not rename a category here. Use openslot settings set or the console',
        );
        return z.NEVER;
      }),
    write: (names: string[]) => names.join(', '),
    default: 'the ten of a new marketplace, from Technology to Food',
    group: 'Rules',
    title: 'Categories',
    help: 'Up to 50, separated by commas. Write Old=New to rename one, also on its websites. One that you leave out stays on its websites and in the filters, but publishers can’t choose it any more.',
    input: 'lines',
    guide:
      'Each has at most 40 characters. Renaming, as in `openslot settings set CATEGORIES "Technology=Tech, Food"`, works in the database only.',
  },
  /** The marketplace's share of each sale, in percent. Read it by `commissionOf`, because publishers can have another. */
  COMMISSION: {
    field: 'commissionPercent',
    schema: z
      .string()
      .default(String(DEFAULT_COMMISSION_PERCENT))
      .transform((text, context) => {
        const percent = commissionIn(text);
        if (percent !== null) return percent;
        context.addIssue('must be a percentage from 0 to 50 with at most two decimals, such as 12.5');
        return z.NEVER;
      }),
    group: 'Money',
    title: 'Commission',
    help: 'The percentage of each sale that the marketplace keeps, 0 to 50, such as 12.5. It is fixed into an ad when it is submitted. A publisher can have another one, on the page of their account.',
    input: 'percent',
    guide:
      'For one publisher: `openslot publisher commission EMAIL 5 --reason TEXT`, and `default` instead of the number to go back.',
  },
  /** The lowest price of a new pricing option, at least what the card provider can charge, in cents. */
  MINIMUM_PRICE: {
    field: 'minimumPriceCents',
    schema: z
      .string()
      .regex(/^\d{1,6}(\.\d{1,2})?$/, MINIMUM_PRICE_SAYS)
      .transform(centsOf)
      .refine((cents) => cents >= LEAST_MINIMUM_PRICE, MINIMUM_PRICE_SAYS)
      .optional(),
    write: decimalOf,
    default: 'the card provider’s, such as `0.50`',
    group: 'Money',
    title: 'Lowest price',
    help: 'Publishers can’t create or change a pricing option below it. By default it is what the card provider can charge. Options that exist stay.',
    input: 'amount',
  },
  /** Whether the commission of a taxed sale is of the net amount or of the price. */
  TAX_SPLIT: {
    field: 'taxSplit',
    ...oneOf(TAX_SPLITS, 'net'),
    group: 'Tax',
    title: 'Commission with tax',
    help: 'Only with a tax table. With net, the commission is a part of the price without tax. With gross, it is a part of the whole price, and you pay the tax out of it. Sales keep theirs.',
  },
  PUBLIC_CATALOGUE: {
    field: 'hasCatalogue',
    ...onOff('on'),
    group: 'Rules',
    title: 'Public catalogue',
    help: 'With off, visitors can’t see /sites and the pages of websites. Advertisers sign in to see them.',
  },
  REVIEW_WEBSITES: {
    field: 'reviewsWebsites',
    ...onOff('off'),
    group: 'Rules',
    title: 'Look at new websites first',
    help: 'With on, a new website is neither offered nor served until you show it, under New websites. With off, websites that wait already stay there until you decide.',
    guide: 'The same is for one with a new address. `openslot website show` shows it, too.',
  },
  APPROVAL_DAYS: {
    field: 'approvalDays',
    schema: wholeNumber('days', 0, 60).default(5),
    group: 'Rules',
    title: 'Days to answer an ad',
    help: 'An ad that its publisher hasn’t answered is rejected after this many days, 0 to 60. With 0 it never is. Ads that wait already keep their day, unless you choose 0.',
    input: 'number',
    guide: 'Publishers are reminded after 1 and 3 days.',
  },
  PAYOUT_HOLD_DAYS: {
    schema: wholeNumber('days', 0, 365).default(7),
    group: 'Money',
    title: 'Days until earnings can be paid out',
    help: 'Counted from delivery, 0 to 365. It also applies to earnings that wait now.',
    input: 'number',
  },
  PAYOUT_FIRST_HOLD_DAYS: {
    schema: wholeNumber('days', 0, 365).default(30),
    group: 'Money',
    title: 'Days until the first earnings can be paid out',
    help: 'The same for the first 100.00 that a publisher earns, 0 to 365.',
    input: 'number',
  },
  PAYOUT_MINIMUM: {
    ...amount('25.00', /^(?!0+(\.0+)?$)\d{1,9}(\.\d{1,2})?$/, 'must be an amount above zero, such as 25.00'),
    group: 'Money',
    title: 'Smallest payout',
    help: 'In the currency of the marketplace, such as 25.00.',
    input: 'amount',
  },
  CANCEL_FEE: {
    ...oneOf(CANCEL_FEES, 'operator'),
    group: 'Money',
    title: 'Card fee after a cancel',
    help: 'Who bears the card provider’s fee when an advertiser cancels. With operator, you do. With buyer, it is kept from the refund. With free-once, a person’s first cancel in 30 days is free.',
  },
  CANCELS_PER_DAY: {
    schema: wholeNumber('', 1, 1000).default(5),
    group: 'Rules',
    title: 'Cancels in 24 hours',
    help: 'So many campaigns can be canceled in 24 hours by a person, with a card and from a network, 1 to 1000.',
    input: 'number',
  },
  CANCEL_REVIEW_ABOVE: {
    ...amount('1000.00', /^\d{1,9}(\.\d{1,2})?$/, 'must be an amount, such as 1000.00'),
    group: 'Rules',
    title: 'Cancels that wait for you',
    help: 'A campaign of this price or more that is canceled within an hour of its payment waits until you release the refund.',
    input: 'amount',
    guide: `\`openslot money list\`, then \`money release-cancel\` or \`money refuse-cancel\`, whose reason the advertiser reads. You and both sides are mailed. You are reminded after ${CANCEL_WAITS_DAYS.reminder} days, have an alarm after ${CANCEL_WAITS_DAYS.alarm}, and after ${CANCEL_WAITS_DAYS.release} the cancel is carried out by itself, with the fee that was agreed.`,
  },
  VIES: {
    field: 'vies',
    ...onOff('off'),
    group: 'Tax',
    title: 'Check tax numbers at VIES',
    help: 'With on, tax numbers of the EU are checked at the EU’s VIES service when an advertiser or a publisher gives them. In the sandbox, a local stand-in answers. Nothing is sent with off.',
    guide: 'See [Documents and tax](#documents-and-tax).',
  },
  SELF_BILLING: {
    ...onOff('off'),
    group: 'Tax',
    title: 'Self-billing',
    help: 'With on, publishers who agree to it get a self-billing document in place of the commission note for each month. Ask your adviser first.',
  },
  /** Whether a publisher who charges tax receives it on top of the earnings, or the earnings contain it. */
  PUBLISHER_TAX: {
    ...oneOf(PUBLISHER_TAXES, 'on_top'),
    group: 'Tax',
    title: 'Tax of publishers',
    help: 'With on_top, self-billing documents of publishers who charge tax add it to their earnings, and you pay both. With included, the earnings contain it.',
  },
  SELF_BILLING_TEXT: {
    schema: documentText(500).default(SELF_BILLING_TEXT),
    default: 'a sentence',
    group: 'Tax',
    title: 'Sentence on self-billing documents',
    help: 'Your adviser may want other words. Up to 500 characters.',
    input: 'lines',
    isPrinted: true,
  },
  PUBLISHER_REPORTS: {
    ...oneOf(PUBLISHER_REPORTS, 'off'),
    group: 'Tax',
    title: 'Yearly report of publishers',
    help: 'Which report you owe about your publishers, if any. Ask your adviser. With dac7, publishers are asked for a date of birth or a registration number.',
    guide: 'Then `openslot money export` writes `publisher-reports.csv`.',
  },
  BUSINESS_TIME_ZONE: {
    field: 'businessTimeZone',
    schema: z
      .string()
      .default('UTC')
      .transform((text, context) => {
        const timeZone = presentTimezone(text);
        if (timeZone !== null) return timeZone;
        context.addIssue('must be a time zone of IANA, such as Europe/Berlin');
        return z.NEVER;
      }),
    group: 'Tax',
    title: 'Time zone of the books',
    help: 'Documents, rates of tax, months of commission and exported books have the days of this time zone, such as Europe/Berlin. The months of statements follow UTC.',
  },
  DOCUMENT_YEARS: {
    field: 'documentYears',
    schema: wholeNumber('years', 1, 100).default(10),
    group: 'Legal',
    title: 'Years that documents of deleted accounts can be read',
    help: 'You can read the documents of a deleted account until the end of this many years after the year of their issue, 1 to 100. Those of other accounts stay.',
    input: 'number',
    guide:
      'Ask your adviser how long the law of your country wants them kept. Documents are never removed from the database.',
  },
  DATEV_CHART: {
    field: 'datevChart',
    schema: z
      .string()
      .default('SKR03')
      .transform((text, context) => {
        try {
          return chartIn(text);
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          context.addIssue(error.message);
          return z.NEVER;
        }
      }),
    write: ({ text }: Chart) => text,
    group: 'Tax',
    title: 'Accounts of DATEV',
    help: 'SKR03 or SKR04, and after it the accounts to which your adviser gives another number, as in SKR04, bank=1810. With own, name all of them.',
    input: 'lines',
    guide:
      'The [accounts](run.md#datev) have the names of `accounts.csv`. All numbers have 4 to 8 digits, and one length.',
  },
  SELLER_NAME: {
    schema: documentText(200).optional(),
    default: 'the name of the marketplace',
    group: 'Legal',
    title: 'Name on documents',
    help: 'The marketplace on receipts and other documents from now on. Documents that exist never change.',
    guide:
      'With a live key of Stripe, name, address and tax number are required. See [documents](#documents-and-tax).',
    isPrinted: true,
  },
  SELLER_ADDRESS: {
    schema: documentText(500).optional(),
    inEnvironment: withoutLostBreak(500, 'SELLER_ADDRESS="Main Street 1\\n10115 Berlin"'),
    group: 'Legal',
    title: 'Address on documents',
    help: 'Up to 500 characters.',
    input: 'lines',
    guide:
      'In the environment, its lines are separated with `\\n`. In a file that systemd reads, such a value is in quotes: `SELLER_ADDRESS="Main Street 1\\n10115 Berlin"`.',
    isPrinted: true,
  },
  SELLER_COUNTRY: {
    schema: z.enum(COUNTRY_CODES, 'must be the code of a country, such as DE').optional(),
    default: 'that of the tax table or the VAT number',
    group: 'Legal',
    title: 'Country on documents',
    help: 'Two letters, such as DE. E-invoices need it.',
    input: 'country',
  },
  SELLER_TAX_ID: {
    schema: documentText(50).optional(),
    group: 'Legal',
    title: 'Tax number on documents',
    help: 'Up to 50 characters.',
    isPrinted: true,
  },
  SELLER_LEGAL: {
    schema: documentText(1000).optional(),
    inEnvironment: withoutLostBreak(1000, 'SELLER_LEGAL="HRB 4711\\nAmtsgericht Berlin"'),
    group: 'Legal',
    title: 'Legal lines on documents',
    help: 'At the end of each document, such as the register and its number. Up to 1,000 characters.',
    input: 'lines',
    guide: 'Its lines are separated like those of the address.',
    isPrinted: true,
  },
});

export type MarketplaceSetting = keyof typeof MARKETPLACE;
export const MARKETPLACE_SETTINGS = Object.keys(MARKETPLACE) as MarketplaceSetting[];

/** The row of a setting, without the types of its values. */
export const aboutSetting = (name: MarketplaceSetting): MarketplaceRow => MARKETPLACE[name];

/** Settings as they are written. An absent one has its default. */
export type SettingTexts = Partial<Record<MarketplaceSetting, string>>;

const given = z.object(schemasOf(MARKETPLACE));

/** Throws ConfigError with a line for each value that does not fit. `publicUrl` is the address of the server. */
export function parseSettings(texts: SettingTexts, publicUrl: string): MarketplaceValues {
  const parsed = given.safeParse(texts);
  if (parsed.success) return withFallbacks(parsed.data, publicUrl);
  throw new ConfigError(
    parsed.error.issues
      .map(({ path, message }) => {
        const name = String(path[0]);
        return `The database holds a value of ${name} that does not fit: it ${message}. Remove it: delete from settings where name = '${name}'`;
      })
      .join('\n'),
  );
}

/** Gives the settings without a value those that follow from others. */
export function withFallbacks<Given extends Values<typeof MARKETPLACE>>(values: Given, publicUrl: string) {
  const mailFrom =
    values.MAIL_FROM ?? `${senderName(values.MARKETPLACE_NAME)} <no-reply@${new URL(publicUrl).hostname}>`;
  return {
    ...values,
    MAIL_FROM: mailFrom,
    OPERATOR_MAIL: values.OPERATOR_MAIL ?? /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom.trim(),
    SUPPORT_ADDRESS: values.SUPPORT_ADDRESS ?? null,
    MINIMUM_PRICE: values.MINIMUM_PRICE ?? MINIMUM_CENTS[values.CURRENCY],
    SELLER_NAME: values.SELLER_NAME ?? values.MARKETPLACE_NAME,
  };
}
export type MarketplaceValues = ReturnType<typeof withFallbacks<Values<typeof MARKETPLACE>>>;

/** A name with a character that has a meaning in addresses stands in quotes (RFC 5322, 3.2.4). */
const senderName = (name: string) =>
  /^[\p{L}\p{N} ]+$/u.test(name) ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`;

/** How the marketplace presents itself. */
export type Brand = {
  name: string;
  tagline: string;
  /** Null for the name beside the icon or our mark. */
  logo: Picture | null;
  /** Null for ours. */
  icon: Picture | null;
  /** '#0f5e70'; null for the colors of the software. */
  accent: string | null;
};

/** The part of Config that may change while the server runs. Amounts are cents. */
export function marketplaceConfig(values: MarketplaceValues) {
  const pictureOf = (file: string | undefined) => (file === undefined ? null : pictureIn(file));
  return {
    ...fieldsOf(MARKETPLACE, values),
    /** The marketplace, in every page, mail and document. */
    brand: {
      name: values.MARKETPLACE_NAME,
      tagline: values.TAGLINE,
      logo: pictureOf(values.LOGO),
      icon: pictureOf(values.ICON),
      accent: values.ACCENT ?? null,
    } satisfies Brand,
    /** How long earnings wait, and how much a payout sends at least. */
    payouts: {
      holdDays: values.PAYOUT_HOLD_DAYS,
      firstHoldDays: values.PAYOUT_FIRST_HOLD_DAYS,
      minimumCents: values.PAYOUT_MINIMUM,
    },
    /** The side that bears the provider's fee after a cancel, the limit of cancels, and the price above which they wait. */
    cancels: {
      fee: values.CANCEL_FEE,
      perDay: values.CANCELS_PER_DAY,
      reviewAboveCents: values.CANCEL_REVIEW_ABOVE,
    },
    publisherReports: values.PUBLISHER_REPORTS,
    /** Whether the operator offers self-billing, how its tax is paid, and the sentence on its documents. */
    selfBilling: {
      isOffered: values.SELF_BILLING,
      publisherTax: values.PUBLISHER_TAX,
      text: values.SELF_BILLING_TEXT,
    },
    /** The marketplace, as its documents name it. Lines are separated by '\n'. */
    seller: {
      name: values.SELLER_NAME,
      address: values.SELLER_ADDRESS ?? null,
      country: values.SELLER_COUNTRY ?? null,
      taxId: values.SELLER_TAX_ID ?? null,
      legal: values.SELLER_LEGAL ?? null,
    },
  };
}
export type MarketplaceConfig = ReturnType<typeof marketplaceConfig>;

/** The percent of a publisher's new ads. `own` is that of the publisher; null if it is the marketplace's. [OWNS-60] */
export function commissionOf(config: MarketplaceConfig, own: string | number | null): number {
  return own === null ? config.commissionPercent : Number(own);
}

/** The value as the database stores it, or the sentence that says why it does not fit. */
export function fitSetting(name: MarketplaceSetting, value: string): { text: string } | { problem: string } {
  const trimmed = value.trim();
  // Zod takes a blank text for the number 0.
  if (trimmed === '') return { problem: `${name} must not be blank. To use the default, unset it.` };
  if (name === 'CATEGORIES') return fitCategories(trimmed);
  const parsed = given.safeParse({ [name]: trimmed });
  const problem = parsed.error ?? aboutSetting(name).whenSet?.safeParse(trimmed).error;
  if (!parsed.success || problem) return { problem: `${name} ${problem?.issues[0]?.message}.` };
  // Whatever the address is, it is not a part of a value that is given.
  return { text: String(textsOf(MARKETPLACE, withFallbacks(parsed.data, 'http://localhost'))[name]) };
}

/** Keeps the renames, which `setSetting` does before it stores the names. */
function fitCategories(text: string): { text: string } | { problem: string } {
  const list = categoriesIn(text);
  if ('problem' in list) return { problem: `CATEGORIES ${list.problem}.` };
  const entries = list.names.map(
    (name) =>
      list.renames
        .filter(({ to }) => to === name)
        .map(({ from }) => `${from}=`)
        .join('') + name,
  );
  return { text: entries.join(', ') };
}

/** Only the settings of the marketplace, of these names and values. */
export function marketplaceTexts(texts: Readonly<Record<string, string | undefined>>): SettingTexts {
  return Object.fromEntries(
    MARKETPLACE_SETTINGS.flatMap((name) => (texts[name] ? [[name, texts[name]]] : [])),
  );
}
