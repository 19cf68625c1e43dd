/** Acts about the settings of the marketplace. */
import { commissionForm, settingForm } from '#domain/operator/forms.ts';
import { type ChangedSetting, setSetting, unsetSetting } from '../settings/settings.ts';
import { setCommission } from '../settings/commission.ts';
import { PERSON, SETTING, SETTING_VALUE } from './act-targets.ts';
import { defineAct } from './define-act.ts';

const HOME = '/operator/settings';
const form = { dangerous: true } as const;
const says = ({ name, value, before }: ChangedSetting) =>
  `${name} is ${value ?? 'not set'} now (before: ${before ?? 'not set'}). Every running server follows within two seconds.`;

export const SET_SETTING = defineAct({
  summary: 'Change a setting of the marketplace',
  right: 'owner',
  of: SETTING_VALUE,
  fields: settingForm,
  run: setSetting,
  forms: [
    { ...form, path: `${HOME}/:name`, button: 'Save', next: ({ name }: ChangedSetting) => `${HOME}#${name}` },
  ],
  command: { words: 'settings set', reason: '', says },
});

export const UNSET_SETTING = defineAct({
  summary: 'Put a setting back to its default',
  right: 'owner',
  of: SETTING,
  fields: settingForm,
  run: unsetSetting,
  forms: [
    {
      ...form,
      path: `${HOME}/:name/unset`,
      button: 'Use the default',
      next: ({ name }: ChangedSetting) => `${HOME}#${name}`,
    },
  ],
  command: { words: 'settings unset', reason: '', says },
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

export const SETTING_ACTS = [SET_SETTING, UNSET_SETTING, SET_COMMISSION];
