import type { Context } from '../../context.ts';
import { announced } from '../../database/announcement.ts';
import type { PageSettings } from './built-pages.ts';

/** The facts of the marketplace that every page of the web application has, at this moment. */
export function pageSettings({ config, payments, now }: Context, hasAccounts: boolean): PageSettings {
  return {
    publicUrl: config.publicUrl,
    ...config.brand,
    currency: config.currency,
    categories: config.categories,
    retiredCategories: config.retiredCategories,
    commissionPercent: config.commissionPercent,
    minimumPriceCents: config.minimumPriceCents,
    payments: payments.mode,
    hasCatalogue: config.hasCatalogue,
    pages: config.pages,
    announcement: announced(config.announcement, now()),
    hasAccounts,
  };
}
