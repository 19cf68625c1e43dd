/** The calls of the page of settings. */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { settingForm } from '../forms.ts';
import { MAX_PICTURE_BYTES, SETTING_GROUPS } from '../limits.ts';
import { actDone } from './act-contract.ts';

/** The fields of settings. A switch has the values `on` and `off`. */
export const SETTING_INPUTS = [
  'line',
  'lines',
  'number',
  'percent',
  'amount',
  'choice',
  'switch',
  'country',
  'color',
  'file',
] as const;
export type SettingInput = (typeof SETTING_INPUTS)[number];

export const settingReply = z.object({
  name: z.string(),
  group: z.enum(SETTING_GROUPS),
  title: z.string(),
  help: z.string(),
  input: z.enum(SETTING_INPUTS),
  /** The only values; empty if there are others. */
  choices: z.array(z.string()),
  /** As it is written; null if it has none. That of a picture is the name of its file below /brand/. */
  value: z.string().nullable(),
  /** The value without a setting; null if there is none then. */
  fallback: z.string().nullable(),
  source: z.enum(['environment', 'database', 'default']),
  /** Sent back with a change, which is refused if the setting was changed meanwhile. */
  version: z.string(),
});
export type SettingReply = z.output<typeof settingReply>;

export const listMarketplaceSettings = endpoint({
  method: 'GET',
  path: '/api/operator/settings',
  summary: 'The settings of the marketplace, with where each value comes from',
  reply: z.object({ settings: z.array(settingReply) }),
});

export const settingChange = z.object({
  name: z.string().max(60),
  version: z.string().max(60),
  /**
   * Null for the default. A picture is the content of its file in base64, or the name of one that was a value of the
   * setting before.
   */
  value: z
    .string()
    .max(2 * MAX_PICTURE_BYTES, 'This is too long')
    .nullable(),
});
export type SettingChange = z.output<typeof settingChange>;
export const settingChanges = z.array(settingChange).min(1, 'Nothing was changed').max(100);

export const saveSettings = endpoint({
  method: 'POST',
  path: '/api/operator/settings',
  summary: 'Change settings of the marketplace, all or none',
  body: settingForm.omit({ version: true }).extend({ changes: settingChanges }),
  reply: actDone,
});
