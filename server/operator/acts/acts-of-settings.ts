/** Acts about the settings of the marketplace. */
import { commissionForm, settingForm } from '#domain/operator/forms.ts';
import { counted } from '#domain/format.ts';
import { MAX_PICTURE_BYTES } from '#domain/operator/console/settings-contract.ts';
import { type ChangedSetting, changeSettings } from '../settings/settings.ts';
import { setCommission } from '../settings/commission.ts';
import { PERSON, SETTING, SETTING_VALUES } from './act-targets.ts';
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
      title: 'Commission',
      button: 'Save the commission',
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

export const SETTING_ACTS = [SET_SETTING, UNSET_SETTING, SET_COMMISSION];
