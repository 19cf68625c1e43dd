/** The pages of the settings and of the tax rates, which tries and changes their table. [BOOK-242] */
import { listMarketplaceSettings, type SettingInput } from '#domain/operator/console/settings-contract.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { aboutSetting, type MarketplaceSetting } from '#server/platform/settings/marketplace.ts';
import { listSettings } from '../settings/settings.ts';
import { centsOf } from '#domain/money.ts';
import { getTaxRates, quoteTax, type ShownTaxTable } from '#domain/operator/console/tax-contract.ts';
import { taxQuote } from '#domain/payments/tax-quote.ts';
import { taxTableFile } from '#domain/payments/tax-table.ts';
import { percentOf, type TaxRules, type TaxTable } from '#domain/payments/tax.ts';
import { businessDay } from '#server/money/documents/business-day.ts';
import { storedTaxTable } from '#server/platform/database/settings.ts';
import { SET_TAX_TABLE } from '../acts/acts-of-settings.ts';
import { formOf, offers } from '../acts/define-act.ts';
import { taxTableIn } from '../settings/tax-table.ts';

export const settingRoutes: Route[] = [
  route(listMarketplaceSettings, { access: 'operator' }, async (ctx) => ({
    settings: (await listSettings(ctx)).map((setting) => {
      const { group, title, help, choices = [] } = aboutSetting(setting.name);
      return { ...setting, group, title, help, input: inputOf(setting.name), choices: [...choices] };
    }),
  })),
];

function inputOf(name: MarketplaceSetting): SettingInput {
  const { input, choices } = aboutSetting(name);
  if (input !== undefined) return input;
  if (choices === undefined) return 'line';
  return choices.join() === 'on,off' ? 'switch' : 'choice';
}

export const taxRoutes: Route[] = [
  route(getTaxRates, { access: 'operator' }, async (ctx, operator) => {
    const { taxTable, hasTaxFile, businessTimeZone, seller } = ctx.config;
    const stored = hasTaxFile ? null : await storedTaxTable(ctx.db);
    const version = stored?.version ?? '';
    return {
      table: taxTable && shownTable(taxTable),
      sellerCountry: seller.country,
      source: hasTaxFile ? ('file' as const) : stored ? ('database' as const) : ('none' as const),
      version,
      today: businessDay(ctx, ctx.now()),
      timeZone: businessTimeZone,
      acts: await offers([
        // The page puts the table that it has made in the place of this one.
        !hasTaxFile &&
          formOf(SET_TAX_TABLE).offer(ctx, operator, {
            hidden: { table: taxTable ? JSON.stringify(taxTableFile(taxTable)) : '', version },
          }),
        stored !== null &&
          formOf(SET_TAX_TABLE).offer(ctx, operator, {
            hidden: { table: '', version },
            button: 'Remove the table',
            confirm: 'Remove the table',
          }),
      ]),
    };
  }),
  route(quoteTax, { access: 'operator' }, async (ctx, _, { body }) => {
    const { taxTable, commissionPercent, taxSplit, currency } = ctx.config;
    const { country, buyer, price, day = businessDay(ctx, ctx.now()), table } = body;
    return await Promise.resolve({
      sentence: taxQuote(table === undefined ? taxTable : taxTableIn(table), {
        country,
        buyer,
        day,
        priceCents: centsOf(price),
        commissionPercent,
        split: taxSplit,
        currency,
      }),
    });
  }),
];

/** As of the countries' names, which the page shows. */
const shownTable = ({ seller, countries, default: others }: TaxTable): ShownTaxTable => ({
  seller,
  countries: Object.entries(countries).map(([country, rules]) => ({ country, rules: shownRules(rules) })),
  others: others && shownRules(others),
});

const shownRules = (rules: TaxRules) =>
  rules.map(({ rate, ...rule }) => ({ ...rule, rate: percentOf(rate) }));
