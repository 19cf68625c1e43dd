/** The switches of `user_settings` that decide about mail. */
export const SWITCHES = ['emailNotifications', 'campaignUpdates', 'paymentAlerts'] as const;
export type Switch = (typeof SWITCHES)[number];

/** Their names in Settings. */
export const SWITCH_LABELS: Record<Switch, string> = {
  emailNotifications: 'Email notifications',
  campaignUpdates: 'Campaign updates',
  paymentAlerts: 'Payment alerts',
};
