import { MONEY_ACTS } from './acts-about-money.ts';
import { ACCOUNT_ACTS } from './acts-of-accounts.ts';
import { MODERATION_ACTS } from './acts-of-moderation.ts';
import { ANNOUNCEMENT_ACTS, FAULT_ACTS } from './acts-of-announcements.ts';
import { PAGE_ACTS } from './acts-of-pages.ts';
import { SETTING_ACTS } from './acts-of-settings.ts';

/** All acts of operators. A new one is one more row in one of these files. */
export const OPERATOR_ACTS = [
  ...MODERATION_ACTS,
  ...ACCOUNT_ACTS,
  ...MONEY_ACTS,
  ...SETTING_ACTS,
  ...PAGE_ACTS,
  ...ANNOUNCEMENT_ACTS,
  ...FAULT_ACTS,
];
