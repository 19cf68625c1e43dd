/** Limits and words of the console. Apart from the forms and contracts, so that its pages load without their schemas. */
export const MAX_REASON = 500;
export const MAX_SEARCH = 100;
/** The act of a setting also has the value before and after, so its reason is shorter. */
export const MAX_SETTING_REASON = 200;

/** The most bytes of a logo or an icon. */
export const MAX_PICTURE_BYTES = 256 * 1024;

/** Where the console shows a setting, in this order. */
export const SETTING_GROUPS = ['Brand', 'Money', 'Tax', 'Rules', 'Mail', 'Legal'] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

/** The member of a 409: what an act does now, if that is not what the operator has read. */
export const CONSEQUENCE = 'consequence';

/** The code of a 403: the session was opened with a password alone, so that the console asks for a code or a passkey. */
export const SECOND_FACTOR = 'second-factor';
