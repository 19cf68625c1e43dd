/** Acts about the settings of the marketplace. */
import { settingForm } from '#domain/operator/forms.ts';
import { type ChangedSetting, setSetting, unsetSetting } from '../settings/settings.ts';
import { SETTING, SETTING_VALUE } from './act-targets.ts';
import { defineAct } from './define-act.ts';

const HOME = '/operator/settings';
const form = { page: 'settings', dangerous: true } as const;
const says = ({ name, value, before }: ChangedSetting) =>
  `${name} is ${value ?? 'not set'} now (before: ${before ?? 'not set'}). Every running server follows within two seconds.`;

export const SET_SETTING = defineAct({
  summary: 'Change a setting of the marketplace',
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

export const SETTING_ACTS = [SET_SETTING, UNSET_SETTING];
