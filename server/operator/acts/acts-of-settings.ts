/** Acts about the settings of the marketplace. */
import { counted } from '#domain/format.ts';
import { MAX_PICTURE_BYTES } from '#domain/operator/limits.ts';
import { MAX_TAX_TABLE } from '#domain/operator/console/tax-contract.ts';
import { commissionForm, goForm, mailedCodeForm, settingForm, taxTableForm } from '#domain/operator/forms.ts';
import { checkKeys } from '../check-keys.ts';
import { type ChangedSetting, changeSettings } from '../settings/settings.ts';
import { setCommission } from '../settings/commission.ts';
import { setTaxTable } from '../settings/tax-table.ts';
import { confirmTestMail, sendTestMail } from '../test-mail.ts';
import { NOTHING, PERSON, SETTING, SETTING_VALUES, TAX_TABLE } from './act-targets.ts';
import { defineAct } from './define-act.ts';

const reasonOfSetting = settingForm.omit({ version: true });
/** Of the one setting that a command changes. */
const says = ([changed]: ChangedSetting[]) =>
  changed === undefined
    ? ''
    : `${changed.name} is ${changed.value ?? 'not set'} now (before: ${changed.before ?? 'not set'}). Every running server follows within two seconds.`;
const json = ([changed]: ChangedSetting[]) => ({ ...changed });

export const SET_SETTING = defineAct({
  summary: 'Change a setting of the marketplace',
  right: 'owner',
  of: SETTING_VALUES,
  fields: reasonOfSetting,
  run: changeSettings,
  forms: [
    {
      path: '/operator/settings',
      button: 'Save',
      reason: 'optional',
      dangerous: true,
      // A logo and an icon in base64, and every other setting.
      bodyLimit: 4 * MAX_PICTURE_BYTES,
      says: (changed) => `Saved ${counted(changed.length, 'change')}.`,
    },
  ],
  command: { words: 'settings set', reason: '', says, json },
});

/** The console does it with the other changes. */
export const UNSET_SETTING = defineAct({
  summary: 'Put a setting back to its default',
  right: 'owner',
  of: SETTING,
  fields: reasonOfSetting,
  run: async (ctx, operator, { name, reason }) =>
    await changeSettings(ctx, operator, { changes: [{ name, value: null }], reason }),
  forms: [],
  command: { words: 'settings unset', reason: '', says, json },
});

export const SET_COMMISSION = defineAct({
  summary: 'Agree a commission with a publisher, or put it back to the default',
  right: 'money',
  of: { ...PERSON, takes: 'EMAIL' },
  fields: commissionForm,
  run: setCommission,
  forms: [
    {
      path: '/operator/people/:id/commission',
      title: 'Agree a commission',
      button: 'Change the commission',
      confirm: 'Save the commission',
      reasons: ['Agreed for a large website.', 'Agreed for an exclusive offer.', 'The agreement has ended.'],
      note: 'Ads that are submitted from now on have it. Submitted ads keep theirs.',
      dangerous: true,
    },
  ],
  command: {
    words: 'publisher commission',
    takes: 'PERCENT|default',
    fields: ([, percent]) => ({ percent }),
    says: ({ name, commissionPercent, source }) =>
      `New ads on the websites of ${name} have a commission of ${commissionPercent}%${source === 'default' ? ', the default' : ''}.`,
  },
});

export const SET_TAX_TABLE = defineAct({
  summary: 'Put a table of tax rates in force, from a file as TAX_RATES_FILE names it',
  right: 'owner',
  of: TAX_TABLE,
  fields: taxTableForm,
  run: setTaxTable,
  forms: [
    {
      path: '/operator/tax',
      title: 'Change the tax rates',
      button: 'Save the table',
      note: 'Every running server follows within two seconds. Prices stay as they are, because they contain the tax. Documents that are issued keep theirs.',
      dangerous: true,
      harmful: false,
      reasons: ['A rate changes by law', 'We register in another country', 'Our tax adviser asked for it'],
      says: ({ changes }) => `Saved ${counted(changes.length, 'change')} of the tax rates.`,
      bodyLimit: 2 * MAX_TAX_TABLE,
    },
  ],
  command: {
    words: 'tax set',
    says: ({ changes }) =>
      `The table of tax rates has changed: ${changes.join('; ')}. Every running server follows within two seconds.`,
    json: ({ changes }) => ({ changes }),
  },
});

// The acts of the launch checklist.

export const SEND_TEST_MAIL = defineAct({
  summary: 'Mail a code to the operator, to see whether mail arrives',
  right: 'owner',
  of: NOTHING,
  fields: goForm,
  run: sendTestMail,
  forms: [
    {
      path: '/operator/launch/test-mail',
      title: 'Send a test mail to me',
      button: 'Send a test mail',
      note: 'It goes to your own address, with a code that you type here.',
      reason: 'none',
      says: ({ email }) => `A test mail is on its way to ${email}. Type its code when it arrives.`,
    },
  ],
  command: null,
});

export const CONFIRM_TEST_MAIL = defineAct({
  summary: 'Confirm by its code that the test mail arrived',
  right: 'owner',
  of: NOTHING,
  fields: mailedCodeForm,
  run: confirmTestMail,
  forms: [
    {
      path: '/operator/launch/test-mail-code',
      title: 'Type the code of the test mail',
      button: 'Type its code',
      confirm: 'Confirm',
      reason: 'none',
      says: () => 'Mail arrives.',
    },
  ],
  command: null,
});

export const CHECK_KEYS = defineAct({
  summary: 'Ask the card provider whether it accepts the keys',
  right: 'owner',
  of: NOTHING,
  fields: goForm,
  run: checkKeys,
  forms: [
    {
      path: '/operator/launch/check-keys',
      button: 'Check the keys',
      note: 'Makes one reading call at Stripe with the keys in force. Nothing is charged or changed.',
      reason: 'none',
      says: ({ mode }) =>
        mode === 'live'
          ? 'Stripe accepts the keys, which are those of its live mode.'
          : 'Stripe accepts the keys. They are those of its test mode, so nobody pays with them.',
    },
  ],
  command: null,
});

export const SETTING_ACTS = [
  SET_SETTING,
  UNSET_SETTING,
  SET_COMMISSION,
  SET_TAX_TABLE,
  SEND_TEST_MAIL,
  CONFIRM_TEST_MAIL,
  CHECK_KEYS,
];
