/**
 * The settings that the environment or the database holds, never both (docs/decisions/088-settings-in-the-database.md).
 * A new one is one line in each of the lists below.
 */
import { centsOf, CURRENCIES, decimalOf, DEFAULT_CURRENCY } from '#domain/money.ts';
import { emailText } from '#domain/email-address.ts';
import { DEFAULT_NAME, DEFAULT_TAGLINE } from '#domain/marketplace.ts';
import { MAXIMUM_CENTS, MINIMUM_CENTS } from '#domain/payments/limits.ts';
import { CANCEL_FEES } from '#domain/payments/cancels.ts';
import { TAX_SPLITS } from '#domain/payments/tax.ts';
import { commissionIn, DEFAULT_COMMISSION_PERCENT } from '#domain/payments/split.ts';
import { categoriesIn, DEFAULT_CATEGORIES } from '#domain/inventory/categories.ts';
import { z } from 'zod';
import { type Picture, pictureIn } from '../brand/pictures.ts';
import { accentProblem } from '../brand/theme.ts';

const wholeDays = (most: number) => {
  const message = `must be a whole number of days from 0 to ${most}`;
  return z.coerce.number(message).int(message).min(0, message).max(most, message);
};

/** A text in one line. */
const lineOf = (longest: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(longest, `must have at most ${longest} characters`)
    // oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused here
    .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must be one line without control characters');

/**
 * Breaks the lines of a setting at `\n`, because a file of settings has one line for each. There it stands in quotes, without
 * which systemd drops the backslash. `podman run --env-file` keeps the quotes. [WARD-101]
 */
export const linesIn = (value: string): string =>
  (/^"([^]*)"$/.exec(value.trim())?.[1] ?? value).replaceAll('\\n', '\n');

/** A text on documents. */
const documentText = (longest: number) =>
  z
    .string()
    .transform((value) => linesIn(value).trim())
    .pipe(
      z
        .string()
        .min(1, 'must not be blank')
        .max(longest, `must have at most ${longest} characters`)
        // oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused here
        .regex(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f]*$/, 'must not contain control characters'),
    );

/** The name of a file of the table brand_files, from which the width and the height follow. */
const storedPicture = z
  .string()
  .refine(
    (file) => pictureIn(file) !== null,
    'must be an SVG or a PNG file, set in the console or by openslot settings set',
  )
  .optional();

const ACCENT_SAYS = 'must be a color of six hexadecimal digits, such as #0f5e70';

// The card provider's minimum depends on the currency. This is the highest of them.
const LEAST_MINIMUM_PRICE = Math.max(...Object.values(MINIMUM_CENTS));
const MINIMUM_PRICE_SAYS = `must be an amount from ${decimalOf(LEAST_MINIMUM_PRICE)} to ${decimalOf(MAXIMUM_CENTS)}, such as 5.00`;

/** Printed on each self-billing document. An adviser may want other words. */
const SELF_BILLING_TEXT =
  'Self-billing (Gutschrift): the recipient issues this invoice in the name and for the account of the supplier, as both have agreed.';

/** An absent setting has its default. The messages end a sentence that begins with the name. */
export const MARKETPLACE_SCHEMAS = {
  MARKETPLACE_NAME: lineOf(60).default(DEFAULT_NAME),
  TAGLINE: lineOf(120).default(DEFAULT_TAGLINE),
  LOGO: storedPicture,
  ICON: storedPicture,
  ACCENT: z
    .string()
    .regex(/^#[\da-f]{6}$/i, ACCENT_SAYS)
    .toLowerCase()
    .superRefine((accent, context) => {
      if (!/^#[\da-f]{6}$/.test(accent)) return;
      const problem = accentProblem(accent);
      if (problem === null) return;
      // Rounded down, so that 4.49 is not 4.5.
      const figure = (Math.floor(problem.contrast * 10) / 10).toFixed(1);
      context.addIssue(
        `has a contrast of ${figure} : 1 in the ${problem.theme} theme, and text needs 4.5 : 1. A near color that can be read is ${problem.near}`,
      );
    })
    .optional(),
  MAIL_FROM: z
    .string()
    .max(254, 'must have at most 254 characters')
    // oxlint-disable-next-line no-control-regex -- a line break would begin another header of the mail
    .regex(/^[^\u0000-\u001f\u007f]*@[^\u0000-\u001f\u007f]*$/, 'must contain an email address')
    .optional(),
  OPERATOR_MAIL: emailText('must be an email address').optional(),
  SUPPORT_ADDRESS: emailText('must be an email address').optional(),
  CURRENCY: z.enum(CURRENCIES, `must be one of ${CURRENCIES.join(', ')}`).default(DEFAULT_CURRENCY),
  CATEGORIES: z
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
  COMMISSION: z
    .string()
    .default(String(DEFAULT_COMMISSION_PERCENT))
    .transform((text, context) => {
      const percent = commissionIn(text);
      if (percent !== null) return percent;
      context.addIssue('must be a percentage from 0 to 50 with at most two decimals, such as 12.5');
      return z.NEVER;
    }),
  MINIMUM_PRICE: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,2})?$/, MINIMUM_PRICE_SAYS)
    .transform(centsOf)
    .refine((cents) => cents >= LEAST_MINIMUM_PRICE, MINIMUM_PRICE_SAYS)
    .optional(),
  TAX_SPLIT: z.enum(TAX_SPLITS, 'must be net or gross').default('net'),
  PUBLIC_CATALOGUE: z.enum(['on', 'off'], 'must be on or off').default('on'),
  REVIEW_WEBSITES: z.enum(['on', 'off'], 'must be on or off').default('off'),
  APPROVAL_DAYS: wholeDays(60).default(5),
  PAYOUT_HOLD_DAYS: wholeDays(365).default(7),
  PAYOUT_FIRST_HOLD_DAYS: wholeDays(365).default(30),
  PAYOUT_MINIMUM: z
    .string()
    .regex(/^(?!0+(\.0+)?$)\d{1,9}(\.\d{1,2})?$/, 'must be an amount above zero, such as 25.00')
    .default('25.00')
    .transform(centsOf),
  CANCEL_FEE: z.enum(CANCEL_FEES, 'must be operator, buyer or free-once').default('operator'),
  CANCELS_PER_DAY: z.coerce
    .number('must be a whole number from 1 to 1000')
    .int('must be a whole number from 1 to 1000')
    .min(1, 'must be a whole number from 1 to 1000')
    .max(1000, 'must be a whole number from 1 to 1000')
    .default(5),
  CANCEL_REVIEW_ABOVE: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,2})?$/, 'must be an amount, such as 1000.00')
    .default('1000.00')
    .transform(centsOf),
  VIES: z.enum(['on', 'off'], 'must be on or off').default('off'),
  SELF_BILLING: z.enum(['on', 'off'], 'must be on or off').default('off'),
  SELF_BILLING_TEXT: documentText(500).default(SELF_BILLING_TEXT),
  SELLER_NAME: documentText(200).optional(),
  SELLER_ADDRESS: documentText(500).optional(),
  SELLER_TAX_ID: documentText(50).optional(),
  SELLER_LEGAL: documentText(1000).optional(),
};

export type MarketplaceSetting = keyof typeof MARKETPLACE_SCHEMAS;
export const MARKETPLACE_SETTINGS = Object.keys(MARKETPLACE_SCHEMAS) as MarketplaceSetting[];

/** Settings as they are written. An absent one has its default. */
export type SettingTexts = Partial<Record<MarketplaceSetting, string>>;

/** How the console shows a setting. Without `choices` it is a line, several with `lines`, or a picture with `file`. */
export type AboutSetting = {
  title: string;
  help: string;
  choices?: readonly string[];
  lines?: true;
  file?: true;
};

export const ABOUT_SETTINGS: Readonly<Record<MarketplaceSetting, AboutSetting>> = {
  MARKETPLACE_NAME: {
    title: 'Name',
    help: 'The name of your marketplace in every page, mail and document, with at most 60 characters.',
  },
  TAGLINE: {
    title: 'Tagline',
    help: 'One sentence below the name in the footer of every page, with at most 120 characters.',
  },
  LOGO: {
    title: 'Logo',
    help: 'An SVG or a PNG of up to 256 KB, at most six times as wide as high. It stands in place of the name above every page and mail, on light and on dark ground.',
    file: true,
  },
  ICON: {
    title: 'Icon',
    help: 'A square SVG, or a square PNG of at least 180 × 180 pixels, of up to 256 KB. Browsers and phones show it, and pages do without a logo.',
    file: true,
  },
  ACCENT: {
    title: 'Accent',
    help: 'The color of links, buttons and what is chosen, such as #0f5e70. Text in it must be readable on light pages. On dark pages it is lightened until it is.',
  },
  MAIL_FROM: {
    title: 'Sender of mail',
    help: 'A name and an address, such as Ads <ads@example.com>. Your mail relay must accept the address.',
  },
  OPERATOR_MAIL: {
    title: 'Your address',
    help: 'Everything that waits for you is mailed here, and /sellers.json names it. By default it is the address of the sender.',
  },
  SUPPORT_ADDRESS: {
    title: 'Support address',
    help: 'Replies to mail of the marketplace go here. By default they go to the sender.',
  },
  CURRENCY: {
    title: 'Currency',
    help: 'The currency of every price and charge. Prices keep their numbers. The first payment or saved card fixes it.',
    choices: CURRENCIES,
  },
  CATEGORIES: {
    title: 'Categories',
    help: 'Up to 50, separated by commas. Write Old=New to rename one, also on its websites. One that you leave out stays on its websites and in the filters, but publishers can’t choose it any more.',
    lines: true,
  },
  COMMISSION: {
    title: 'Commission',
    help: 'The percentage of each sale that the marketplace keeps, 0 to 50, such as 12.5. It is fixed into an ad when it is submitted. A publisher can have another one, on the page of their account.',
  },
  MINIMUM_PRICE: {
    title: 'Lowest price',
    help: 'Publishers can’t create or change a pricing option below it. By default it is what the card provider can charge. Options that exist stay.',
  },
  TAX_SPLIT: {
    title: 'Commission with tax',
    help: 'Only with a tax table. With net, the commission is a part of the price without tax. With gross, it is a part of the whole price, and you pay the tax out of it. Sales keep theirs.',
    choices: TAX_SPLITS,
  },
  PUBLIC_CATALOGUE: {
    title: 'Public catalogue',
    help: 'With off, visitors can’t see /sites and the pages of websites. Advertisers sign in to see them.',
    choices: ['on', 'off'],
  },
  REVIEW_WEBSITES: {
    title: 'Look at new websites first',
    help: 'With on, a new website is neither offered nor served until you show it, under New websites. With off, websites that wait already stay there until you decide.',
    choices: ['on', 'off'],
  },
  APPROVAL_DAYS: {
    title: 'Days to answer an ad',
    help: 'An ad that its publisher hasn’t answered is rejected after this many days, 0 to 60. With 0 it never is. Ads that wait already keep their day, unless you choose 0.',
  },
  PAYOUT_HOLD_DAYS: {
    title: 'Days until earnings can be paid out',
    help: 'Counted from delivery, 0 to 365. It also applies to earnings that wait now.',
  },
  PAYOUT_FIRST_HOLD_DAYS: {
    title: 'Days until the first earnings can be paid out',
    help: 'The same for the first 100.00 that a publisher earns, 0 to 365.',
  },
  PAYOUT_MINIMUM: {
    title: 'Smallest payout',
    help: 'In the currency of the marketplace, such as 25.00.',
  },
  CANCEL_FEE: {
    title: 'Card fee after a cancel',
    help: 'Who bears the card provider’s fee when an advertiser cancels. With operator, you do. With buyer, it is kept from the refund. With free-once, a person’s first cancel in 30 days is free.',
    choices: CANCEL_FEES,
  },
  CANCELS_PER_DAY: {
    title: 'Cancels in 24 hours',
    help: 'So many campaigns can be canceled in 24 hours by a person, with a card and from a network, 1 to 1000.',
  },
  CANCEL_REVIEW_ABOVE: {
    title: 'Cancels that wait for you',
    help: 'A campaign of this price or more that is canceled within an hour of its payment waits until you release the refund.',
  },
  VIES: {
    title: 'Check tax numbers at VIES',
    help: 'With on, tax numbers of the EU are checked at the EU’s VIES service when an advertiser or a publisher gives them. In the sandbox, a local stand-in answers. Nothing is sent with off.',
    choices: ['on', 'off'],
  },
  SELF_BILLING: {
    title: 'Self-billing',
    help: 'With on, publishers who agree to it get a self-billing document in place of the commission note for each month. Ask your adviser first.',
    choices: ['on', 'off'],
  },
  SELF_BILLING_TEXT: {
    title: 'Sentence on self-billing documents',
    help: 'Your adviser may want other words. Up to 500 characters.',
    lines: true,
  },
  SELLER_NAME: {
    title: 'Name on documents',
    help: 'The marketplace on receipts and other documents from now on. Documents that exist never change.',
  },
  SELLER_ADDRESS: { title: 'Address on documents', help: 'Up to 500 characters.', lines: true },
  SELLER_TAX_ID: { title: 'Tax number on documents', help: 'Up to 50 characters.' },
  SELLER_LEGAL: {
    title: 'Legal lines on documents',
    help: 'At the end of each document, such as the register and its number. Up to 1,000 characters.',
    lines: true,
  },
};

const given = z.object(MARKETPLACE_SCHEMAS);

/** Throws ZodError, whose issues have the name of the setting as their path. */
export function parseSettings(texts: SettingTexts): z.output<typeof given> {
  return given.parse(texts);
}

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
export function marketplaceConfig(settings: z.output<typeof given>, publicUrl: string) {
  const { MARKETPLACE_NAME: name, TAGLINE: tagline, ACCENT: accent = null } = settings;
  const pictureOf = (file: string | undefined) => (file === undefined ? null : pictureIn(file));
  const mailFrom = settings.MAIL_FROM ?? `${senderName(name)} <no-reply@${new URL(publicUrl).hostname}>`;
  return {
    /** The marketplace, in every page, mail and document. */
    brand: {
      name,
      tagline,
      logo: pictureOf(settings.LOGO),
      icon: pictureOf(settings.ICON),
      accent,
    } satisfies Brand,
    mailFrom,
    /** OPERATOR_MAIL, or the bare address of `mailFrom`. sellers.json names it, and mail for the operator goes to it. */
    contactEmail: settings.OPERATOR_MAIL ?? /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom.trim(),
    /** Replies to mail go there. If null, they go to `mailFrom`. */
    supportAddress: settings.SUPPORT_ADDRESS ?? null,
    /** Every price, charge and posting is in this currency. The first sale fixes it. */
    currency: settings.CURRENCY,
    /** Those that a publisher can choose for a website. `retiredCategories` are also on websites. */
    categories: settings.CATEGORIES,
    /** The marketplace's share of each sale, in percent. Read it by `commissionOf`, because publishers can have another. */
    commissionPercent: settings.COMMISSION,
    /** The lowest price of a new pricing option, at least what the card provider can charge. */
    minimumPriceCents: settings.MINIMUM_PRICE ?? MINIMUM_CENTS[settings.CURRENCY],
    /** Whether the commission of a taxed sale is of the net amount or of the price. */
    taxSplit: settings.TAX_SPLIT,
    /** Whether visitors can see `/sites` and the pages of the listed websites. */
    hasCatalogue: settings.PUBLIC_CATALOGUE === 'on',
    /** Whether new websites wait for the operator. */
    reviewsWebsites: settings.REVIEW_WEBSITES === 'on',
    /** After how many days an unanswered ad is rejected. 0: never. */
    approvalDays: settings.APPROVAL_DAYS,
    /** How long earnings wait, and how much a payout sends at least. */
    payouts: {
      holdDays: settings.PAYOUT_HOLD_DAYS,
      firstHoldDays: settings.PAYOUT_FIRST_HOLD_DAYS,
      minimumCents: settings.PAYOUT_MINIMUM,
    },
    /** The side that bears the provider's fee after a cancel, the limit of cancels, and the price above which they wait. */
    cancels: {
      fee: settings.CANCEL_FEE,
      perDay: settings.CANCELS_PER_DAY,
      reviewAboveCents: settings.CANCEL_REVIEW_ABOVE,
    },
    /** Whether tax numbers of the EU are checked at VIES. */
    vies: settings.VIES === 'on',
    /** Whether the operator offers self-billing, and the sentence on its documents. */
    selfBilling: { isOffered: settings.SELF_BILLING === 'on', text: settings.SELF_BILLING_TEXT },
    /** The marketplace, as its documents name it. Lines are separated by '\n'. */
    seller: {
      name: settings.SELLER_NAME ?? settings.MARKETPLACE_NAME,
      address: settings.SELLER_ADDRESS ?? null,
      taxId: settings.SELLER_TAX_ID ?? null,
      legal: settings.SELLER_LEGAL ?? null,
    },
  };
}
export type MarketplaceConfig = ReturnType<typeof marketplaceConfig>;

/** The percent of a publisher's new ads. `own` is that of the publisher; null if it is the marketplace's. [OWNS-61] */
export function commissionOf(config: MarketplaceConfig, own: string | null): number {
  return own === null ? config.commissionPercent : Number(own);
}

/** The settings as they are written; null for one without a value. */
export function settingTexts(config: MarketplaceConfig): Record<MarketplaceSetting, string | null> {
  const { payouts, selfBilling, seller } = config;
  return {
    MARKETPLACE_NAME: config.brand.name,
    TAGLINE: config.brand.tagline,
    LOGO: config.brand.logo?.file ?? null,
    ICON: config.brand.icon?.file ?? null,
    ACCENT: config.brand.accent,
    MAIL_FROM: config.mailFrom,
    OPERATOR_MAIL: config.contactEmail,
    SUPPORT_ADDRESS: config.supportAddress,
    CURRENCY: config.currency,
    CATEGORIES: config.categories.join(', '),
    COMMISSION: String(config.commissionPercent),
    MINIMUM_PRICE: decimalOf(config.minimumPriceCents),
    TAX_SPLIT: config.taxSplit,
    PUBLIC_CATALOGUE: config.hasCatalogue ? 'on' : 'off',
    REVIEW_WEBSITES: config.reviewsWebsites ? 'on' : 'off',
    APPROVAL_DAYS: String(config.approvalDays),
    PAYOUT_HOLD_DAYS: String(payouts.holdDays),
    PAYOUT_FIRST_HOLD_DAYS: String(payouts.firstHoldDays),
    PAYOUT_MINIMUM: decimalOf(payouts.minimumCents),
    CANCEL_FEE: config.cancels.fee,
    CANCELS_PER_DAY: String(config.cancels.perDay),
    CANCEL_REVIEW_ABOVE: decimalOf(config.cancels.reviewAboveCents),
    VIES: config.vies ? 'on' : 'off',
    SELF_BILLING: selfBilling.isOffered ? 'on' : 'off',
    SELF_BILLING_TEXT: selfBilling.text,
    SELLER_NAME: seller.name,
    SELLER_ADDRESS: seller.address,
    SELLER_TAX_ID: seller.taxId,
    SELLER_LEGAL: seller.legal,
  };
}

/** The value as the database stores it, or the sentence that says why it does not fit. */
export function fitSetting(name: MarketplaceSetting, value: string): { text: string } | { problem: string } {
  const trimmed = value.trim();
  // Zod takes a blank text for the number 0.
  if (trimmed === '') return { problem: `${name} must not be blank. To use the default, unset it.` };
  if (name === 'CATEGORIES') return fitCategories(trimmed);
  const parsed = given.safeParse({ [name]: trimmed });
  if (!parsed.success) return { problem: `${name} ${parsed.error.issues[0]?.message}.` };
  // Whatever the address is, it is not a part of a value that is given.
  return { text: String(settingTexts(marketplaceConfig(parsed.data, 'http://localhost'))[name]) };
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
